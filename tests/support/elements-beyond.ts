/**
 * Elements beyond `width`, the screen's, which are invisible since the page does not scroll
 * sideways. Playwright sends this function to its page as text, so it uses nothing outside itself.
 */
export function elementsBeyond(width: number): string[] {
  const clipped = (element: Element | null): boolean =>
    element !== null &&
    element.tagName !== 'MAIN' &&
    (getComputedStyle(element).overflowX !== 'visible' || clipped(element.parentElement))
  return [...document.querySelectorAll('header *, main *, nav *, dialog[open] *')].flatMap((element) => {
    const box = element.getBoundingClientRect()
    const isBeyond = box.width > 1 && (box.left < -1 || box.right > width + 1)
    // A closed drawer waits beside the screen.
    const isSeen = isBeyond && getComputedStyle(element).visibility !== 'hidden' && !clipped(element.parentElement)
    return isSeen
      ? [`${element.tagName} ${element.className}: ${Math.round(box.left)} to ${Math.round(box.right)}`]
      : []
  })
}
