import { expect, type Page } from '@playwright/test'
import { createAccount, linkIn, mailTo, password, signInOnDevice, signInOnScreen } from './support/account.ts'
import { test } from './support/app.ts'
import type { RunningServer } from './support/server.ts'

async function openProfile(page: Page, server: RunningServer, name = 'Wulan'): Promise<string> {
  const { email } = await createAccount(server, name)
  await signInOnDevice(page, server, email)
  await page.goto('/profile')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  return email
}

test('appearance and language follow the account to a device without a choice of its own', async ({
  page,
  server,
  browser,
}) => {
  const email = await openProfile(page, server)
  await page.getByText('Gelap', { exact: true }).tap()
  await page.getByLabel('Toska', { exact: true }).check({ force: true })
  const saved = page.waitForResponse((response) => response.request().method() === 'PATCH' && response.ok())
  await expect(page.locator('html')).toHaveAttribute('data-primary', 'toska')
  await saved
  const savedAgain = page.waitForResponse((response) => response.request().method() === 'PATCH' && response.ok())
  await page.getByText('English', { exact: true }).tap()
  await savedAgain
  const elsewhere = await browser.newContext({ viewport: { width: 390, height: 844 }, hasTouch: true })
  const other = await elsewhere.newPage()
  await signInOnScreen(other, email, server.origin)
  await expect(other.locator('html')).toHaveAttribute('data-theme', 'dark')
  await expect(other.locator('html')).toHaveAttribute('data-primary', 'toska')
  await expect(other.locator('html')).toHaveAttribute('lang', 'en')
  await elsewhere.close()
})

test('a new address takes effect when the link mailed to it is opened, and any other link does nothing', async ({
  page,
  server,
}) => {
  const old = await openProfile(page, server)
  const fresh = `lain-${Math.random().toString(36).slice(2, 8)}@contoh.test`
  await page.getByRole('button', { name: 'Ganti email' }).tap()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Kirim tautan' }).tap()
  await expect(dialog.getByText('Bagian ini wajib diisi')).toBeVisible()
  await dialog.getByLabel('Email baru').fill('bukan-email')
  await expect(dialog.getByText('Email tidak valid')).toBeVisible()
  await dialog.getByLabel('Email baru').fill(fresh)
  await dialog.getByLabel('Kata sandi saat ini', { exact: true }).fill('Bukan-ini-1!')
  await dialog.getByRole('button', { name: 'Kirim tautan' }).tap()
  await expect(dialog.getByText('Kata sandi saat ini salah.')).toBeVisible()
  await dialog.getByLabel('Kata sandi saat ini', { exact: true }).fill(password)
  await dialog.getByRole('button', { name: 'Kirim tautan' }).tap()
  await dialog.getByRole('button', { name: 'Mengerti' }).tap()
  await mailTo(server, old, (text) => text.includes('Seseorang yang masuk ke akunmu'))
  await expect(page.getByRole('main').getByText(old).first()).toBeVisible()

  const link = await linkIn(server, fresh, /confirm_email/)
  await page.goto(link)
  await expect(page.getByText('Alamat emailmu sudah berganti.')).toBeVisible()
  await expect(page.getByRole('main').getByText(fresh)).toHaveCount(2)
  await page.goto(`${link.slice(0, -1)}_`)
  await expect(page.getByText('Tautan itu sudah tidak berlaku. Minta yang baru lewat “Ganti email”.')).toBeVisible()
  await page.goto('/logout')
  await expect(page).toHaveURL(`${server.origin}/`)
  await signInOnScreen(page, fresh, server.origin)
})
