import type { Page } from '@playwright/test'
import { createAccount, signInByApi } from './account.ts'
import type { RealServer } from './server.ts'

type Files = Parameters<Page['setInputFiles']>[1]

/** Somebody new, signed in, on the page of a tool; returns their token. */
export async function openTool(page: Page, server: RealServer, route: string): Promise<string> {
  const { email } = await createAccount(server, 'Sari')
  const token = await signInByApi(server, email)
  await page.addInitScript((held) => localStorage.setItem('authToken', held), token)
  await page.goto(`${server.origin}${route}`)
  return token
}

/** Chooses files as a person does, by the button of the empty studio. */
export async function chooseFiles(page: Page, files: Files, button = 'Pilih foto'): Promise<void> {
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: button }).tap(),
  ])
  await chooser.setFiles(files as Parameters<typeof chooser.setFiles>[0])
}

/** Agrees that the tool looks at faces. */
export async function agreeToFaces(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Kenali wajah di foto ini' }).tap()
  await page.getByRole('button', { name: 'Saya setuju' }).tap()
}
