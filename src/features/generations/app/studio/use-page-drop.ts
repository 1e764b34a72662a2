import { useEffect, useEffectEvent, useState } from 'react'

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
