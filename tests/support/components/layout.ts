import { settled } from './violations.ts'

/**
 * Changes the size of all text, in percent of the browser's own, and waits for the observers of
 * sizes.
 */
export async function setText(percent: number): Promise<void> {
  document.documentElement.style.setProperty('font-size', `${percent}%`)
  await settled()
}

/**
 * Elements beyond the window, invisible since the page does not scroll sideways. A closed drawer
 * waits beside the screen.
 */
export function elementsBeyondScreen(): string[] {
  const clipped = (element: Element | null): boolean =>
    element !== null &&
    element.tagName !== 'MAIN' &&
    (getComputedStyle(element).overflowX !== 'visible' || clipped(element.parentElement))
  return [...document.querySelectorAll('header *, main *, nav *, dialog[open] *')].flatMap((element) => {
    const { left, right, width } = element.getBoundingClientRect()
    const beyond = width > 1 && (left < -1 || right > innerWidth + 1)
    const seen = beyond && getComputedStyle(element).visibility !== 'hidden' && !clipped(element.parentElement)
    return seen ? [`${element.tagName} ${element.className}: ${Math.round(left)} to ${Math.round(right)}`] : []
  })
}

/** Controls of the page that are too low for a finger. */
export function smallTargets(): string[] {
  const controls = document.querySelectorAll('main :is(button, summary, a.btn, label:has(input[type=radio]))')
  return [...controls].flatMap((element) => {
    const { height } = element.getBoundingClientRect()
    return height > 0 && height < 43.5 ? [`${element.textContent}: ${height} pixels high`] : []
  })
}
