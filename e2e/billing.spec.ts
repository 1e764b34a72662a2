import { readFile } from 'node:fs/promises'
import { expect, type Locator, type Page } from '@playwright/test'
import sharp from 'sharp'
import { encode } from 'uqr'
import type { OrderView } from '#features/billing/schemas.ts'
import { api, createAccount, navigateInApp, signInByApi } from './support/account.ts'
import { test } from './support/app.ts'
import { admin } from './support/app-server.ts'
import type { RunningServer } from './support/server.ts'

const shots = process.env.SCREENSHOTS

let server: RunningServer
let staff: string

test.beforeAll(async ({ server: running }) => {
  server = running
  const json = { ...admin, remember: true }
  staff = (await api<{ access_token: string }>(server, '/api/login', { json })).access_token
  await give({ code: 'HEMAT20', kind: 'percent_off', value: 20 })
})

/** Another worker may have created the voucher. */
async function give(voucher: object): Promise<void> {
  const response = await fetch(`${server.origin}/api/admin/vouchers`, {
    method: 'POST',
    headers: { authorization: `Bearer ${staff}`, 'content-type': 'application/json' },
    body: JSON.stringify(voucher),
  })
  if (response.status !== 201) expect(await response.text()).toContain('voucher.codeTaken')
}

/** A new user, signed in on this page; every test has its own. */
async function enter(page: Page) {
  const token = await signInByApi(server, (await createAccount(server, 'Sari')).email)
  await page.addInitScript((held) => localStorage.setItem('authToken', held), token)
  const orders = async () => (await api<{ items: OrderView[] }>(server, '/api/orders', { token })).items
  return { token, orders }
}

const balance = (page: Page) => page.locator('.app-header').getByRole('link', { name: /^Saldo/ })
const heading = (page: Page) => page.getByRole('heading', { level: 1 })

async function shoot(page: Page, name: string): Promise<void> {
  if (shots) await page.screenshot({ path: `${shots}/${name}.png`, fullPage: true })
}

async function accept(page: Page): Promise<void> {
  await page.getByRole('checkbox', { name: /Kebijakan Privasi/ }).check()
  await page.getByRole('checkbox', { name: /Syarat Layanan/ }).check()
}

/** Unlikely methods are behind "Metode lain". */
async function chooseMethod(page: Page | Locator, method: RegExp): Promise<void> {
  const row = page.getByRole('radio', { name: method })
  const others = page.getByRole('button', { name: 'Metode lain' })
  await expect(row.or(others).first()).toBeVisible()
  if (!(await row.isVisible())) await others.tap()
  await row.check()
  const number = page.getByLabel(/^Nomor HP/)
  if (await number.isVisible()) await number.fill('0812 3456 7890')
}

async function submit(page: Page, method: RegExp): Promise<void> {
  await chooseMethod(page, method)
  await accept(page)
  await page.getByRole('button', { name: 'Lanjut ke pembayaran' }).tap()
  await page.waitForURL(/\/checkout\?order=/)
  await expect(page.locator('#main')).toBeFocused()
}

async function order(page: Page, name: string, method: RegExp): Promise<void> {
  await navigateInApp(page, `/checkout?package=${name}`)
  await submit(page, method)
}

async function atTheGateway(page: Page, action: string): Promise<void> {
  await page.getByRole('link', { name: 'Bayar sekarang' }).tap()
  await page.waitForURL(/\/api\/simulator\//)
  await page.locator(`form[action$="/${action}"] button`).tap()
  await page.waitForURL(/\/payment-(success|failed)\?order=/)
}

async function elsewhere(placed: OrderView | undefined, action: string): Promise<void> {
  await api(server, `${new URL(placed?.payment?.url as string).pathname}/${action}`, { json: {} })
}

async function applyVoucher(page: Page, code: string): Promise<void> {
  await page.getByRole('button', { name: 'Punya kode voucher?' }).tap()
  await page.getByLabel('Kode voucher').fill(code)
  await page.getByRole('button', { name: 'Pakai', exact: true }).tap()
  await expect(page.getByText(`Voucher ${code} dipakai`)).toBeVisible()
}

/** Reads the saved code's modules at their centres. */
async function readModules(path: string, across: number): Promise<boolean[][]> {
  const { data, info } = await sharp(await readFile(path))
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true })
  const quiet = 4
  const side = info.width / (across + 2 * quiet)
  const dark = (x: number, y: number) =>
    (data[Math.floor((y + quiet + 0.5) * side) * info.width + Math.floor((x + quiet + 0.5) * side)] as number) < 128
  return Array.from({ length: across }, (_, y) => Array.from({ length: across }, (_, x) => dark(x, y)))
}

test('every package is chosen, paid and credited: by wallet, bank with a voucher, and QRIS, with the balance updated without a reload', async ({
  page,
}) => {
  const { orders } = await enter(page)
  await page.goto(`${server.origin}/pricing`)
  await expect(page.getByText(/Rp\s*165\.000/)).toBeVisible()
  await page.getByRole('link', { name: 'Pilih STARTER' }).tap()
  await expect(page.getByRole('radio', { name: /STARTER/ })).toBeChecked()
  await expect(page.getByTestId('total')).toHaveText(/Rp\s*165\.000/)
  await page.getByRole('button', { name: 'Lanjut ke pembayaran' }).tap()
  await expect(page.getByText('Pilih metode pembayaran.')).toBeVisible()
  await expect(page.getByText('Setujui Kebijakan Privasi dulu, ya.')).toBeVisible()
  await expect(page.getByText('Setujui Syarat Layanan dulu, ya.')).toBeVisible()
  expect(await orders()).toEqual([])
  await expect(page.locator('input[name="method"]')).toHaveCount(4)
  await page.getByRole('button', { name: 'Metode lain' }).tap()
  await expect(page.locator('input[name="method"]')).toHaveCount(12)
  await submit(page, /GoPay/)
  await expect(page.getByText(/Bayar sebelum .* WIB/)).toBeVisible()
  await shoot(page, 'order-wallet')
  await atTheGateway(page, 'pay_twice')
  await expect(heading(page)).toHaveText('Pembayaran berhasil')
  await expect(page.getByText('499 kredit sudah masuk')).toBeVisible()
  await expect(page.getByText('Pesanan ini dibayar lebih dari sekali.')).toBeVisible()
  await shoot(page, 'success')
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: /Unduh invoice/ }).tap()
  expect((await download).suggestedFilename()).toMatch(/^INV-\d{4}-\d{6}\.pdf$/)
  await expect(balance(page)).toHaveAccessibleName('Saldo: 524 kredit')

  await navigateInApp(page, '/checkout?package=basic')
  await applyVoucher(page, 'HEMAT20')
  await submit(page, /BCA/)
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: 'Salin Nomor virtual account' }).tap()
  const [basic] = await orders()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(basic?.payment?.vaNumber)
  await shoot(page, 'order-bank')
  await page.evaluate(() => Object.assign(window, { stillHere: true }))
  await elsewhere(basic, 'pay')
  await expect(heading(page)).toHaveText('Pembayaran berhasil')
  await expect(balance(page)).toHaveAccessibleName('Saldo: 2.023 kredit')
  expect(await page.evaluate(() => 'stillHere' in window)).toBe(true)

  await order(page, 'premium', /QRIS/)
  await expect(page.getByRole('img', { name: /Kode QR untuk membayar Rp\s*825\.000/ })).toBeVisible()
  await shoot(page, 'order-qris')
  const [premium] = await orders()
  const saved = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Simpan QR' }).tap()
  expect((await saved).suggestedFilename()).toMatch(/^rupa-qris-\w{8}\.png$/)
  const { data } = encode(premium?.payment?.qrContent as string, { ecc: 'M', border: 0 })
  expect(await readModules(await (await saved).path(), data.length)).toEqual(data)
  await elsewhere(premium, 'pay')
  await expect(page.getByText('Sekarang kamu bisa berkarya tanpa batas.')).toBeVisible()
  await expect(balance(page)).toHaveAccessibleName('Saldo: kredit tanpa batas')
  await page.getByRole('link', { name: 'Kembali ke beranda' }).tap()
  await expect(page).toHaveURL(`${server.origin}/`)
  expect(await orders()).toMatchObject([
    { status: 2, totalIdr: 825_000, method: 'qris' },
    { status: 2, totalIdr: 330_000, method: 'bca', voucher: { code: 'HEMAT20' } },
    { status: 2, totalIdr: 165_000, method: 'gopay' },
  ])
  await navigateInApp(page, '/billing')
  const placed = page.getByRole('region', { name: 'Pesanan' }).getByRole('listitem')
  await expect(placed).toHaveText([/PREMIUM.*Lunas/, /BASIC.*Lunas/, /STARTER.*Lunas/])
  const entries = page.getByRole('region', { name: 'Riwayat kredit' }).getByRole('listitem')
  await expect(entries).toHaveText([/PREMIUM/, /\+1\.499/, /\+499/, /\+25/])
  await shoot(page, 'billing')
})

test('a transfer is proved with a picture, looked at by an admin, and taken or turned down', async ({ page }) => {
  const { orders } = await enter(page)
  const proof = await sharp({ create: { width: 90, height: 160, channels: 3, background: '#e8f0ff' } })
    .png()
    .toBuffer()
  const chooser = page.getByLabel('Kirim bukti transfer')
  const decide = (id: string | undefined, decision: string, reason: string) =>
    api(server, `/api/admin/orders/${id}/${decision}`, { token: staff, json: { reason } })

  await page.goto('/pricing')
  await order(page, 'starter', /BSI/)
  await expect(page.getByText('rekening BSI atas nama PT Rupa Contoh')).toBeVisible()
  await expect(page.getByText('7123 456 789', { exact: true })).toBeVisible()
  await chooser.setInputFiles({ name: 'bukti.png', mimeType: 'image/png', buffer: Buffer.from('bukan gambar') })
  await expect(page.getByText(/^Hanya berkas gambar/)).toBeVisible()
  await shoot(page, 'order-manual')
  await chooser.setInputFiles({ name: 'bukti.png', mimeType: 'image/png', buffer: proof })
  await expect(page.getByText('Bukti transfermu sudah kami terima.')).toBeVisible()
  await expect(page.getByText('Menunggu Konfirmasi').first()).toBeVisible()
  await expect(page.getByRole('button', { name: 'Batalkan pesanan' })).toBeHidden()
  await shoot(page, 'order-waiting')
  const [sent] = await orders()
  const opened = await fetch(`${server.origin}/api/admin/orders/${sent?.id}/proof`, {
    headers: { authorization: `Bearer ${staff}` },
  })
  expect(Buffer.from(await opened.arrayBuffer())).toEqual(proof)
  await decide(sent?.id, 'confirm', 'uang masuk')
  await expect(heading(page)).toHaveText('Pembayaran berhasil')
  await expect(balance(page)).toHaveAccessibleName('Saldo: 524 kredit')

  await order(page, 'starter', /BSI/)
  await expect(page.getByText('7123 456 789', { exact: true })).toBeVisible()
  await chooser.setInputFiles({ name: 'bukti.png', mimeType: 'image/png', buffer: proof })
  await expect(page.getByText('Bukti transfermu sudah kami terima.')).toBeVisible()
  await decide((await orders())[0]?.id, 'cancel', 'Uangnya belum sampai')
  await expect(page.getByText('Alasannya: Uangnya belum sampai')).toBeVisible()
  await shoot(page, 'order-refused')
  await expect(page.getByRole('button', { name: 'Bayar lagi' })).toBeVisible()
})
