import { useEffect, useEffectEvent, useState } from 'react'

const pictures = (list: FileList | undefined) => [...(list ?? [])]

/**
 * Takes files dropped anywhere on the page or pasted into it; returns whether something is being
 * dragged over it.
 */
export function usePageDrop(onFiles: (files: File[]) => void): boolean {
  const [over, setOver] = useState(false)
  const take = useEffectEvent((files: File[]) => {
    if (files.length > 0) onFiles(files)
  })
  useEffect(() => {
    let depth = 0
    const carriesFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false
    const onEnter = (event: DragEvent) => {
      if (!carriesFiles(event)) return
      depth += 1
      setOver(true)
    }
    const onLeave = () => {
      depth = Math.max(0, depth - 1)
      if (depth === 0) setOver(false)
    }
    const onOver = (event: DragEvent) => carriesFiles(event) && event.preventDefault()
    const onDrop = (event: DragEvent) => {
      if (!carriesFiles(event)) return
      event.preventDefault()
      depth = 0
      setOver(false)
      take(pictures(event.dataTransfer?.files))
    }
    const onPaste = (event: ClipboardEvent) => take(pictures(event.clipboardData?.files))
    const wire = (change: 'addEventListener' | 'removeEventListener') => {
      window[change]('dragenter', onEnter as EventListener)
      window[change]('dragleave', onLeave)
      window[change]('dragover', onOver as EventListener)
      window[change]('drop', onDrop as EventListener)
      window[change]('paste', onPaste as EventListener)
    }
    wire('addEventListener')
    return () => wire('removeEventListener')
  }, [])
  return over
}
