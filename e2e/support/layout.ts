import type { Page } from '@playwright/test'

/**
 * Elements beyond the device's screen, invisible since the page does not scroll sideways. An
 * emulated phone's window grows with its content, so the device's width counts.
 */
export function elementsBeyondScreen(page: Page): Promise<string[]> {
  return page.evaluate((deviceWidth) => {
    const clipped = (element: Element | null): boolean =>
      element !== null &&
      element.tagName !== 'MAIN' &&
      (getComputedStyle(element).overflowX !== 'visible' || clipped(element.parentElement))
    return [...document.querySelectorAll('header *, main *, nav *, dialog[open] *')].flatMap((element) => {
      const { left, right, width } = element.getBoundingClientRect()
      const beyond = width > 1 && (left < -1 || right > deviceWidth + 1)
      // A closed drawer waits beside the screen.
      const seen = beyond && getComputedStyle(element).visibility !== 'hidden' && !clipped(element.parentElement)
      return seen ? [`${element.tagName} ${element.className}: ${Math.round(left)} to ${Math.round(right)}`] : []
    })
  }, page.viewportSize()?.width ?? 0)
}
