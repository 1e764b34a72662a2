import type { Page } from '@playwright/test'

/**
 * What reaches beyond the sides of the device's screen, where nobody can see it: the page itself
 * does not scroll sideways. Measured against the device, for the window of an emulated phone grows
 * with what is too wide.
 */
export function beyondTheSides(page: Page): Promise<string[]> {
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
