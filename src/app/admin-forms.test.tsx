import { expect, it } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { address, desktop, navigateInApp, openApp, phone } from '#tests/support/components/open-app.tsx'
import { inDays, sari, staff } from '#tests/support/components/samples.ts'
import { button } from '#tests/support/components/screen.ts'
import {
  addedLocation,
  adminOrder,
  priceHistory,
  userDetail,
  userSummary,
  voucher,
} from '#tests/support/components/staff-samples.ts'
import { type ApiCall, type Routes, refusal } from '#tests/support/components/stub-api.ts'

const dialog = page.getByRole('dialog')
const text = (content: string | RegExp) => expect.element(page.getByText(content).first())
/** As the server says it: a code for each field. */
const invalid = (fields: Record<string, string>) => refusal(422, 'form.invalid', 'Periksa lagi', fields)
const outdated = refusal(409, 'change.outdated', 'Sudah diubah orang lain sejak kamu membukanya.')
const press = (name: string) => dialog.getByRole('button', { name }).click()

async function fill(fields: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(fields))
    await dialog
      .getByRole('textbox', { name: label })
      .or(dialog.getByLabelText(label, { exact: true }))
      .first()
      .fill(value)
}

/** An order that the calls of the admin change. */
function orderServer() {
  let order = adminOrder
  const history = (to: 2 | 3, reason: string) => [
    ...order.history,
    { from: order.status, to, by: 'admin' as const, reason, actor: staff.name, at: inDays(0) },
  ]
  const routes: Routes = {
    'GET /api/admin/orders/*': () => order,
    'POST /api/admin/orders/*/confirm': ({ body }: ApiCall) => {
      const { receivedIdr, reason } = body as { receivedIdr: number; reason: string }
      if (!reason) return invalid({ reason: 'form.required' })
      order = { ...order, status: 2, receivedIdr, refundableIdr: receivedIdr, history: history(2, reason) }
      return order
    },
    'POST /api/admin/orders/*/refunds': ({ body }: ApiCall) => {
      const { amountIdr, reference, reason } = body as { amountIdr: number; reference: string; reason: string }
      if (amountIdr > order.refundableIdr) return invalid({ amountIdr: 'form.invalid' })
      const refund = { id: 'r1', amountIdr, credits: 30, reference, reason, at: inDays(0), by: staff.name }
      order = { ...order, refunds: [refund], refundableIdr: order.refundableIdr - amountIdr }
      return { id: 'r1', amountIdr, credits: 30, status: 'sent' }
    },
    'POST /api/admin/orders/*/cancel': ({ body }: ApiCall) => {
      order = { ...order, status: 3, history: history(3, (body as { reason: string }).reason) }
      return order
    },
  }
  return { routes, history }
}

it('marks refunds in the order list, and confirms and exports chosen orders', async () => {
  const refunded = { ...adminOrder, id: 'o2', status: 2 as const, receivedIdr: 48_000, refundedIdr: 8000 }
  const items = [adminOrder, { ...refunded, refundableIdr: 40_000 }]
  const { api } = await openApp('/admin/billing', {
    user: staff,
    size: desktop,
    api: {
      'GET /api/admin/orders': ({ query }: ApiCall) =>
        query.get('ids') ? new Response('csv') : { items, nextCursor: null },
      'GET /api/admin/orders/totals': {
        orders: 2,
        totalIdr: 96_000,
        paidIdr: 48_000,
        refundedIdr: 8000,
        netIdr: 40_000,
      },
      'POST /api/admin/orders/confirm': { items: [{ id: 'o1', outcome: 'waiting', code: null }] },
    },
  })
  const table = page.getByRole('table')
  await expect.element(table.getByText('Dikembalikan sebagian')).toBeVisible()
  await expect.element(table.getByText(/bersih Rp\s*40\.000$/)).toBeVisible()
  await page.getByLabelText('Metode').selectOptions('bca')
  await page.getByLabelText('Pengembalian').selectOptions('partly')
  await page.getByLabelText('Rentang tanggal').selectOptions('days_7')
  await expect.poll(address).toMatch(/method=bca&refund=partly&from=[\d-]+&to=[\d-]+$/)
  await page.getByLabelText('Pilih semua di halaman ini').click()
  await text('2 dipilih').toBeVisible()
  await button('Ekspor yang dipilih').click()
  await expect
    .poll(() => api.callsTo('GET /api/admin/orders').some(({ query }) => query.get('ids') === 'o1,o2'))
    .toBe(true)
  await button('Konfirmasi lunas').click()
  await fill({ Alasan: 'Sesuai mutasi' })
  await press('Konfirmasi lunas')
  await text('0 pesanan lunas, 1 menunggu persetujuan').toBeVisible()
  expect(api.callsTo('POST /api/admin/orders/confirm').map(({ body }) => body)).toEqual([
    { orders: [{ id: 'o1', status: 1 }], reason: 'Sesuai mutasi' },
  ])
})

it('confirms an order with the received amount, and refunds at most that amount', async () => {
  const { api } = await openApp('/admin/billing/o1', { user: staff, size: desktop, api: orderServer().routes })
  await text('Percobaan bayar').toBeVisible()
  await text('Gagal').toBeVisible()
  await button('Konfirmasi lunas').click()
  await fill({ 'Rupiah yang masuk': '48500' })
  await press('Konfirmasi lunas')
  await text('Bagian ini wajib diisi').toBeVisible()
  await fill({ Alasan: 'Uangnya sudah masuk' })
  await press('Konfirmasi lunas')
  await expect.element(dialog).not.toBeInTheDocument()
  await expect.element(button('Konfirmasi lunas')).not.toBeInTheDocument()
  await text('Lunas').toBeVisible()
  expect(api.callsTo('POST /api/admin/orders/o1/confirm').at(-1)?.body).toMatchObject({
    status: 1,
    receivedIdr: 48_500,
  })

  await button('Kembalikan uang').click()
  await fill({
    'Rupiah yang dikirim kembali': '48501',
    'Nomor transfer': 'BCA-0099',
    'Alasan untuk pembeli': 'Salah beli',
  })
  await press('Catat pengembalian')
  await expect.element(dialog).toMatchTextContent(/1 sampai Rp\s*48\.500/)
  await fill({ 'Rupiah yang dikirim kembali': '24250' })
  await press('Catat pengembalian')
  await text(/30 kredit diambil kembali · BCA-0099/).toBeVisible()
  const [first, second] = api.callsTo('POST /api/admin/orders/o1/refunds')
  expect(second?.headers.get('idempotency-key')).toBe(first?.headers.get('idempotency-key'))
})

it('sends money back by the gateway without a transfer number, and shows it on its way', async () => {
  const paid = { ...adminOrder, status: 2 as const, receivedIdr: 48_000, refundableIdr: 48_000 }
  const sending = { id: 'g1', amountIdr: 8000, status: 'sending' as const, failure: null, at: inDays(0) }
  let order = { ...paid, refundableByGateway: true, gatewayRefunds: [] as (typeof sending)[] }
  const { api } = await openApp('/admin/billing/o1', {
    user: staff,
    size: phone,
    api: {
      'GET /api/admin/orders/*': () => order,
      'POST /api/admin/orders/*/refunds': () => {
        order = { ...order, gatewayRefunds: [sending], refundableIdr: 40_000 }
        return { id: 'g1', amountIdr: 8000, credits: 0, status: 'sending' }
      },
    },
  })
  await button('Kembalikan uang').click()
  await expect.element(dialog.getByLabelText('Nomor transfer')).not.toBeInTheDocument()
  await dialog.getByLabelText('Kirim lewat').selectOptions('bank')
  await expect.element(dialog.getByLabelText('Nomor transfer')).toBeVisible()
  await dialog.getByLabelText('Kirim lewat').selectOptions('gateway')
  await fill({ 'Rupiah yang dikirim kembali': '8000', 'Alasan untuk pembeli': 'Salah beli' })
  await press('Kirim uangnya')
  await text('Gerbang pembayaran sedang mengirim uangnya.').toBeVisible()
  await text('Sedang dikirim gerbang pembayaran').toBeVisible()
  expect(api.callsTo('POST /api/admin/orders/o1/refunds')[0]?.body).toMatchObject({ via: 'gateway', amountIdr: 8000 })
})

it('cancels an order, and overwrites no decision that another admin made meanwhile', async () => {
  const server = orderServer()
  const { api } = await openApp('/admin/billing/o1', { user: staff, size: desktop, api: server.routes })
  await button('Konfirmasi lunas').click()
  api.serve({ 'POST /api/admin/orders/*/confirm': outdated })
  await fill({ Alasan: 'Uangnya masuk' })
  await press('Konfirmasi lunas')
  await expect.element(dialog).toMatchTextContent('Sudah diubah orang lain sejak kamu membukanya')
  await press('Lihat yang terbaru')
  await expect.element(dialog).not.toBeInTheDocument()
  await button('Batalkan pesanan').click()
  await fill({ Alasan: 'Pesanan ganda' })
  await press('Batalkan pesanan')
  await text('Pesanan ganda').toBeVisible()
})

it('explains errors of prices, packages and the rate beside their fields', async () => {
  const prices = structuredClone(priceHistory)
  const put = ({ path, body }: ApiCall) => {
    const id = path.split('/').at(-1) as string
    const now = body as {
      name: string
      cents: number
      credits: number
      days: number
      position: number
      active: boolean
    }
    if (now.cents < 1) return invalid({ cents: 'form.invalid' })
    const others = prices.items.filter((pack) => pack.id !== id)
    prices.items = [...others, { id, versions: [{ ...now, version: 2, at: inDays(0), by: null }] }]
    return {}
  }
  const toolPrice = { tool: 'colorizer', unit: 5, defaultUnit: 5, version: 1, history: [] }
  const { api } = await openApp('/admin/kredit/harga', {
    user: staff,
    size: desktop,
    api: {
      'GET /api/admin/packages': () => prices,
      'PUT /api/admin/packages/*': put,
      'GET /api/admin/tool_prices': { items: [toolPrice] },
      'PUT /api/admin/tool_prices/*': ({ body }: ApiCall) =>
        (body as { unit: number }).unit > 100_000 ? invalid({ unit: 'form.invalid' }) : {},
      'POST /api/admin/idr_rate': ({ body }: ApiCall) => Object.assign(prices, body),
      'PUT /api/admin/idr_rate': ({ body }: ApiCall) => Object.assign(prices, body),
    },
  })
  const row = (name: RegExp) => page.getByRole('row', { name })
  await row(/STARTER/)
    .getByRole('button', { name: 'Ubah' })
    .click()
  await fill({ Dolar: '0' })
  await press('Simpan')
  await expect.element(dialog).toMatchTextContent(/sampai US?\$|\$.* sampai/)
  await fill({ Dolar: '12' })
  await press('Simpan')
  await expect.element(row(/STARTER/)).toMatchTextContent('12')
  expect(api.callsTo('PUT /api/admin/packages/starter').at(-1)?.body).toMatchObject({ cents: 1200, version: 1 })

  await button('Paket baru').click()
  await fill({ Nama: 'MINI', Dolar: '1' })
  await dialog.getByLabelText('Kredit', { exact: true }).fill('30')
  await press('Simpan')
  await expect.element(row(/MINI/)).toMatchTextContent('Dijual')
  await row(/MINI/).getByRole('button', { name: 'Ubah' }).click()
  await dialog.getByLabelText('Dijual').click()
  await press('Simpan')
  await expect.element(row(/MINI/)).toMatchTextContent('Tidak dijual')

  await row(/Warna/).getByRole('button', { name: 'Ubah' }).click()
  await fill({ 'Kredit per satuan': '1000000' })
  await press('Simpan')
  await expect.element(dialog).toMatchTextContent('0 sampai 100.000 kredit')
  await fill({ 'Kredit per satuan': '8' })
  await press('Simpan')
  await expect.element(dialog).not.toBeInTheDocument()
  await button(/Kurs/).click()
  await fill({ 'Rupiah untuk satu dolar': '16600' })
  await press('Simpan')
  await expect.element(button(/16\.600/)).toBeVisible()
})

/** An account that the calls of the admin change. */
function accountServer() {
  const user = structuredClone(userDetail)
  const routes: Routes = {
    'GET /api/admin/users/*': () => ({ ...user }),
    'GET /api/admin/users/*/summary': userSummary,
    'GET /api/admin/users/*/timeline': { items: [], nextCursor: null },
    'PATCH /api/admin/users/*': ({ body }: ApiCall) => {
      const { reason, ...change } = body as { reason: string; role: 'designer' }
      const before = { role: user.role, duty: user.duty, disabled: user.disabled }
      Object.assign(user, change)
      const after = { role: user.role, duty: user.duty, disabled: user.disabled }
      user.changes.push({ adminId: staff.id, before, after, reason, createdAt: inDays(0) })
      return user
    },
    'POST /api/admin/credit_adjustments': ({ body }: ApiCall) => {
      const { amount } = body as { amount: number }
      if (amount === 0 || Math.abs(amount) > 10_000_000) return invalid({ amount: 'form.invalid' })
      return amount < -25 ? invalid({ amount: 'credits.insufficient' }) : Response.json({ id: 1 }, { status: 201 })
    },
    'POST /api/admin/users/*/reset_factors': () => {
      user.factors = { totp: false, passkeys: 0 }
    },
  }
  return routes
}

it('explains errors of credits beside their fields, and takes no more than the balance', async () => {
  const { api } = await openApp('/admin/users/u-sari', { user: staff, size: desktop, api: accountServer() })
  await button('Atur kredit').click()
  await fill({ Jumlah: '0' })
  await press('Beri kredit')
  await expect.element(dialog).toMatchTextContent(/Bilangan bulat selain 0/)
  await fill({ Alasan: 'Salah beri' })
  await dialog.getByLabelText('Tindakan').selectOptions('take')
  await fill({ Jumlah: '26' })
  await press('Ambil kredit')
  await expect.element(dialog).toMatchTextContent('Saldonya tidak sebanyak itu')
  await fill({ Jumlah: '10000001' })
  await press('Ambil kredit')
  await expect.element(dialog).toMatchTextContent(/paling banyak 10\.000\.000/)
  await fill({ Jumlah: '5' })
  await press('Ambil kredit')
  await expect.element(dialog).not.toBeInTheDocument()
  expect(api.callsTo('POST /api/admin/credit_adjustments').at(-1)?.body).toMatchObject({
    userId: sari.id,
    amount: -5,
    reason: 'Salah beri',
  })
})

it('shows a changed role and a closed account with their reasons, and resets a second factor on a phone', async () => {
  const { api } = await openApp('/admin/users/u-sari', { user: staff, size: phone, api: accountServer() })
  await button('Ubah peran').click()
  await dialog.getByLabelText('Peran').selectOptions('designer')
  await fill({ Alasan: 'Bergabung dengan tim' })
  await press('Simpan')
  await text('Bergabung dengan tim').toBeVisible()
  await button('Nonaktifkan').click()
  await fill({ Alasan: 'Sedang cuti' })
  await press('Nonaktifkan')
  await button('Aktifkan akun').click()
  await fill({ Alasan: 'Sudah kembali' })
  await press('Aktifkan akun')
  await text('Sudah kembali').toBeVisible()

  await button('Setel ulang langkah kedua').click()
  await fill({ Alasan: 'Ponselnya hilang', 'Kata sandimu sendiri': 'Kepala-123!' })
  await press('Setel ulang langkah kedua')
  await expect.element(dialog).not.toBeInTheDocument()
  expect(api.callsTo('POST /api/admin/users/u-sari/reset_factors')).toMatchObject([
    { body: { reason: 'Ponselnya hilang', password: 'Kepala-123!' } },
  ])
})

it('refuses a voucher that ends before it begins, and a change of an outdated one, in English', async () => {
  await openApp('/admin/voucher', {
    user: staff,
    size: desktop,
    language: 'en',
    api: {
      'GET /api/admin/vouchers': { items: [voucher], nextCursor: null },
      'POST /api/admin/vouchers': ({ body }: ApiCall) =>
        (body as { value: number }).value < 1
          ? invalid({ value: 'form.invalid' })
          : (body as { validUntil: string | null }).validUntil === '2027-01-01'
            ? invalid({ validUntil: 'form.invalid' })
            : Response.json({}, { status: 201 }),
      'PATCH /api/admin/vouchers/*': refusal(
        409,
        'change.outdated',
        'Someone else has changed this since you opened it.',
      ),
      'GET /api/admin/ledger': { items: [], nextCursor: null },
      'GET /api/admin/ledger/totals': null,
    },
  })
  await button('New voucher').click()
  await fill({ Code: 'KENANGA', From: '2027-02-01', Until: '2027-01-01' })
  await dialog.getByLabelText('Credits', { exact: true }).fill('-5')
  await press('Save')
  await expect.element(dialog).toMatchTextContent('1 to 10,000,000')
  await dialog.getByLabelText('Credits', { exact: true }).fill('5')
  await press('Save')
  await expect.element(dialog).toMatchTextContent('Must be after the start date')
  await userEvent.keyboard('{Escape}')
  await button('KAMBOJA').click()
  await fill({ 'Limit in total': '9' })
  await press('Save')
  await expect.element(dialog).toMatchTextContent('Someone else has changed this since you opened it')
  await userEvent.keyboard('{Escape}')
  navigateInApp('/admin/kredit/riwayat?from=2026-02-01&to=2026-01-01')
  await text('The start date must be before the end date.').toBeVisible()
})

it('says of a dashboard whose calls fail what failed, without any report of the app itself', async () => {
  const failing = refusal(503, 'server.unavailable', 'Server sedang sibuk')
  const { api } = await openApp('/admin/dashboard?period=13d', {
    user: staff,
    size: desktop,
    api: {
      'GET /api/admin/dashboard': failing,
      'GET /api/admin/custom_edits/counts': failing,
      'GET /api/admin/*': failing,
    },
  })
  await text('Server sedang sibuk').toBeVisible()
  // A period that does not exist is the usual one.
  await expect.element(page.getByRole('link', { name: '30 hari' })).toHaveAttribute('aria-current', 'page')
  expect(api.callsTo('GET /api/admin/dashboard').length).toBeGreaterThan(0)
})

it('adds a location with its file, tells the refusal of a file, and switches one off', async () => {
  const added = { ...addedLocation, id: 'added-sawah' as const, name: { id: 'Sawah', en: 'Rice field' } }
  let items = [addedLocation]
  const { api } = await openApp('/admin/tempat', {
    user: staff,
    size: desktop,
    api: {
      'GET /api/admin/locations': () => ({ items }),
      'POST /api/admin/locations': ({ body }: ApiCall) => {
        const file = (body as FormData).get('file') as File
        if (file.name !== 'sawah.hdr') return refusal(415, 'upload.not_scene', 'Bukan panorama.')
        items = [...items, added]
        return { items }
      },
      'PUT /api/admin/locations/*': ({ body }: ApiCall) => {
        items = [{ ...addedLocation, ...(body as object) }]
        return { items }
      },
    },
  })
  await button('Tempat baru').click()
  await fill({
    'Nama (Indonesia)': 'Sawah',
    'Nama (Inggris)': 'Rice field',
    'Kata (Indonesia)': 'sawah',
    'Kata (Inggris)': 'rice field',
    Lisensi: 'CC0',
    Sumber: 'sendiri',
  })
  await userEvent.upload(dialog.getByLabelText('Berkas'), new File(['text'], 'catatan.txt'))
  await press('Tambahkan')
  await text('Bukan panorama.').toBeVisible()
  await userEvent.upload(dialog.getByLabelText('Berkas'), new File(['#?RADIANCE'], 'sawah.hdr'))
  await press('Tambahkan')
  await expect.element(dialog).not.toBeInTheDocument()
  await text('added-sawah').toBeVisible()
  const form = api.callsTo('POST /api/admin/locations').at(-1)?.body as FormData
  expect(JSON.parse(form.get('location') as string)).toMatchObject({ words: { id: 'sawah' }, exposure: 0 })

  await page.getByRole('switch', { name: 'Tawarkan Pantai' }).click()
  await expect
    .poll(() => api.callsTo('PUT /api/admin/locations/added-pantai').at(-1)?.body)
    .toMatchObject({
      active: false,
      version: addedLocation.version,
    })
})
