import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Browser, expect, type Page } from '@playwright/test'
import sharp from 'sharp'
import type { OrderView } from '#features/billing/schemas.ts'
import type { CreditBalance } from '#features/credits/schemas.ts'
import type { GenerationView } from '#features/generations/schemas.ts'
import { api, codeIn, createAccount, linkIn, password, signInByApi } from './support/account.ts'
import { test } from './support/app.ts'
import { expectMessage } from './support/messages.ts'
import type { RunningServer } from './support/server.ts'
import { adjustCredits } from './support/staff.ts'
import { violations } from './support/violations.ts'

const portrait = join(import.meta.dirname, 'fixtures', 'portrait.jpg')
const route = '/ai-background-removal'
const promise = /^Daftar gratis, unduh ukuran penuh/

test.use({ viewport: { width: 390, height: 844 } })

const newEmail = () => `budi-${Math.random().toString(36).slice(2, 9)}@contoh.test`
const sheet = (page: Page) => page.getByRole('dialog')
const succeeded = (page: Page) => page.getByRole('heading', { name: 'Gambar berhasil dibuat' })

/** Counts taps from here on. */
async function countTaps(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    Object.assign(window, { taps: 0 })
    window.addEventListener(
      'touchstart',
      () => Object.assign(window, { taps: (window as never as { taps: number }).taps + 1 }),
      true,
    )
  })
  return () => page.evaluate(() => (window as never as { taps: number }).taps)
}

async function preview(page: Page): Promise<void> {
  const photo = await sharp(portrait).resize(700, 820).jpeg().toBuffer()
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
  await expect(page.getByLabel('Kode 6 angka')).toBeVisible()
  // In the sheet, not dimmed and unreachable below it.
  await expect(sheet(page).locator('.toast')).toBeAttached()
}

async function accountOf(server: RunningServer, email: string) {
  const token = await signInByApi(server, email)
  const { items } = await api<{ items: GenerationView[] }>(server, '/api/generations', { token })
  return { items, credits: (await api<CreditBalance>(server, '/api/user/myCredit', { token })).credits }
}

test('a new user gets the file in full size by four taps from home, with the code typed on the same screen', async ({
  page,
  server,
}) => {
  const email = newEmail()
  await page.goto('/')
  const taps = await countTaps(page)
  await preview(page)
  await page.getByRole('button', { name: promise }).tap()
  await expect(sheet(page).getByRole('img', { name: 'Fotomu' })).toBeInViewport()
  await expect(sheet(page).getByText(/5 kredit/)).toBeVisible()
  await register(page, email)
  await expect(sheet(page).getByRole('img', { name: 'Fotomu' })).toBeInViewport()
  expect(await violations(page)).toEqual([])
  const code = await codeIn(server, email)
  await expect(page.getByLabel('Kode 6 angka')).toBeFocused()
  const download = page.waitForEvent('download')
  await page.keyboard.type(code)
  await expectMessage(page, 'Berhasil login')
  await expect(succeeded(page)).toBeVisible()
  const file = await readFile(await (await download).path())
  expect(await sharp(file).metadata()).toMatchObject({ width: 700, height: 820 })
  expect(await taps()).toBe(4)
  expect(new URL(page.url()).pathname).toBe(route)
  const { items, credits } = await accountOf(server, email)
  expect([items.length, credits]).toEqual([1, 20])
})

test('a member two credits short pays by QRIS in the tool, once, and starts the waiting photo by one tap', async ({
  page,
  server,
}) => {
  const { email } = await createAccount(server, 'Dewi')
  const token = await signInByApi(server, email)
  await adjustCredits(server, token, -22)
  await page.addInitScript((held) => localStorage.setItem('authToken', held), token)
  await page.goto(route)
  await page.locator('main input[type=file]').first().setInputFiles(portrait)
  const order = async () => {
    await expect(page.getByText(/Kurang 2 kredit: butuh 5, saldomu 3/)).toBeVisible()
    await page.getByRole('button', { name: 'Tambah kredit' }).tap()
    await expect(sheet(page).getByRole('heading', { name: 'Kurang 2 kredit' })).toBeVisible()
    await expect(sheet(page).getByRole('radio').first()).toBeChecked()
    await expect(sheet(page).getByRole('radio', { name: /STARTER/ })).toBeChecked()
    await sheet(page).getByRole('button', { name: 'Bayar Rp 165.000 dengan QRIS' }).tap()
    await expect(sheet(page).getByText('Setujui Kebijakan Privasi')).toBeVisible()
    await sheet(page).getByRole('checkbox').tap()
    await sheet(page).getByRole('button', { name: 'Bayar Rp 165.000 dengan QRIS' }).tap()
    await expect(sheet(page).getByRole('img', { name: /QR/ })).toBeVisible()
    await expect(sheet(page).getByRole('heading', { name: 'Bayar dengan QRIS' })).toBeInViewport()
    await expect(sheet(page).locator(':focus')).toHaveCount(1)
  }
  await order()
  expect(await violations(page)).toEqual([])
  await sheet(page).getByRole('button', { name: 'Tutup', exact: true }).tap()
  await expect(page.getByRole('button', { name: 'Tambah kredit' })).toBeFocused()
  await order()
  const { items: orders } = await api<{ items: OrderView[] }>(server, '/api/orders', { token })
  expect(orders).toHaveLength(1)
  await api(server, `${new URL(orders[0]?.payment?.url as string).pathname}/pay`, { json: {} })
  await expectMessage(page, 'Kredit sudah masuk ke saldomu.')
  await page.getByRole('button', { name: /^Hapus latar.*5 kredit/ }).tap()
  await expect(succeeded(page)).toBeVisible()
  expect(await accountOf(server, email)).toMatchObject({ credits: 497, items: [{ status: 'succeeded' }] })
})

/** Opens an address on another device. */
async function openElsewhere(browser: Browser, address: string): Promise<void> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(address)
  await expect(page.getByText('Email kamu sudah terverifikasi.')).toBeVisible()
  await context.close()
}

test('the tab that registered continues when the link is opened on another device', { tag: '@soak' }, async ({
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

test('the link opened in another tab of the same browser runs the photo once, in one of them', {
  tag: '@soak',
}, async ({ page, server }) => {
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
