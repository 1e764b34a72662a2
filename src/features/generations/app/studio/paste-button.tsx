import { t } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { ClipboardPaste } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from '#ui/button.tsx'
import { showSnackbar } from '#ui/snackbar.tsx'

export function PasteButton({ onFiles, className }: { onFiles: (files: File[]) => void; className?: string }) {
  const { t } = useLingui()
  // Rendered before support is known, since nearly all browsers have it.
  const [possible, setPossible] = useState(true)
  useEffect(() => setPossible(typeof navigator.clipboard?.read === 'function'), [])
  if (!possible) return null
  const paste = async () => {
    const files = await copiedPictures(await navigator.clipboard.read().catch(() => null))
    if (files.length > 0) onFiles(files)
  }
  return (
    <Button variant="ghost" icon={ClipboardPaste} className={className} onClick={() => void paste()}>
      {t`Tempel foto`}
    </Button>
  )
}

/** Shows a message if the clipboard has no pictures; null where reading was not permitted. */
async function copiedPictures(items: readonly ClipboardItem[] | null): Promise<File[]> {
  const files: File[] = []
  for (const item of items ?? []) {
    const type = item.types.find((name) => name.startsWith('image/'))
    if (type) files.push(new File([await item.getType(type)], `tempel.${type.slice('image/'.length)}`, { type }))
  }
  if (!items) showSnackbar('error', t`Izinkan Rupa membaca papan klip, lalu coba lagi.`)
  else if (files.length === 0) showSnackbar('error', t`Belum ada foto di papan klip. Salin fotonya dulu, ya.`)
  return files
}
