import { expect, type Page } from '@playwright/test'
import {
  createAccount,
  followForeignLink,
  isSignedIn,
  navigateInApp,
  signInOnDevice,
} from '../../e2e/support/account.ts'
import { test } from '../../e2e/support/app.ts'
import type { RunningServer } from '../../e2e/support/server.ts'

async function signedIn(page: Page, server: RunningServer): Promise<void> {
  const { email } = await createAccount(server, 'Laras')
  await signInOnDevice(page, server, email)
}

test.use({ serviceWorkers: 'block' })

test('a link to /logout from another site asks for confirmation', async ({ page, server }) => {
  await signedIn(page, server)
  for (const path of ['/logout', '/LOGOUT/', '/%6cogout?x=1']) {
    await followForeignLink(page, `${server.origin}${path}`)
    const question = page.getByRole('dialog')
    await expect(question).toContainText('Kamu membuka halaman ini lewat tautan')
    expect(await isSignedIn(page)).toBe(true)
    await question.getByRole('button', { name: 'Tetap masuk' }).tap()
    await expect(page).toHaveURL(`${server.origin}/history`)
    expect(await isSignedIn(page)).toBe(true)
  }
  await navigateInApp(page, '/logout')
  await page.waitForURL(`${server.origin}/`)
  expect(await isSignedIn(page)).toBe(false)
})

test('typing /logout, or following a link of ours to it, signs out at once', async ({ page, server }) => {
  await signedIn(page, server)
  await page.goto('/logout')
  await page.waitForURL(`${server.origin}/`)
  expect(await isSignedIn(page)).toBe(false)

  await signedIn(page, server)
  await page.goto('/history')
  await page.evaluate(() => window.location.assign('/logout'))
  await page.waitForURL(`${server.origin}/`)
  expect(await isSignedIn(page)).toBe(false)
})
