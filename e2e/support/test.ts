import { test as base, type Page } from '@playwright/test'
import { recordMessages } from './messages.ts'

/**
 * Pages are hydrated once they are opened. Device previews are off, since the engine takes as long
 * as the rest of most tests; `runsEngine` turns them on. With `serverPreviews` off a visitor's
 * photo waits for its free preview, which costs the server two seconds of the processor.
 */
export const test = base.extend<{ runsEngine: boolean; serverPreviews: boolean }>({
  runsEngine: [false, { option: true }],
  serverPreviews: [true, { option: true }],
  context: async ({ context, runsEngine, serverPreviews }, use) => {
    // As in a browser without the instructions that the engine needs.
    if (!runsEngine) await context.addInitScript(() => Object.assign(WebAssembly, { validate: () => false }))
    if (!serverPreviews) await context.addInitScript(withoutPreviews)
    await recordMessages(context)
    const newPage = context.newPage.bind(context)
    context.newPage = async () => patient(await newPage())
    await use(context)
  },
})

/** Intercepting requests would pass each of them through the test. */
function withoutPreviews(): void {
  const { fetch } = window
  window.fetch = (...request) =>
    String(request[0]).endsWith('/preview') ? new Promise(() => {}) : fetch.apply(window, request)
}

function patient(page: Page): Page {
  const goto = page.goto.bind(page)
  page.goto = async (url, options) => {
    const response = await goto(url, options)
    if (options?.waitUntil !== 'commit') await page.locator('[data-prerendered]').waitFor({ state: 'detached' })
    return response
  }
  return page
}
