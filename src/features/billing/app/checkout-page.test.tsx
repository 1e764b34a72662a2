import { expect, it } from 'vitest'
import { page } from 'vitest/browser'
import type { LedgerEntryView, OrderView, VoucherPreview } from '#features/billing/schemas.ts'
import { setText } from '#tests/support/components/layout.ts'
import { address, openApp } from '#tests/support/components/open-app.tsx'
import { balanceOf, inDays, orderOf, packages, paymentMethods, sari } from '#tests/support/components/samples.ts'
import { type ApiCall, refusal } from '#tests/support/components/stub-api.ts'

const button = (name: string | RegExp) => page.getByRole('button', { name })
const text = (content: string | RegExp) => expect.element(page.getByText(content).first())
const heading = page.getByRole('heading', { level: 1 })
const total = page.getByTestId('total')

async function accept(): Promise<void> {
  await page.getByRole('checkbox', { name: /Kebijakan Privasi/ }).click()
  await page.getByRole('checkbox', { name: /Syarat Layanan/ }).click()
}

const paid = (id: string, own: Partial<OrderView> = {}) =>
  orderOf(id, {
    status: 2,
    payment: null,
    canCancel: false,
    paidAt: inDays(0),
    expiresAt: null,
    receiptNumber: 'R-000001',
    history: [...orderOf(id).history, { from: 1, to: 2, by: 'gateway', reason: 'paid', at: inDays(0) }],
    ...own,
  })

const cancelled = (id: string, reason: string, own: Partial<OrderView> = {}) =>
  orderOf(id, {
    status: 3,
    payment: null,
    canCancel: false,
    canPayAgain: true,
    expiresAt: null,
    history: [...orderOf(id).history, { from: 1, to: 3, by: 'gateway', reason, at: inDays(0) }],
    ...own,
  })

it('asks for a method and both consents beside their fields, and orders nothing before', async () => {
  const { api } = await openApp('/checkout?package=starter', { user: sari })
  await expect.element(page.getByRole('radio', { name: /Starter/ })).toBeChecked()
  await expect.element(total).toMatchTextContent(/Rp\s*48\.000/)
  await button('Lanjut ke pembayaran').click()
  await text('Pilih metode pembayaran.').toBeVisible()
  await text('Setujui Kebijakan Privasi dulu, ya.').toBeVisible()
  await text('Setujui Syarat Layanan dulu, ya.').toBeVisible()
  expect(api.callsTo('POST /api/orders')).toEqual([])
})

it('takes a problem away as soon as it is solved, and leaves the page where a problem is in view', async () => {
  await openApp('/checkout?package=', { user: sari, size: [1440, 900] })
  await button('Ambil sekarang').click()
  await text('Pilih paket atau masukkan voucher.').toBeVisible()
  await page.getByRole('radio', { name: /Starter/ }).click()
  await expect.element(page.getByText('Pilih paket atau masukkan voucher.')).not.toBeInTheDocument()
  await button('Lanjut ke pembayaran').click()
  await text('Pilih metode pembayaran.').toBeVisible()
  await page.getByRole('radio', { name: 'BCA' }).click()
  await expect.element(page.getByText('Pilih metode pembayaran.')).not.toBeInTheDocument()
  window.scrollBy(0, 20)
  const before = window.scrollY
  await button('Lanjut ke pembayaran').click()
  await expect.element(page.getByRole('checkbox', { name: /Kebijakan Privasi/ })).toHaveFocus()
  expect(window.scrollY).toBe(before)
})

it('shows a voucher as invalid, as not checked, applied to every package, and taken off', async () => {
  const preview = ({ body }: ApiCall): VoucherPreview | Response => {
    const { code, packageId } = body as { code: string; packageId: string | null }
    const chosen = packages.items.find(({ id }) => id === packageId)
    if (code.toUpperCase() !== 'HEMAT20') return refusal(422, 'form.invalid', 'Voucher tidak valid')
    if (!chosen) return refusal(422, 'form.invalid', 'Tidak bisa', { voucherCode: 'voucher.needsPackage' })
    const discountIdr = chosen.idr / 5
    const subtotalIdr = chosen.idr
    return {
      code: 'HEMAT20',
      kind: 'percent_off',
      credits: 0,
      subtotalIdr,
      discountIdr,
      totalIdr: subtotalIdr - discountIdr,
    }
  }
  const { api } = await openApp('/checkout?package=starter', {
    user: sari,
    api: { 'POST /api/vouchers/verify': preview },
  })
  const code = page.getByLabelText('Kode voucher')
  const apply = page.getByRole('button', { name: 'Pakai', exact: true })
  await button('Punya kode voucher?').click()
  await code.fill('TIDAKADA')
  await apply.click()
  await text('Voucher tidak valid').toBeVisible()
  api.setReachable(false)
  await code.fill('hemat20')
  await apply.click()
  await text('Gagal memeriksa voucher. Silakan coba lagi.').toBeVisible()
  api.setReachable(true)
  await apply.click()
  await text('Voucher HEMAT20 dipakai').toBeVisible()
  await expect.element(total).toMatchTextContent(/Rp\s*38\.400/)
  await page.getByRole('radio', { name: /Pro/ }).click()
  await expect.element(total).toMatchTextContent(/Rp\s*115\.200/)
  await page.getByRole('radio', { name: /Voucher saja/ }).click()
  await text('Voucher ini hanya berlaku bersama paket.').toBeVisible()
  await page.getByRole('radio', { name: /Pro/ }).click()
  await button('Lepas').click()
  await expect.element(total).toMatchTextContent(/Rp\s*144\.000/)
})

it.each([
  [
    'Voucher saja',
    'GRATIS50',
    { credits: 50, subtotalIdr: 0, discountIdr: 0 },
    '50 kredit sudah masuk',
    'Voucher berhasil dipakai',
  ],
  [
    'Unlimited',
    'SEMUA',
    { credits: 0, subtotalIdr: 464_000, discountIdr: 464_000 },
    'Sekarang kamu bisa berkarya tanpa batas.',
    'Pembayaran berhasil',
  ],
] as const)('asks for no method where %s leaves nothing to pay', async (name, code, effect, gain, title) => {
  const whole = name === 'Unlimited' ? packages.items[2]! : null
  const kind = whole ? 'percent_off' : 'free_credits'
  const order = paid('o1', {
    method: null,
    totalIdr: 0,
    package: whole,
    voucher: { code, kind, credits: effect.credits },
    receiptNumber: null,
  })
  const { api } = await openApp('/checkout', {
    user: sari,
    api: {
      'POST /api/vouchers/verify': { code, kind, ...effect, totalIdr: 0 },
      'POST /api/orders': Response.json(order, { status: 201 }),
      'GET /api/orders/*': order,
      'POST /api/orders/*/check': order,
    },
  })
  await page.getByRole('radio', { name: new RegExp(name) }).click()
  // The price and the expiry of a package do not apply to a voucher's credits.
  await expect.element(page.getByText('Dibayar hari ini')).toHaveLength(whole ? 1 : 0)
  if (whole) await button('Punya kode voucher?').click()
  await page.getByLabelText('Kode voucher').fill(code)
  await page.getByRole('button', { name: 'Pakai', exact: true }).click()
  await text(`Voucher ${code} dipakai`).toBeVisible()
  expect(document.querySelectorAll('input[name="method"]')).toHaveLength(0)
  await accept()
  await button('Ambil sekarang').click()
  await expect.poll(address).toBe('/payment-success?order=o1')
  await text(gain).toBeVisible()
  await expect.element(heading).toHaveTextContent(title)
  expect(api.callsTo('POST /api/orders')).toMatchObject([{ body: { packageId: whole?.id ?? null, voucherCode: code } }])
})

it('does not buy twice after a lost response: the next press continues the same order', async () => {
  const order = orderOf('o1', { method: 'qris' })
  const { api } = await openApp('/checkout?package=starter', {
    user: sari,
    api: { 'GET /api/orders/*': order, 'POST /api/orders': () => Promise.reject(new TypeError('Failed to fetch')) },
  })
  await page.getByRole('radio', { name: /QRIS/ }).click()
  await accept()
  await button('Lanjut ke pembayaran').click()
  await text('Gagal membuat transaksi. Silakan coba lagi.').toBeVisible()
  api.serve({ 'POST /api/orders': Response.json(order) })
  await button('Lanjut ke pembayaran').click()
  await expect.poll(address).toBe('/checkout?order=o1')
  await text(/^Ada pertanyaan\? Tulis ke/).toBeVisible()
  const keys = api.callsTo('POST /api/orders').map(({ headers }) => headers.get('idempotency-key'))
  expect(keys).toHaveLength(2)
  expect(keys[0]).toMatch(/^[\w-]{16,}$/)
  expect(keys[1]).toBe(keys[0])
})

it('shows a failed payment with a contact for help, which is paid again by another method', async () => {
  let order = cancelled('o1', 'payment_failed', { method: 'dana' })
  const again = (method: OrderView['method']) => ({
    ...orderOf('o1', { method, canPayAgain: true }),
    history: [
      ...order.history,
      { from: 3, to: 1, by: 'buyer', reason: 'paid_again', at: inDays(0) },
    ] as OrderView['history'],
  })
  const { api } = await openApp('/payment-failed?order=o1', {
    user: sari,
    api: {
      'GET /api/orders/*': () => order,
      'POST /api/orders/*/check': () => order,
      'POST /api/orders/*/pay_again': ({ body }: ApiCall) => {
        order = again((body as { method: OrderView['method'] }).method ?? order.method)
        return order
      },
    },
  })
  await expect.element(heading).toHaveTextContent('Pembayaran Gagal!')
  await text(/hubungi tim kami untuk bantuan/).toMatchTextContent(/bantuan@contoh\.test/)
  await button('Bayar lagi').click()
  await expect.poll(address).toBe('/checkout?order=o1')
  await button('Ganti metode pembayaran').click()
  const methods = page.getByRole('dialog')
  await expect.element(methods.getByRole('radio', { name: /DANA/ })).toBeChecked()
  await methods.getByRole('radio', { name: /BCA/ }).click()
  await methods.getByRole('button', { name: 'Bayar dengan metode ini' }).click()
  await expect.element(page.getByText('Nomor virtual account', { exact: true })).toBeVisible()
  const methodsSent = () =>
    api.callsTo('POST /api/orders/*/pay_again').map(({ body }) => (body as { method: string }).method)
  await expect.poll(methodsSent).toEqual([null, 'bca'])
  order = paid('o1', { history: [...order.history, { from: 1, to: 2, by: 'gateway', reason: 'paid', at: inDays(0) }] })
  api.emit('order', order)
  await text('60 kredit sudah masuk').toBeVisible()
})

it('lets the address decide nothing, and shows an order that is paid after it ran out of time', async () => {
  let order = orderOf('o1', { method: 'dana' })
  const app = await openApp('/payment-success?order=o1', {
    user: sari,
    api: { 'GET /api/orders/*': () => order, 'POST /api/orders/*/check': () => order },
  })
  await expect.element(heading).toHaveTextContent('Menunggu pembayaran')
  order = cancelled('o1', 'expired')
  await app.reload('/payment-failed?order=o1')
  await expect.element(heading).toHaveTextContent('Pembayaran Gagal!')
  // A wrong amount is under review, and no failure that asks to pay again.
  order = orderOf('o1', { method: 'dana', moneyProblem: 'wrong_amount' })
  await app.reload('/payment-failed?order=o1')
  await expect.element(heading).toHaveTextContent('Pembayaran sedang diperiksa')
  await expect.element(page.getByRole('button', { name: 'Bayar lagi' })).not.toBeInTheDocument()
  app.api.serve({ 'GET /api/user/myCredit': balanceOf(85) })
  order = paid('o1', { history: [...order.history, { from: 3, to: 2, by: 'gateway', reason: 'paid', at: inDays(0) }] })
  app.api.emit('order', order)
  await expect.element(heading).toHaveTextContent('Pembayaran berhasil')
  await expect.element(page.getByRole('link', { name: 'Saldo: 85 kredit' })).toBeInTheDocument()
})

it('leads a buyer who came from a tool back there first, and never to a foreign address', async () => {
  const api = { 'GET /api/orders/*': () => paid('o1'), 'POST /api/orders/*/check': () => paid('o1') }
  sessionStorage.setItem('boughtFrom', '/ai-headshot?result=g-1')
  const app = await openApp('/payment-success?order=o1', { user: sari, api })
  const back = page.getByRole('main').getByRole('link')
  await expect.element(back.first()).toHaveTextContent('Kembali ke alatmu')
  await expect.element(back.first()).toHaveAttribute('href', '/ai-headshot?result=g-1')
  sessionStorage.setItem('boughtFrom', '//contoh.test/ai-headshot')
  await app.reload()
  await expect.element(back.first()).toHaveTextContent('Kembali ke beranda')
})

/** As from a server whose clock is so many days ahead of this device's. */
const daysAhead = (days: number, body: unknown) =>
  Response.json(body, { headers: { date: new Date(inDays(days)).toUTCString(), 'cache-control': 'no-store' } })

it('counts down by the server’s clock on a device whose clock is days wrong', async () => {
  const answered = (days: number, expiresAt: string) => {
    const order = orderOf('o1', { expiresAt, payment: { ...orderOf('o1').payment!, expiresAt } })
    return { 'GET /api/orders/*': () => daysAhead(days, order) }
  }
  const app = await openApp('/checkout?order=o1', { user: sari, api: answered(-40, inDays(-39.5)) })
  await expect.element(page.getByRole('timer')).toMatchTextContent(/^(12:00:0|11:59:)/)
  await text('8808 1234 56').toBeVisible()
  app.api.serve(answered(2, inDays(1)))
  await app.reload()
  await text(/Waktunya habis/).toBeVisible()
  expect(page.getByText('8808 1234 56').all()).toHaveLength(0)
})

it('cancels an order only after a question', async () => {
  let order = orderOf('o1')
  const { api } = await openApp('/checkout?order=o1', {
    user: sari,
    api: {
      'GET /api/orders/*': () => order,
      'POST /api/orders/*/cancel': () => {
        order = cancelled('o1', 'cancelled', {
          history: [...order.history, { from: 1, to: 3, by: 'buyer', reason: 'cancelled', at: inDays(0) }],
        })
        return order
      },
    },
  })
  await button('Batalkan pesanan').click()
  await button('Jangan batalkan').click()
  await text('Belum Bayar').toBeVisible()
  expect(api.callsTo('POST /api/orders/*/cancel')).toEqual([])
  await button('Batalkan pesanan').click()
  await button('Ya, batalkan').click()
  await text('Pesanan ini dibatalkan.').toBeVisible()
})

it('lists orders and credits page by page, and announces what ends soon', async () => {
  const entry = (id: number): LedgerEntryView =>
    ({
      id,
      kind: 'voucher',
      amount: 3,
      balanceAfter: 3 * id,
      unlimited: false,
      note: null,
      createdAt: inDays(-1),
      generation: null,
      order: { id: `o${id}`, packageName: null, voucherCode: 'HARIAN', receiptNumber: null },
    }) as LedgerEntryView
  const pages =
    (all: unknown[]) =>
    ({ query }: ApiCall) =>
      query.has('cursor') ? { items: all.slice(10), nextCursor: null } : { items: all.slice(0, 10), nextCursor: '10' }
  const orders = Array.from({ length: 12 }, (_, index) =>
    index === 0 ? cancelled('o0', 'expired') : paid(`o${index}`),
  )
  orders[1] = { ...paid('o1'), status: 0 }
  await openApp('/billing', {
    user: sari,
    api: {
      'GET /api/orders': pages(orders),
      'GET /api/user/ledger': pages(Array.from({ length: 12 }, (_, index) => entry(12 - index))),
      'GET /api/user/myCredit': {
        ...balanceOf(36),
        grants: [{ remaining: 36, expiresAt: inDays(2), source: 'voucher' }],
      },
    },
  })
  await text(/36 kredit segera berakhir/).toBeVisible()
  for (const name of ['Pesanan', 'Riwayat kredit']) {
    const list = page.getByRole('region', { name })
    const rows = list.getByRole('listitem')
    await expect.element(rows).toHaveLength(10)
    await list.getByRole('button', { name: 'Tampilkan lebih banyak' }).click()
    await expect.element(rows).toHaveLength(12)
    await expect.element(list.getByRole('button', { name: 'Tampilkan lebih banyak' })).not.toBeInTheDocument()
  }
  await expect
    .element(page.getByRole('region', { name: 'Pesanan' }).getByRole('listitem').first())
    .toMatchTextContent('Batal')
  await setText(200)
  const badges = [...document.querySelectorAll('main .badge')]
  expect(badges.filter((badge) => badge.scrollHeight > badge.clientHeight + 1)).toEqual([])
  await setText(100)
})

it('fills a ticked box with the colour of the main button', async () => {
  await openApp('/checkout?package=starter', { user: sari })
  await accept()
  const fill = (element: Element) => getComputedStyle(element).backgroundColor
  const main = fill(button('Lanjut ke pembayaran').element())
  await expect.poll(() => fill(page.getByRole('checkbox', { name: /Kebijakan Privasi/ }).element())).toBe(main)
})

it('keeps the names of payment methods apart from their buttons in large text', async () => {
  const longest = { ...paymentMethods[3], id: 'shopeepay', name: 'ShopeePay' }
  await openApp('/checkout?package=starter', {
    user: sari,
    api: { 'GET /api/payment_methods': { items: [...paymentMethods, longest] } },
  })
  await button('Metode lain').click()
  await page.viewport(360, 640)
  await setText(200)
  const names = [...document.querySelectorAll('label > img + span > span:first-child')]
  expect(names).toHaveLength(5)
  const covered = names.filter((name) => {
    const text = document.createRange()
    text.selectNodeContents(name)
    const radio = name.closest('label')?.querySelector('input')
    return text.getBoundingClientRect().right > (radio?.getBoundingClientRect().left ?? 0)
  })
  expect(covered.map(({ textContent }) => textContent)).toEqual([])
  await setText(100)
})

it('leads a visitor with a voucher from the prices to its field, by signing up', async () => {
  await openApp('/pricing')
  const link = page.getByRole('link', { name: 'Daftar gratis, lalu masukkan saat pembayaran' })
  await expect.element(link).toHaveStyle({ textDecorationLine: 'underline' })
  await link.click()
  expect([address(), history.state]).toMatchObject(['/register', { from: '/checkout?package=' }])
})

it('leads from the credits to the field of a voucher, without a package', async () => {
  await openApp('/billing', { user: sari })
  await page.getByRole('link', { name: 'Punya kode voucher?' }).click()
  await expect.element(page.getByRole('radio', { name: /Voucher saja/ })).toBeChecked()
  await expect.element(page.getByLabelText('Kode voucher')).toBeVisible()
})

it('shows the PPN that the price includes, and puts a company on the invoice until the payment', async () => {
  const buyer = { company: 'CV Maju Jaya', npwp: '0023456789012000', address: 'Bandung' }
  const id = '00000000-0000-4000-8000-000000000070'
  const taxed = { ppnPercent: 11, ppnIdr: 4757 }
  const { api } = await openApp(`/checkout?order=${id}`, {
    user: sari,
    api: {
      'GET /api/orders/*': () => orderOf(id, taxed),
      'PUT /api/orders/*/invoice': () => orderOf(id, { ...taxed, invoiceBuyer: buyer }),
    },
  })
  await text('Termasuk PPN 11%').toBeVisible()
  await text(/Rp\s*4\.757/).toBeVisible()
  await button('Perlu invoice perusahaan?').click()
  await page.getByLabelText('Nama perusahaan').fill('CV Maju Jaya')
  await page.getByLabelText('NPWP').fill('123')
  await page.getByLabelText('Alamat perusahaan').fill('Bandung')
  await button('Simpan').click()
  await text('NPWP terdiri dari 15 atau 16 angka').toBeVisible()
  await page.getByLabelText('NPWP').fill('02.345.678.9-012.000')
  await button('Simpan').click()
  await expect
    .poll(() => api.callsTo('PUT /api/orders/*/invoice').map(({ body }) => body))
    .toEqual([{ buyer: { ...buyer, npwp: '02.345.678.9-012.000' } }])
  await text('CV Maju Jaya').toBeVisible()
})
