import { t } from '@lingui/core/macro'
import { showSnackbar } from '#ui/snackbar.tsx'

/**
 * The pictures among what was copied, which says so where there are none; null where the browser
 * was not let read it.
 */
export async function copiedPictures(items: readonly ClipboardItem[] | null): Promise<File[]> {
  const files: File[] = []
  for (const item of items ?? []) {
    const type = item.types.find((name) => name.startsWith('image/'))
    if (type) files.push(new File([await item.getType(type)], `tempel.${type.slice('image/'.length)}`, { type }))
  }
  // The browser asked, or asks from now on.
  if (!items) showSnackbar('error', t`Izinkan Rupa membaca papan klip, lalu coba lagi.`)
  else if (files.length === 0) showSnackbar('error', t`Belum ada foto di papan klip. Salin fotonya dulu, ya.`)
  return files
}
