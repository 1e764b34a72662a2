import { type BrowserContext, expect, type Page } from '@playwright/test'

/** What each page has said in messages at the bottom, as far as no test has asked for it yet. */
const said = new WeakMap<Page, string[]>()

/**
 * Notes every message of the context's pages: each stays for 3.5 seconds, in which a busy machine
 * may not get to look.
 */
export async function recordMessages(context: BrowserContext): Promise<void> {
  await context.exposeBinding('noteMessage', ({ page }, text: string) => {
    said.set(page, [...(said.get(page) ?? []), text])
  })
  await context.addInitScript(() => {
    const { noteMessage } = window as unknown as { noteMessage: (text: string) => void }
    let last: Element | undefined
    new MutationObserver(() => {
      const shown = document.querySelector('.toast > .alert') ?? undefined
      if (shown === last) return
      last = shown
      if (last) noteMessage(last.textContent)
    }).observe(document, { childList: true, subtree: true })
  })
}

/** Waits until the page has said this, after what it was asked for before. */
export async function expectMessage(page: Page, text: string): Promise<void> {
  const messages = () => said.get(page) ?? []
  await expect.poll(messages).toContain(text)
  said.set(page, messages().slice(messages().indexOf(text) + 1))
}
