import { expect, type Page } from '@playwright/test'
import { createAccount, followForeignLink, isSignedIn, signInOnDevice } from './support/account.ts'
import { test } from './support/app.ts'

/** From here on the service worker serves the pages. */
async function letWorkerTakeOver(page: Page): Promise<void> {
  await page.goto('/history')
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null)
}

/** Follows a link of another site to sign out, and declines. */
async function stayDespiteLink(page: Page, address: string): Promise<void> {
  await followForeignLink(page, address)
  const question = page.getByRole('dialog')
  await expect(question).toContainText('Kamu membuka halaman ini lewat tautan')
  expect(await isSignedIn(page)).toBe(true)
  await question.getByRole('button', { name: 'Tetap masuk' }).tap()
  await expect(page).toHaveURL(new URL('/history', address).href)
  expect(await isSignedIn(page)).toBe(true)
}

test.use({ serviceWorkers: 'allow' })

test('a link to /logout from another site asks for confirmation; typed, or followed from a page of ours, it signs out at once', async ({
  page,
  server,
}) => {
  const { email } = await createAccount(server, 'Laras')
  await signInOnDevice(page, server, email)
  await letWorkerTakeOver(page)
  await stayDespiteLink(page, `${server.origin}/%6cogout?x=1`)

  // A link of ours does not.
  await page.evaluate(() => window.location.assign('/logout'))
  await page.waitForURL(`${server.origin}/`)
  expect(await isSignedIn(page)).toBe(false)

  // Nor does a typed address.
  await signInOnDevice(page, server, email)
  await page.goto('/logout')
  await page.waitForURL(`${server.origin}/`)
  expect(await isSignedIn(page)).toBe(false)
})

test('a link to /logout from another site asks for confirmation, whatever its spelling', { tag: '@soak' }, async ({
  page,
  server,
}) => {
  const { email } = await createAccount(server, 'Laras')
  await signInOnDevice(page, server, email)
  for (const path of ['/logout', '/LOGOUT/', '/%6cogout?x=1']) await stayDespiteLink(page, `${server.origin}${path}`)
})
