import { useEffect, useLayoutEffect, useRef } from 'react'

const growTimeoutMs = 3000

/** Scrolls as soon as the page is high enough, unless the user scrolls first. */
function scrollWhenPossible(wanted: number): () => void {
  const attempt = () => {
    if (document.documentElement.scrollHeight - window.innerHeight < wanted) return
    window.scrollTo(0, wanted)
    stop()
  }
  const growth = new ResizeObserver(attempt)
  const timer = setTimeout(() => stop(), growTimeoutMs)
  const stop = () => {
    growth.disconnect()
    clearTimeout(timer)
    for (const event of ['wheel', 'touchmove', 'keydown']) window.removeEventListener(event, stop)
  }
  for (const event of ['wheel', 'touchmove', 'keydown']) window.addEventListener(event, stop, { passive: true })
  growth.observe(document.body)
  return stop
}

export function useScrollMemory(path: string): void {
  const shown = useRef(path)
  const positions = useRef(new Map<string, number>())
  const returnedTo = useRef<string | null>(null)

  useEffect(() => {
    const remember = () => {
      positions.current.set(shown.current, window.scrollY)
    }
    const back = () => {
      returnedTo.current = window.location.pathname
    }
    window.addEventListener('scroll', remember, { passive: true })
    window.addEventListener('popstate', back)
    return () => {
      window.removeEventListener('scroll', remember)
      window.removeEventListener('popstate', back)
    }
  }, [])

  // Runs before the browser's scroll event of the new page, which must not count for the old one.
  useLayoutEffect(() => {
    if (shown.current === path) return
    shown.current = path
    const wanted = returnedTo.current === path ? (positions.current.get(path) ?? 0) : 0
    returnedTo.current = null
    if (wanted === 0) {
      window.scrollTo(0, 0)
      return
    }
    return scrollWhenPossible(wanted)
  }, [path])
}
