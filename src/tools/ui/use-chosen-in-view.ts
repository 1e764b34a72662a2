import { type RefObject, useEffect, useRef } from 'react'

/**
 * Scrolls a row sideways to its chosen entry when the row appears and when another is chosen, but
 * not back after the user has scrolled away.
 */
export function useChosenInView<Row extends HTMLElement>(): RefObject<Row | null> {
  const row = useRef<Row>(null)
  const shown = useRef('')
  const show = useRef((element: Row, again: boolean) => {
    const chosen = element.querySelector<HTMLElement>('[aria-pressed=true]')
    if (!chosen || element.clientWidth === 0) return
    const [box, around] = [chosen.getBoundingClientRect(), element.getBoundingClientRect()]
    const left = box.left - around.left + element.scrollLeft
    const place = `${chosen.textContent} ${Math.round(left)}`
    if (place === shown.current && !again) return
    shown.current = place
    if (box.left >= around.left && box.right <= around.right) return
    // `scrollIntoView` would move the panel, too.
    element.scrollLeft = left - (element.clientWidth - box.width) / 2
  })
  useEffect(() => {
    if (row.current) show.current(row.current, false)
  })
  useEffect(() => {
    const element = row.current
    if (!element) return
    // A row of a closed section has no size.
    const observer = new ResizeObserver(() => show.current(element, true))
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  return row
}
