import type { Page } from '@playwright/test'

/** What reaches beyond the window's sides, where nobody can see it: the page itself does not scroll sideways. */
export function beyondTheSides(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const clipped = (element: Element | null): boolean =>
      element !== null &&
      element.tagName !== 'MAIN' &&
      (getComputedStyle(element).overflowX !== 'visible' || clipped(element.parentElement))
    return [...document.querySelectorAll('main *, dialog[open] *')].flatMap((element) => {
      const { left, right, width } = element.getBoundingClientRect()
      const beyond = width > 1 && (left < -1 || right > innerWidth + 1) && !clipped(element.parentElement)
      return beyond ? [`${element.tagName} ${element.className}: ${Math.round(left)} to ${Math.round(right)}`] : []
    })
  })
}
