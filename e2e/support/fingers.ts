import type { Page } from '@playwright/test'

/**
 * Fingers on the screen: each call says where all of them are. They rest before they are lifted: of
 * one lifted in motion Chromium takes the next tap, wherever it is, as what stops its scrolling.
 */
export async function touchOf(page: Page) {
  const session = await page.context().newCDPSession(page)
  return async (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: { x: number; y: number }[]) => {
    if (type === 'touchEnd') await page.waitForTimeout(100)
    await session.send('Input.dispatchTouchEvent', { type, touchPoints })
  }
}
