import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, type Page } from '@playwright/test'
import sharp from 'sharp'
import type { GenerationView } from '#features/generations/schemas.ts'
import { api, createAccount, navigateInApp, signInByApi } from './support/account.ts'
import { test } from './support/app.ts'
import { generate } from './support/generate.ts'
import { badNetwork } from './support/proxy.ts'
import type { RunningServer } from './support/server.ts'
import { adjustCredits } from './support/staff.ts'
import { violations } from './support/violations.ts'

const portrait = join(import.meta.dirname, 'fixtures', 'portrait.jpg')

let server: RunningServer
let token: string

test.beforeAll(async ({ server: running }) => {
  server = running
  const { email } = await createAccount(server, 'Sari')
  token = await signInByApi(server, email)
  await adjustCredits(server, token, 100)
  const small = await sharp(await readFile(portrait))
    .resize(128)
    .jpeg()
    .toBuffer()
  const grey = await sharp({ create: { width: 64, height: 64, channels: 3, background: '#8a8a8a' } })
    .png()
    .toBuffer()
  // The quickest tool that takes one photo.
  for (let count = 0; count < 20; count++) await generate(server, token, small, { tool: 'enhancement' })
  await generate(server, token, small)
  await generate(server, token, grey, { name: 'polos.png' })
  await expect
    .poll(async () => (await list('?limit=50')).filter(({ finishedAt }) => finishedAt !== null).length, {
      timeout: 180_000,
    })
    .toBe(22)
})

const list = async (query = '') =>
  (await api<{ items: GenerationView[] }>(server, `/api/generations${query}`, { token })).items

async function enter(page: Page): Promise<void> {
  await page.addInitScript((held) => localStorage.setItem('authToken', held), token)
}
const tiles = (page: Page) => page.getByRole('list', { name: 'Hasil' }).getByRole('listitem')

/** As shown in the header. */
async function balanceOn(page: Page): Promise<number> {
  const link = page.locator('.app-header').getByRole('link', { name: /^Saldo: \d+ kredit/ })
  return Number(/\d+/.exec((await link.getAttribute('aria-label')) ?? '')?.[0])
}

test('the history shows a page, more on demand, and its filter lives in the address', async ({ page }) => {
  await enter(page)
  await page.goto(`${server.origin}/history`)
  await expect(tiles(page)).toHaveCount(20)
  await page.getByRole('button', { name: 'Tampilkan lebih banyak' }).tap()
  await expect(tiles(page)).toHaveCount(22)
  await expect(page.getByRole('button', { name: 'Tampilkan lebih banyak' })).toBeHidden()

  await page.getByRole('button', { name: 'Gagal', exact: true }).tap()
  await expect(tiles(page)).toHaveCount(1)
  await expect(tiles(page)).toContainText('Kredit kembali')
  expect(await violations(page)).toEqual([])
  await expect(page).toHaveURL(`${server.origin}/history?status=failed`)
  await page.reload()
  await expect(tiles(page)).toHaveCount(1)

  await tiles(page).getByRole('button').tap()
  await expect(page.getByText('5 kredit sudah kembali ke saldomu.')).toBeVisible()
  await page.goBack()
  await expect(tiles(page)).toHaveCount(1)
  await page.getByRole('button', { name: 'Dibatalkan', exact: true }).tap()
  await expect(page.getByText('Tidak ada yang cocok')).toBeVisible()
  await page.getByRole('button', { name: 'Tampilkan semua' }).tap()
  await expect(tiles(page).first()).toBeVisible()
  await page.getByRole('combobox', { name: 'Saring menurut alat' }).selectOption({ label: 'Hapus Latar' })
  await expect(page).toHaveURL(`${server.origin}/history?tool=background-removal`)
})

test('the filter lists only tools that are offered and have results', async ({ page }) => {
  await enter(page)
  await page.goto(`${server.origin}/history`)
  const options = page.getByRole('combobox', { name: 'Saring menurut alat' }).getByRole('option')
  await expect(options.filter({ hasText: 'Hapus Latar' }).first()).toBeAttached()
  await expect(options).toHaveCount(13)
  await expect(options.filter({ hasText: 'Draf Instan AI' })).toHaveCount(0)
})

test('a generation that ends elsewhere is announced with its name, also over another photo of its tool', async ({
  page,
}) => {
  const { email } = await createAccount(server, 'Wati')
  const hers = await signInByApi(server, email)
  await page.addInitScript((held) => localStorage.setItem('authToken', held), hers)
  const picture = await readFile(portrait)
  const message = page.locator('.toast')
  await page.goto(`${server.origin}/ai-enhancement`)
  await generate(server, hers, picture)
  await expect(message).toHaveText('Hapus Latar: Gambar berhasil dibuat')
  await navigateInApp(page, '/ai-background-removal')
  await expect(message).toHaveText('')
  await generate(server, hers, picture)
  await expect(message).toHaveText('Hasil lain: Gambar berhasil dibuat')
})

test('a further page loads, although events arrive and refetch the list', async ({ page }) => {
  const [events, further] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await page.route('**/api/events*', (route) => events.promise.then(() => route.continue()))
  await page.route(/\/api\/generations\?.*cursor=/, (route) => further.promise.then(() => route.continue()))
  await enter(page)
  await page.goto(`${server.origin}/history`)
  await expect(tiles(page)).toHaveCount(20)
  await page.getByRole('button', { name: 'Tampilkan lebih banyak' }).tap()
  const before = await balanceOn(page)
  await adjustCredits(server, token, 1)
  events.resolve()
  // The first event carries the new balance.
  await expect.poll(() => balanceOn(page)).toBe(before + 1)
  further.resolve()
  await expect(tiles(page)).toHaveCount(22)
})

test('a running generation shows its progress and turns into a result by itself', async ({ page }) => {
  await enter(page)
  await page.goto(`${server.origin}/history`)
  await expect(tiles(page)).toHaveCount(20)
  const made = await generate(server, token, await readFile(portrait))
  await expect(
    tiles(page)
      .first()
      .getByRole('button', { name: /^(Antre|Diproses), / }),
  ).toBeVisible()
  await expect(
    tiles(page)
      .first()
      .getByRole('button', { name: /^Selesai, / }),
  ).toBeVisible()
  await tiles(page).first().getByRole('button').tap()
  await expect(page).toHaveURL(new RegExp(`id=${made.id}`))
  await page.getByRole('button', { name: 'Pilihan lain' }).tap()
  await expect(page.getByText('512 × 600')).toBeVisible()
  await page.getByRole('button', { name: 'Hapus hasil ini' }).tap()
  await page.getByRole('button', { name: 'Jangan hapus' }).tap()
  await page.getByRole('button', { name: 'Riwayat' }).tap()
  await expect(tiles(page).first()).toBeVisible()
})

test('generations made after the list was cached appear when it is opened again', async ({ page }) => {
  await enter(page)
  await page.goto(`${server.origin}/history`)
  await expect(tiles(page)).toHaveCount(20)
  await page.goto(`${server.origin}/ai-background-removal`)
  const small = sharp(await readFile(portrait)).resize(128)
  const made = await generate(server, token, await small.jpeg().toBuffer())
  await expect.poll(async () => (await list())[0]?.status).toBe('succeeded')
  await page.getByRole('link', { name: 'Riwayat' }).tap()
  const thumbnail = new URL((await list())[0]?.thumbnailUrl ?? '', server.origin).pathname
  await expect(tiles(page).first().locator('img')).toHaveAttribute('src', new RegExp(thumbnail))
  await tiles(page).first().getByRole('button').tap()
  await expect(page).toHaveURL(new RegExp(`id=${made.id}`))
})

test('a bad result is refunded once, and marked as refunded from then on', async ({ page }) => {
  await enter(page)
  const [result] = await list('?status=succeeded&limit=1')
  await page.goto(`${server.origin}/history`)
  const before = await balanceOn(page)
  await page.goto(`${server.origin}/history?id=${result?.id}`)
  await page.getByRole('button', { name: 'Pilihan lain' }).tap()
  await page.getByRole('button', { name: 'Hasilnya kurang bagus?' }).tap()
  const sheet = page.getByRole('dialog')
  const send = sheet.getByRole('button', { name: 'Minta kredit kembali' })
  await send.tap()
  await expect(sheet.getByText('Pilih alasannya dulu, ya.')).toBeVisible()
  await sheet.getByRole('radio', { name: 'Lainnya' }).check()
  await send.tap()
  await expect(sheet.getByText('Ceritakan apa yang kurang, ya.')).toBeVisible()
  await expect(sheet.getByText('hasilnya dihapus: tidak bisa diunduh atau diubah lagi')).toBeVisible()
  await sheet.getByRole('textbox').fill('Warnanya jadi lain')
  await send.tap()
  await expect(page.getByText('5 kredit sudah kembali ke saldomu. Hasilnya sudah dihapus.')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Unduh/ })).toHaveCount(0)
  await page.getByRole('button', { name: 'Pilihan lain' }).tap()
  await expect(page.getByText('5 kredit · sudah kembali')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Hasilnya kurang bagus?' })).toBeHidden()
  await page.goto(`${server.origin}/history`)
  await expect.poll(() => balanceOn(page)).toBe(before + 5)
})

test('a visitor is asked to sign in and comes back', async ({ page }) => {
  await page.goto(`${server.origin}/history`)
  await expect(page.getByRole('heading', { name: 'Masuk untuk melihat hasilmu' })).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Masuk' }).tap()
  await expect(page).toHaveURL(`${server.origin}/login`)
})

test.describe('with the service worker', () => {
  test.use({ serviceWorkers: 'allow' })

  test('with the server gone the history opens from this device and shows its age', async ({ page }) => {
    const network = await badNetwork(server.port)
    await enter(page)
    await page.goto(`${network.origin}/history`)
    await expect(tiles(page)).toHaveCount(20)
    await page.evaluate(async () => void (await navigator.serviceWorker.ready))
    await page.reload()
    await expect(tiles(page)).toHaveCount(20)
    await expect(page.locator('.history-grid img').first()).toBeVisible()
    await network.disconnect()
    await page.reload()
    await expect(page.getByText(/Kamu sedang offline\. Daftar ini diperbarui/)).toBeVisible()
    await expect(tiles(page)).toHaveCount(20)
  })
})
