import { readFile } from 'node:fs/promises'
import { expect, type Locator, type Page } from '@playwright/test'
import sharp from 'sharp'
import { encode } from 'uqr'
import type { OrderView } from '#features/billing/schemas.ts'
import { api, createAccount, signInByApi } from './support/account.ts'
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
  await give({ code: 'POTONG', kind: 'amount_off', value: 15_000 })
  await give({ code: 'GRATIS50', kind: 'free_credits', value: 50 })
  await give({ code: 'SEMUA', kind: 'percent_off', value: 100 })
  await give({ code: 'HARIAN', kind: 'free_credits', value: 3, days: 2, limitPerUser: null })
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
  await page.goto(`${server.origin}/checkout?package=${name}`)
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

async function openVoucher(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Punya kode voucher?' }).tap()
}

async function applyVoucher(page: Page, code: string): Promise<void> {
  if (!(await page.getByLabel('Kode voucher').isVisible())) await openVoucher(page)
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

test('every package is chosen, paid and credited: by wallet, bank and QRIS, with the balance updated without a reload', async ({
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
  await page.getByRole('button', { name: /Unduh kuitansi/ }).tap()
  expect((await download).suggestedFilename()).toMatch(/^R-\d{6}\.pdf$/)
  await expect(balance(page)).toHaveAccessibleName('Saldo: 524 kredit')

  await order(page, 'basic', /BCA/)
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
    { status: 2, totalIdr: 412_500, method: 'bca' },
    { status: 2, totalIdr: 165_000, method: 'gopay' },
  ])
  await page.goto(`${server.origin}/billing`)
  const placed = page.getByRole('region', { name: 'Pesanan' }).getByRole('listitem')
  await expect(placed).toHaveText([/PREMIUM.*Lunas/, /BASIC.*Lunas/, /STARTER.*Lunas/])
  const entries = page.getByRole('region', { name: 'Riwayat kredit' }).getByRole('listitem')
  await expect(entries).toHaveText([/PREMIUM/, /\+1\.499/, /\+499/, /\+25/])
  await shoot(page, 'billing')
})

test('a voucher is shown as invalid, could not be checked, is applied and taken off; each kind is redeemed', async ({
  page,
}) => {
  const { orders } = await enter(page)
  await page.goto(`${server.origin}/checkout?package=starter`)
  const code = page.getByLabel('Kode voucher')
  const apply = page.getByRole('button', { name: 'Pakai', exact: true })
  await openVoucher(page)
  await code.fill('TIDAKADA')
  await apply.tap()
  await expect(page.getByText('Voucher tidak valid')).toBeVisible()
  await page.route('**/api/vouchers/verify', (route) => route.abort())
  await code.fill('hemat20')
  await apply.tap()
  await expect(page.getByText('Gagal memeriksa voucher. Silakan coba lagi.')).toBeVisible()
  await page.unroute('**/api/vouchers/verify')
  await apply.tap()
  await expect(page.getByText('Voucher HEMAT20 dipakai')).toBeVisible()
  await expect(page.getByTestId('total')).toHaveText(/Rp\s*132\.000/)
  await page.getByRole('radio', { name: /BASIC/ }).check()
  await expect(page.getByTestId('total')).toHaveText(/Rp\s*330\.000/)
  await shoot(page, 'voucher')
  await page.getByRole('radio', { name: /Voucher saja/ }).check()
  await expect(page.getByText('Voucher ini hanya berlaku bersama paket.')).toBeVisible()
  await page.getByRole('radio', { name: /BASIC/ }).check()
  await page.getByRole('button', { name: 'Lepas' }).tap()
  await expect(page.getByTestId('total')).toHaveText(/Rp\s*412\.500/)

  const paid = [
    { voucher: 'HEMAT20', total: 330_000, method: /DANA/, sum: /1\.524/ },
    { voucher: 'POTONG', total: 397_500, method: /OVO/, sum: /3\.023/ },
  ]
  for (const { voucher, total, method, sum } of paid) {
    await page.goto(`${server.origin}/checkout?package=basic`)
    await applyVoucher(page, voucher)
    await submit(page, method)
    const [placed] = await orders()
    expect(placed).toMatchObject({ totalIdr: total, voucher: { code: voucher } })
    await elsewhere(placed, 'pay')
    await expect(page.getByText('1.499 kredit sudah masuk')).toBeVisible()
    await expect(balance(page)).toHaveAccessibleName(sum)
  }

  // An order of 0 succeeds at once: free credits without a package, and a full discount.
  for (const [name, voucher, gain, title] of [
    ['Voucher saja', 'GRATIS50', '50 kredit sudah masuk', 'Voucher berhasil dipakai'],
    ['PREMIUM', 'SEMUA', 'Sekarang kamu bisa berkarya tanpa batas.', 'Pembayaran berhasil'],
  ] as const) {
    await page.goto(`${server.origin}/checkout`)
    await page.getByRole('radio', { name: new RegExp(name) }).check()
    // A package's price and expiry do not apply to a voucher's credits.
    await expect(page.getByText('Dibayar hari ini')).toHaveCount(name === 'PREMIUM' ? 1 : 0)
    await applyVoucher(page, voucher)
    await expect(page.locator('input[name="method"]')).toHaveCount(0)
    await accept(page)
    await page.getByRole('button', { name: 'Ambil sekarang' }).tap()
    await page.waitForURL(/\/payment-success\?order=/)
    await expect(page.getByText(gain)).toBeVisible()
    await expect(heading(page)).toHaveText(title)
  }
  await page.goto(`${server.origin}/checkout?package=starter`)
  await openVoucher(page)
  await code.fill('HEMAT20')
  await apply.tap()
  await expect(page.getByText('Voucher tidak valid')).toBeVisible()
})

test('a lost response does not buy twice: the next press continues the same order', async ({ page }) => {
  const { orders } = await enter(page)
  await page.goto(`${server.origin}/checkout?package=starter`)
  await page.getByRole('radio', { name: /QRIS/ }).check()
  await accept(page)
  await page.route('**/api/orders', async (route) => {
    await route.fetch()
    await route.abort()
  })
  await page.getByRole('button', { name: 'Lanjut ke pembayaran' }).tap()
  await expect(page.getByText('Gagal membuat transaksi. Silakan coba lagi.')).toBeVisible()
  await page.unroute('**/api/orders')
  await page.getByRole('button', { name: 'Lanjut ke pembayaran' }).tap()
  await page.waitForURL(/\/checkout\?order=/)
  expect(await orders()).toHaveLength(1)
})

test('a failed payment is shown with a contact for help, and is paid again by another method', async ({ page }) => {
  const { orders } = await enter(page)
  await order(page, 'starter', /DANA/)
  await atTheGateway(page, 'fail')
  await expect(heading(page)).toHaveText('Pembayaran Gagal!')
  await expect(page.getByText('hubungi tim kami untuk bantuan bantuan@contoh.test')).toBeVisible()
  await shoot(page, 'failed')
  await page.getByRole('button', { name: 'Bayar lagi' }).tap()
  await page.waitForURL(/\/checkout\?order=/)
  await expect(page.getByRole('link', { name: 'Bayar sekarang' })).toBeVisible()
  await page.getByRole('button', { name: 'Ganti metode pembayaran' }).tap()
  const methods = page.getByRole('dialog')
  await expect(methods.getByRole('radio', { name: /DANA/ })).toBeChecked()
  await chooseMethod(methods, /Mandiri/)
  await shoot(page, 'methods')
  await methods.getByRole('button', { name: 'Bayar dengan metode ini' }).tap()
  await expect(page.getByText('Nomor virtual account', { exact: true })).toBeVisible()
  await atTheGateway(page, 'pay')
  await expect(page.getByText('499 kredit sudah masuk')).toBeVisible()
  expect(await orders()).toMatchObject([{ status: 2, method: 'mandiri' }])
})

test('an order that ran out of time is paid late, and the address decides nothing', async ({ page }) => {
  const { orders } = await enter(page)
  await order(page, 'starter', /LinkAja/)
  const [placed] = await orders()
  await page.goto(`${server.origin}/payment-success?order=${placed?.id}`)
  await expect(heading(page)).toHaveText('Menunggu pembayaran')
  await page.goto(`${server.origin}/checkout?order=${placed?.id}`)
  await atTheGateway(page, 'expire')
  await expect(heading(page)).toHaveText('Pembayaran Gagal!')
  await elsewhere(placed, 'pay_late')
  await expect(balance(page)).toHaveAccessibleName('Saldo: 524 kredit')
  await expect(heading(page)).toHaveText('Pembayaran berhasil')
})

test('an order is cancelled after a question; orders and credits are listed page by page, and what ends soon is announced', async ({
  page,
}) => {
  const { token } = await enter(page)
  for (let count = 0; count < 11; count++) {
    const { status } = await fetch(`${server.origin}/api/orders`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        'idempotency-key': crypto.randomUUID(),
      },
      body: JSON.stringify({ voucherCode: 'HARIAN', acceptPrivacy: true, acceptTerms: true }),
    })
    expect(status).toBe(201)
  }
  await order(page, 'starter', /Mandiri/)
  await page.getByRole('button', { name: 'Batalkan pesanan' }).tap()
  await page.getByRole('button', { name: 'Jangan batalkan' }).tap()
  await expect(page.getByText('Belum Bayar').first()).toBeVisible()
  await page.getByRole('button', { name: 'Batalkan pesanan' }).tap()
  await page.getByRole('button', { name: 'Ya, batalkan' }).tap()
  await expect(page.getByText('Pesanan ini dibatalkan.')).toBeVisible()

  await page.goto(`${server.origin}/billing`)
  await expect(page.getByText(/33 kredit segera berakhir/)).toBeVisible()
  for (const [name, all] of [
    ['Pesanan', 12],
    ['Riwayat kredit', 12],
  ] as const) {
    const list = page.getByRole('region', { name })
    await expect(list.getByRole('listitem')).toHaveCount(10)
    await list.getByRole('button', { name: 'Tampilkan lebih banyak' }).tap()
    await expect(list.getByRole('listitem')).toHaveCount(all)
    await expect(list.getByRole('button', { name: 'Tampilkan lebih banyak' })).toBeHidden()
  }
  await expect(page.getByRole('region', { name: 'Pesanan' }).getByRole('listitem').first()).toContainText('Batal')
  await shoot(page, 'billing-long')
})

test('a transfer is proved with a picture, looked at by an admin, and taken or turned down', async ({ page }) => {
  const { orders } = await enter(page)
  const proof = await sharp({ create: { width: 90, height: 160, channels: 3, background: '#e8f0ff' } })
    .png()
    .toBuffer()
  const chooser = page.getByLabel('Kirim bukti transfer')
  const decide = (id: string | undefined, decision: string, reason: string) =>
    api(server, `/api/admin/orders/${id}/${decision}`, { token: staff, json: { reason } })

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
