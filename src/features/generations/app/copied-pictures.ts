import { t } from '@lingui/core/macro'
import { showSnackbar } from '#ui/snackbar.tsx'

/** Shows a message if the clipboard has no pictures; null where reading was not permitted. */
export async function copiedPictures(items: readonly ClipboardItem[] | null): Promise<File[]> {
  const files: File[] = []
  for (const item of items ?? []) {
    const type = item.types.find((name) => name.startsWith('image/'))
    if (type) files.push(new File([await item.getType(type)], `tempel.${type.slice('image/'.length)}`, { type }))
  }
  if (!items) showSnackbar('error', t`Izinkan Rupa membaca papan klip, lalu coba lagi.`)
  else if (files.length === 0) showSnackbar('error', t`Belum ada foto di papan klip. Salin fotonya dulu, ya.`)
  return files
}
