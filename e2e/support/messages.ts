import { type BrowserContext, expect, type Page } from '@playwright/test'

/** Messages that no test has consumed yet. */
const said = new WeakMap<Page, string[]>()

/** Records messages, which a busy machine may miss in their 3.5 seconds. */
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

/** Waits for a message after the previously expected one. */
export async function expectMessage(page: Page, text: string): Promise<void> {
  const messages = () => said.get(page) ?? []
  await expect.poll(messages).toContain(text)
  said.set(page, messages().slice(messages().indexOf(text) + 1))
}
