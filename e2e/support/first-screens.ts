import { expect, type Page } from '@playwright/test'

interface HeadingSeen {
  first: string
  last: string
  framesWithout: number
  shifts: number
}

/** Runs in the page from before the first script, frame by frame. */
function watchHeading() {
  const seen: HeadingSeen = { first: '', last: '', framesWithout: 0, shifts: 0 }
  Object.assign(window, { seen })
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) seen.shifts += (entry as PerformanceEntry & { value: number }).value
  }).observe({ type: 'layout-shift', buffered: true })
  const look = () => {
    const heading = document.querySelector('h1')
    if (heading) {
      const { x, y, width, height } = heading.getBoundingClientRect()
      seen.last = `${heading.textContent} ${x} ${y} ${width} ${height}`
      // The document may have arrived only up to the heading's tag.
      if (heading.closest('[data-prerendered]') && height > 0) seen.first ||= seen.last
    } else if (seen.first) seen.framesWithout += 1
    requestAnimationFrame(look)
  }
  look()
}

export const headingSeen = (page: Page) => page.evaluate(() => (window as unknown as { seen: HeadingSeen }).seen)

/** Each page is sent with the first screen that the app renders, and nothing moves or flickers. */
export async function expectSentAsRendered(page: Page, paths: readonly string[]): Promise<void> {
  const wrong: string[] = []
  page.on('response', (response) => response.status() >= 400 && wrong.push(response.url()))
  page.on('pageerror', (error) => wrong.push(error.message))
  page.on('console', (message) => message.type() === 'error' && wrong.push(message.text()))
  await page.addInitScript(watchHeading)
  for (const path of paths) {
    await page.goto(path)
    if (path === '/') await expect(page.locator('footer')).toBeAttached()
    await page.waitForLoadState('networkidle')
    const seen = await headingSeen(page)
    expect(seen.first, path).not.toBe('')
    expect(seen.last, path).toBe(seen.first)
    expect(seen.framesWithout, path).toBe(0)
    expect(seen.shifts, path).toBeLessThanOrEqual(0.02)
    const source = await (await page.request.get(path)).text()
    expect(/<title>(.*)<\/title>/.exec(source)?.[1]).toBe(await page.title())
    expect(source, path).toMatch(/<meta name="description" content="[^"]{40,200}"/)
    // A page opened in English stays English in the next one.
    await page.evaluate(() => localStorage.clear())
  }
  expect(wrong).toEqual([])
}
