import type { Page } from '@playwright/test'

/** Console errors, warnings and uncaught exceptions from here on. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = []
  page.on('console', (message) => {
    const text = message.text()
    // Some tests run without the service worker (playwright.config.ts).
    if (['error', 'warning'].includes(message.type()) && !text.startsWith('Service Worker registration blocked')) {
      complaints.push(text)
    }
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  return complaints
}
