import { join } from 'node:path'
import { type Browser, expect, type Page } from '@playwright/test'
import sharp from 'sharp'
import type { CreditBalance } from '#features/credits/schemas.ts'
import type { GenerationView } from '#features/generations/schemas.ts'
import { api, linkIn, password, signInByApi } from '../../e2e/support/account.ts'
import { test } from '../../e2e/support/app.ts'
import { expectMessage } from '../../e2e/support/messages.ts'
import type { RunningServer } from '../../e2e/support/server.ts'

const portrait = join(import.meta.dirname, '..', '..', 'e2e', 'fixtures', 'portrait.jpg')
const route = '/ai-background-removal'
const promise = /^Daftar gratis, unduh ukuran penuh/

test.use({ viewport: { width: 390, height: 844 } })

const newEmail = () => `budi-${Math.random().toString(36).slice(2, 9)}@contoh.test`
const sheet = (page: Page) => page.getByRole('dialog')
const succeeded = (page: Page) => page.getByRole('heading', { name: 'Gambar berhasil dibuat' })

async function preview(page: Page): Promise<void> {
  const photo = await sharp(portrait).resize(1024, 1200).jpeg().toBuffer()
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    page.getByRole('button', { name: 'Pilih foto' }).tap(),
  ])
  await chooser.setFiles({ name: 'potret.jpg', mimeType: 'image/jpeg', buffer: photo })
  await expect(page.getByRole('heading', { name: 'Pratinjau gratis' })).toBeVisible()
}

/** Two taps. */
async function fillIn(page: Page, email: string): Promise<void> {
  for (const [label, text] of [
    ['Nama', 'Budi'],
    ['Email', email],
    ['Kata sandi', password],
    ['Konfirmasi kata sandi', password],
    ['Tahun lahir', '1998'],
  ] as const) {
    await page.getByLabel(label, { exact: true }).fill(text)
  }
  await page.getByRole('checkbox', { name: /Saya menyetujui/ }).tap()
  await page.getByRole('button', { name: 'Daftar', exact: true }).tap()
}

/** The sheet focuses its first field. */
async function register(page: Page, email: string): Promise<void> {
  await expect(page.getByLabel('Email')).toBeFocused()
  await fillIn(page, email)
  await expectMessage(page, 'Berhasil mendaftar, silahkan cek email untuk verifikasi')
  await expect(page.getByText('Tinggal satu langkah')).toBeVisible()
  // In the sheet, not dimmed and unreachable below it.
  await expect(sheet(page).locator('.toast')).toBeAttached()
}

async function accountOf(server: RunningServer, email: string) {
  const token = await signInByApi(server, email)
  const { items } = await api<{ items: GenerationView[] }>(server, '/api/generations', { token })
  return { items, credits: (await api<CreditBalance>(server, '/api/user/myCredit', { token })).credits }
}

/** Opens an address on another device. */
async function openElsewhere(browser: Browser, address: string): Promise<void> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(address)
  await expect(page.getByText('Email kamu sudah terverifikasi.')).toBeVisible()
  await context.close()
}

test('the tab that registered continues when the link is opened on another device', async ({
  page,
  server,
  browser,
}) => {
  const email = newEmail()
  await page.goto('/')
  await preview(page)
  await page.getByRole('button', { name: promise }).tap()
  await register(page, email)
  const download = page.waitForEvent('download', { timeout: 300_000 })
  await openElsewhere(browser, await linkIn(server, email, /verify_email/))
  await download
  await expect(succeeded(page)).toBeVisible()
  expect((await accountOf(server, email)).credits).toBe(20)
})

test('the link opened in another tab of the same browser runs the photo once, in one of them', async ({
  page,
  server,
}) => {
  const email = newEmail()
  await page.goto('/')
  await preview(page)
  await page.getByRole('button', { name: promise }).tap()
  await register(page, email)
  const other = await page.context().newPage()
  await other.goto(await linkIn(server, email, /verify_email/))
  await expect(other).toHaveURL(new RegExp(`${route}|result=`))
  const statuses = async () => (await accountOf(server, email)).items.map(({ status }) => status)
  await expect.poll(statuses).toEqual(['succeeded'])
  expect((await accountOf(server, email)).credits).toBe(20)
})
