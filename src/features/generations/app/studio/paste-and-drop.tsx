import { t } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { ClipboardPaste } from 'lucide-react'
import { useEffect, useEffectEvent, useState } from 'react'
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
    // Before the app's code has loaded, public/early.js pastes.
    <Button data-paste variant="ghost" icon={ClipboardPaste} className={className} onClick={() => void paste()}>
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

export function usePageDrop(onFiles: (files: File[]) => void): boolean {
  const [over, setOver] = useState(false)
  const take = useEffectEvent((list: FileList | undefined) => {
    if (list && list.length > 0) onFiles([...list])
  })
  useEffect(() => {
    const listening = new AbortController()
    const { signal } = listening
    let depth = 0
    const enter = (change: number) => {
      depth = Math.max(0, depth + change)
      setOver(depth > 0)
    }
    const carriesFiles = ({ dataTransfer }: DragEvent) => dataTransfer?.types.includes('Files') ?? false
    window.addEventListener('dragenter', (event) => carriesFiles(event) && enter(1), { signal })
    window.addEventListener('dragleave', () => enter(-1), { signal })
    window.addEventListener('dragover', (event) => carriesFiles(event) && event.preventDefault(), { signal })
    window.addEventListener(
      'drop',
      (event) => {
        if (!carriesFiles(event)) return
        event.preventDefault()
        enter(-depth)
        take(event.dataTransfer?.files)
      },
      { signal },
    )
    window.addEventListener('paste', (event) => take(event.clipboardData?.files), { signal })
    return () => listening.abort()
  }, [])
  return over
}
