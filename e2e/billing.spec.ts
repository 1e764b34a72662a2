import AxeBuilder from '@axe-core/playwright'
import { expect, type Page, test } from '@playwright/test'
import type { OrderView } from '#features/billing/contract.ts'
import { api, createAccount, password, signInByApi } from './support/account.ts'
import { type RealServer, realServer } from './support/server.ts'

const shots = process.env.SCREENSHOTS
const adminEmail = 'admin@contoh.test'

let server: RealServer
let token: string

test.describe.configure({ mode: 'serial' })

test.beforeAll(async () => {
  test.setTimeout(240_000)
  server = await realServer({
    env: { WELCOME_CREDITS: '20', PAYMENTS: 'simulator', ADMIN_EMAIL: adminEmail, ADMIN_PASSWORD: password },
  })
  await server.start()
  const admin = await signInByApi(server, adminEmail)
  const give = (json: object) => api(server, '/api/admin/vouchers', { token: admin, json })
  await give({ code: 'HEMAT20', kind: 'percent_off', value: 20 })
  await give({ code: 'POTONG', kind: 'amount_off', value: 15_000 })
  await give({ code: 'GRATIS50', kind: 'free_credits', value: 50, limitPerUser: 1 })
  await give({ code: 'SEMUA', kind: 'percent_off', value: 100 })
})
test.afterAll(() => server.dispose())

/** Somebody new, signed in on this page. */
async function enter(page: Page): Promise<void> {
  token = await signInByApi(server, (await createAccount(server, 'Sari')).email)
  await page.addInitScript((held) => localStorage.setItem('authToken', held), token)
}

const orders = async () => (await api<{ items: OrderView[] }>(server, '/api/orders', { token })).items
const balance = (page: Page) => page.locator('.app-header').getByRole('link', { name: /^Saldo/ })

async function shoot(page: Page, name: string): Promise<void> {
  if (shots) await page.screenshot({ path: `${shots}/${name}.png`, fullPage: true })
}

async function accept(page: Page): Promise<void> {
  await page.getByRole('checkbox', { name: /Kebijakan Privasi/ }).check()
  await page.getByRole('checkbox', { name: /Syarat dan Ketentuan/ }).check()
}

/** Chooses and orders; the page of the order is open then. */
async function order(page: Page, name: string, method: RegExp): Promise<void> {
  await page.goto(`${server.origin}/checkout?package=${name}`)
  await page.getByRole('radio', { name: method }).check()
  await accept(page)
  await page.getByRole('button', { name: 'Lanjut ke pembayaran' }).tap()
  await page.waitForURL(/\/checkout\?order=/)
}

/** What happens at the simulated bank or wallet. */
async function atTheGateway(page: Page, action: string): Promise<void> {
  await page.getByRole('link', { name: 'Bayar sekarang' }).tap()
  await page.waitForURL(/\/api\/simulator\//)
  await page.locator(`form[action$="/${action}"] button`).tap()
  await page.waitForURL(/\/payment-(success|failed)\?order=/)
}

test('a package is chosen on the price list, paid in a wallet, and shows in balance, orders and history', async ({
  page,
}) => {
  await enter(page)
  await page.goto(`${server.origin}/pricing`)
  await expect(page.getByText(/Rp\s*165\.000/)).toBeVisible()
  await page.getByRole('link', { name: 'Pilih STARTER' }).tap()
  await expect(page.getByRole('radio', { name: /STARTER/ })).toBeChecked()
  await expect(page.getByTestId('total')).toHaveText(/Rp\s*165\.000/)
  await page.getByRole('button', { name: 'Lanjut ke pembayaran' }).tap()
  await expect(page.getByText('Pilih metode pembayaran.')).toBeVisible()
  await expect(page.getByText('Setujui Kebijakan Privasi dulu, ya.')).toBeVisible()
  await expect(page.getByText('Setujui Syarat dan Ketentuan dulu, ya.')).toBeVisible()
  expect(await orders()).toEqual([])
  await expect(page.locator('input[name="method"]')).toHaveCount(12)
  await page.getByRole('radio', { name: /GoPay/ }).check()
  await accept(page)
  await shoot(page, 'checkout')
  await page.getByRole('button', { name: 'Lanjut ke pembayaran' }).tap()
  await expect(page.getByText(/Bayar sebelum .* WIB/)).toBeVisible()
  await shoot(page, 'order-wallet')
  await atTheGateway(page, 'pay_twice')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Pembayaran berhasil')
  await expect(page.getByText('499 kredit sudah masuk')).toBeVisible()
  await shoot(page, 'success')
  expect(await orders()).toMatchObject([{ status: 2, totalIdr: 165_000, method: 'gopay' }])
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: /Unduh kuitansi/ }).tap()
  expect((await download).suggestedFilename()).toMatch(/^R-\d{6}\.pdf$/)
  await expect(balance(page)).toHaveAccessibleName('Saldo: 519 kredit')
  await page.getByRole('link', { name: 'Kembali ke beranda' }).tap()
  await expect(page).toHaveURL(`${server.origin}/`)

  await page.goto(`${server.origin}/billing`)
  const placed = page.getByRole('region', { name: 'Pesanan' }).getByRole('listitem')
  await expect(placed).toHaveCount(1)
  await expect(placed).toContainText('Lunas')
  const entries = page.getByRole('region', { name: 'Riwayat kredit' }).getByRole('listitem')
  await expect(entries).toHaveCount(2)
  await expect(entries.first()).toContainText('+499')
  await shoot(page, 'billing')
})

test('a payment made elsewhere turns the open order into a success, and the balance follows without a reload', async ({
  page,
}) => {
  await enter(page)
  await order(page, 'basic', /BCA/)
  await expect(page.getByText('Nomor virtual account')).toBeVisible()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.getByRole('button', { name: 'Salin Nomor virtual account' }).tap()
  const [{ payment } = {}] = await orders()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(payment?.vaNumber)
  await shoot(page, 'order-bank')
  await page.evaluate(() => Object.assign(window, { stillHere: true }))
  await api(server, `${new URL(payment?.url as string).pathname}/pay`, { json: {} })
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Pembayaran berhasil')
  await expect(balance(page)).toHaveAccessibleName(/Saldo: 1\.519 kredit/)
  expect(await page.evaluate(() => 'stillHere' in window)).toBe(true)
})

test('a voucher is applied, told to be invalid, could not be checked, and is taken off again', async ({ page }) => {
  await enter(page)
  await page.goto(`${server.origin}/checkout?package=starter`)
  const code = page.getByLabel('Kode voucher')
  const apply = page.getByRole('button', { name: 'Pakai', exact: true })
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
  await page.getByRole('button', { name: 'Lepas' }).tap()
  await expect(page.getByTestId('total')).toHaveText(/Rp\s*412\.500/)
  await code.fill('potong')
  await apply.tap()
  await expect(page.getByTestId('total')).toHaveText(/Rp\s*397\.500/)
})

test('nothing to pay goes straight to success: a full discount, and free credits without a package', async ({
  page,
}) => {
  await enter(page)
  for (const [name, code, gain] of [
    ['PREMIUM', 'SEMUA', 'Sekarang kamu bisa berkarya tanpa batas.'],
    ['Voucher saja', 'GRATIS50', '50 kredit sudah masuk'],
  ] as const) {
    await page.goto(`${server.origin}/checkout`)
    await page.getByRole('radio', { name: new RegExp(name) }).check()
    await page.getByLabel('Kode voucher').fill(code)
    await page.getByRole('button', { name: 'Pakai', exact: true }).tap()
    await expect(page.getByText(`Voucher ${code} dipakai`)).toBeVisible()
    await expect(page.locator('input[name="method"]')).toHaveCount(0)
    await accept(page)
    await page.getByRole('button', { name: 'Ambil sekarang' }).tap()
    await page.waitForURL(/\/payment-success\?order=/)
    await expect(page.getByText(gain)).toBeVisible()
  }
})

test('an answer that is lost does not buy twice: the next press is the same order', async ({ page }) => {
  await enter(page)
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

test('a payment that fails says so in the specification’s words, and can be paid again', async ({ page }) => {
  await enter(page)
  await order(page, 'starter', /DANA/)
  await atTheGateway(page, 'fail')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Pembayaran Gagal!')
  await expect(page.getByText(/hubungi tim kami untuk bantuan support@/)).toBeVisible()
  await shoot(page, 'failed')
  await page.getByRole('button', { name: 'Bayar lagi' }).tap()
  await page.waitForURL(/\/checkout\?order=/)
  await atTheGateway(page, 'pay')
  await expect(page.getByText('499 kredit sudah masuk')).toBeVisible()
  expect(await orders()).toHaveLength(1)
})

test('an order that ran out of time can be paid late, and the address decides nothing', async ({ page }) => {
  await enter(page)
  await order(page, 'starter', /LinkAja/)
  const [placed] = await orders()
  await page.goto(`${server.origin}/payment-success?order=${placed?.id}`)
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Menunggu pembayaran')
  await page.goto(`${server.origin}/checkout?order=${placed?.id}`)
  await atTheGateway(page, 'expire')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Pembayaran Gagal!')
  await api(server, `${new URL(placed?.payment?.url as string).pathname}/pay_late`, { json: {} })
  await page.reload()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Pembayaran berhasil')
})

test('an order is cancelled after a question, and its place in the list says so', async ({ page }) => {
  await enter(page)
  await order(page, 'starter', /Mandiri/)
  await page.getByRole('button', { name: 'Batalkan pesanan' }).tap()
  await page.getByRole('button', { name: 'Jangan batalkan' }).tap()
  await expect(page.getByText('Belum Bayar').first()).toBeVisible()
  await page.getByRole('button', { name: 'Batalkan pesanan' }).tap()
  await page.getByRole('button', { name: 'Ya, batalkan' }).tap()
  await expect(page.getByText('Pesanan ini dibatalkan.')).toBeVisible()
  await page.goto(`${server.origin}/billing`)
  await expect(page.getByRole('region', { name: 'Pesanan' }).getByRole('listitem')).toContainText('Batal')
})

for (const [theme, language] of [
  ['light', 'id'],
  ['dark', 'en'],
] as const) {
  test(`the screens have no accessibility problem and large targets (${theme}, ${language})`, async ({ page }) => {
    await enter(page)
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await order(page, 'starter', /BNI/)
    const [placed] = await orders()
    await page.evaluate(
      ([mode, chosen]) => {
        localStorage.setItem('themeMode', mode)
        localStorage.setItem('language', chosen)
      },
      [theme, language] as const,
    )
    for (const path of [
      '/pricing',
      '/checkout',
      `/checkout?order=${placed?.id}`,
      `/payment-success?order=${placed?.id}`,
      `/payment-failed?order=${placed?.id}`,
      '/billing',
    ]) {
      await page.goto(server.origin + path)
      await expect(page.locator('h1').first()).toBeVisible()
      await expect(page.locator('main .skeleton')).toHaveCount(0)
      const { violations } = await new AxeBuilder({ page }).analyze()
      expect(violations.map(({ id, nodes }) => `${path}: ${id}: ${nodes[0]?.target}`)).toEqual([])
      const faults = await page.evaluate(() => ({
        overflow: document.documentElement.scrollWidth > window.innerWidth,
        small: [
          ...document.querySelectorAll('main button, main summary, main a.btn, main label:has(input[type=radio])'),
        ]
          .map((element) => ({ text: element.textContent, height: element.getBoundingClientRect().height }))
          .filter(({ height }) => height > 0 && height < 44),
      }))
      expect(faults, path).toEqual({ overflow: false, small: [] })
      await shoot(page, `${theme}-${path.split('?')[0]?.slice(1)}${path.includes('checkout?') ? '-order' : ''}`)
    }
  })
}
