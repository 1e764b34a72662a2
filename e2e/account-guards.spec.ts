import { expect, type Page } from '@playwright/test'
import { navigateInApp } from './support/account.ts'
import { test } from './support/app.ts'
import { admin } from './support/app-server.ts'

const adminScreens = [
  '/admin/dashboard',
  '/admin/fitur',
  '/admin/voucher',
  '/admin/request-custom',
  '/admin/billing',
  '/admin/users',
  '/admin/users/me',
  '/admin/kredit/harga',
  '/admin/kredit/riwayat',
]

async function signIn(page: Page, who: { email: string; password: string }): Promise<void> {
  await page.getByLabel('Email').fill(who.email)
  await page.getByLabel('Kata sandi', { exact: true }).fill(who.password)
  await page.getByRole('button', { name: 'Masuk', exact: true }).tap()
}

test('an admin lands on the dashboard whatever the target, may open every page, and finds the profile among them', async ({
  page,
}) => {
  await page.goto('/billing')
  await signIn(page, admin)
  await expect(page).toHaveURL(/\/admin\/dashboard$/)
  for (const screen of adminScreens) {
    await navigateInApp(page, screen)
    await page.locator('h1').waitFor()
    expect(new URL(page.url()).pathname).toBe(screen)
  }
  await page.goto('/admin/users/me')
  await expect(page.getByText(admin.email).first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Ganti kata sandi' })).toBeVisible()
  await page.goto('/login')
  await expect(page).toHaveURL(/\/admin\/dashboard$/)
})
