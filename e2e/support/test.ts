import { test as base, type Page } from '@playwright/test'
import { recordMessages } from './messages.ts'

/**
 * Pages are hydrated once they are opened. Device previews are off, since the engine takes as long
 * as the rest of most tests; `runsEngine` turns them on.
 */
export const test = base.extend<{ runsEngine: boolean }>({
  runsEngine: [false, { option: true }],
  context: async ({ context, runsEngine }, use) => {
    // As in a browser without the instructions that the engine needs.
    if (!runsEngine) await context.addInitScript(() => Object.assign(WebAssembly, { validate: () => false }))
    await recordMessages(context)
    const newPage = context.newPage.bind(context)
    context.newPage = async () => patient(await newPage())
    await use(context)
  },
})

function patient(page: Page): Page {
  const goto = page.goto.bind(page)
  page.goto = async (url, options) => {
    const response = await goto(url, options)
    if (options?.waitUntil !== 'commit') await page.locator('[data-prerendered]').waitFor({ state: 'detached' })
    return response
  }
  return page
}
