import type { Page } from '@playwright/test'
import { elementsBeyond } from '#tests/support/elements-beyond.ts'

/** An emulated phone's window grows with its content, so the device's width counts. */
export const elementsBeyondScreen = (page: Page): Promise<string[]> =>
  page.evaluate(elementsBeyond, page.viewportSize()?.width ?? 0)
