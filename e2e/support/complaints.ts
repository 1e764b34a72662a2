import type { Page } from '@playwright/test'

/** Collects what the browser's console and uncaught exceptions say from now on. */
export function complaintsOf(page: Page): string[] {
  const complaints: string[] = []
  page.on('console', (message) => {
    const text = message.text()
    // Some tests run without the service worker (playwright.config.ts), which is no complaint of a
    // page.
    if (['error', 'warning'].includes(message.type()) && !text.startsWith('Service Worker registration blocked')) {
      complaints.push(text)
    }
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  return complaints
}
