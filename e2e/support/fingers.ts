import type { Page } from '@playwright/test'

/**
 * Each call names all touch points. They rest before they are lifted: after a moving lift Chromium
 * treats the next tap as the end of its scrolling.
 */
export async function touchOf(page: Page) {
  const session = await page.context().newCDPSession(page)
  return async (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: { x: number; y: number }[]) => {
    if (type === 'touchEnd') await page.waitForTimeout(100)
    await session.send('Input.dispatchTouchEvent', { type, touchPoints })
  }
}

/** Points are shares of the surface; `held` runs while the finger is down. */
export async function drawAcross(
  page: Page,
  [from, to]: readonly [readonly [number, number], readonly [number, number]],
  held?: () => Promise<void>,
) {
  const fingers = await touchOf(page)
  const { x, y, width, height } = (await page.getByRole('application').boundingBox()) ?? {
    x: 0,
    y: 0,
    width: 0,
    height: 0,
  }
  const at = (share: number) => ({
    x: x + width * (from[0] + share * (to[0] - from[0])),
    y: y + height * (from[1] + share * (to[1] - from[1])),
  })
  await fingers('touchStart', at(0))
  for (let step = 1; step <= 8; step++) await fingers('touchMove', at(step / 8))
  await held?.()
  await fingers('touchEnd')
}
