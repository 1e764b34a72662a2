import { useLingui } from '@lingui/react/macro'
import { ClipboardPaste } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Button } from '#ui/button.tsx'
import { copiedPictures } from '../copied-pictures.ts'

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
