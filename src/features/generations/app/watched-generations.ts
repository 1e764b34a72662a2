import { useEffect } from 'react'

const watched = new Map<string, number>()

export function isWatched(id: string): boolean {
  return watched.has(id) && document.visibilityState === 'visible'
}

export function useWatched(id: string | null): void {
  useEffect(() => {
    if (id === null) return
    watched.set(id, (watched.get(id) ?? 0) + 1)
    return () => {
      const others = (watched.get(id) ?? 1) - 1
      if (others > 0) watched.set(id, others)
      else watched.delete(id)
    }
  }, [id])
}
