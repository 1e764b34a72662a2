import { test as base, type Page } from '@playwright/test'

/** A test whose pages are the app's own once they are opened, no longer the first screen that came with them. */
export const test = base.extend({
  context: async ({ context }, use) => {
    const newPage = context.newPage.bind(context)
    context.newPage = async () => patient(await newPage())
    await use(context)
  },
})

function patient(page: Page): Page {
  const goto = page.goto.bind(page)
  page.goto = async (url, options) => {
    const response = await goto(url, options)
    if (options?.waitUntil !== 'commit') await page.locator('.prerendered').waitFor({ state: 'detached' })
    return response
  }
  return page
}
