import type { Page } from '@playwright/test'

/** Fingers on the screen: each call says where all of them are. */
export async function touchOf(page: Page) {
  const session = await page.context().newCDPSession(page)
  return (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: { x: number; y: number }[]) =>
    session.send('Input.dispatchTouchEvent', { type, touchPoints })
}
