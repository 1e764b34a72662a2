import { randomUUID } from 'node:crypto'
import { and, asc, eq, isNotNull } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { holdOrder } from '#features/billing/server/orders/order-record.ts'
import { settleOrder } from '#features/billing/server/orders/settle-order.ts'
import { auditReceipts } from '#features/billing/server/reconciliation/reconcile-ledger.ts'
import { invoiceCounters, orders } from '#features/billing/server/tables/orders.ts'
import { orderRefunds } from '#features/billing/server/tables/payments.ts'
import { transact } from '#server/db/transact.ts'
import { auditedBooks, createUser, order, orderOf, placeOrder, voucher } from '#tests/support/checkout.ts'
import { pdfTexts } from '#tests/support/pdf-text.ts'
import { createTestApp, type TestApp, type TestUser } from '#tests/support/test-app.ts'

const payments = { PAYMENTS: 'manual', MANUAL_ACCOUNTS: 'bca:123 456 7890:PT Rupa Contoh' }
const seller = {
  SELLER_NAME: 'PT Rupa Contoh',
  SELLER_ADDRESS: 'Jl. Merdeka 17, Bandung 40111',
  SELLER_NPWP: '01.234.567.8-901.000',
}
const company = { company: 'CV Maju Jaya', npwp: '02.345.678.9-012.000', address: 'Jl. Asia Afrika 8, Bandung' }

const put = (user: TestUser, id: string, buyer: object | null) =>
  user.request(`/api/orders/${id}/invoice`, { method: 'PUT', json: { buyer } })
const confirm = (admin: TestUser, id: string) =>
  admin.request(`/api/admin/orders/${id}/confirm`, { json: { reason: 'uang masuk' } })
const receiptOf = async (user: TestUser, id: string) =>
  pdfTexts(new Uint8Array(await (await user.request(`/api/orders/${id}/receipt.pdf`)).arrayBuffer()))

describe('with PPN', () => {
  let app: TestApp
  let user: TestUser
  let admin: TestUser
  beforeAll(async () => {
    app = await createTestApp({ env: { ...payments, ...seller, SELLER_PPN: 'inclusive' } })
    user = await app.createUser()
    admin = await app.createUser({ role: 'admin' })
  })
  afterAll(async () => {
    expect(await auditedBooks(app)).toEqual([])
    await app.stop()
  })

  test('order and invoice show the included tax, and the company that the buyer set before the payment', async () => {
    const { body } = await order(user, { packageId: 'starter', method: 'bca' })
    expect(body).toMatchObject({ ppnPercent: 11, invoiceBuyer: null, invoiceNumber: null, canChangeInvoice: true })
    const price = Math.round(body.totalIdr / 1.11)
    expect(body.ppnIdr).toBe(body.totalIdr - price)

    expect((await put(user, body.id, { ...company, npwp: '123' })).status).toBe(422)
    expect((await put(await app.createUser(), body.id, company)).status).toBe(404)
    expect((await put(user, body.id, company)).status).toBe(200)
    expect((await confirm(admin, body.id)).status).toBe(204)

    const paid = await orderOf(user, body.id)
    const year = app.clock.now().getFullYear()
    const invoiceBuyer = { ...company, npwp: '0023456789012000' }
    expect(paid).toMatchObject({ invoiceNumber: `INV/${year}/000001`, invoiceBuyer, canChangeInvoice: false })
    const late = await put(user, body.id, null)
    expect([late.status, ((await late.json()) as { code: string }).code]).toEqual([409, 'order.invoice_final'])

    const format = (idr: number) => `Rp ${new Intl.NumberFormat('id-ID').format(idr)}`
    const texts = await receiptOf(user, body.id)
    for (const text of [
      ...['Invoice', `INV/${year}/000001`, 'R-000001', 'PT Rupa Contoh', '01.234.567.8-901.000'],
      ...['CV Maju Jaya', '0023456789012000', company.address],
      ...['Harga tanpa PPN', format(price), 'PPN 11% (sudah termasuk)', format(body.ppnIdr)],
    ])
      expect(texts).toContain(text)
    const mail = await app.mailTo(user.email, /INV/)
    expect(mail.subject).toContain(`INV/${year}/000001`)
    expect(mail.text).not.toContain('R-000001')
    expect(mail.attachments?.[0]).toMatchObject({ filename: `INV-${year}-000001.pdf` })
    // Support finds the order by the number that the buyer was told.
    const found = await admin.request(`/api/admin/orders?search=INV/${year}/000001`)
    expect(((await found.json()) as { items: { id: string }[] }).items.map(({ id }) => id)).toEqual([body.id])
    const csv = await (await admin.request('/api/admin/orders', { headers: { accept: 'text/csv' } })).text()
    expect(csv).toContain(`"INV/${year}/000001"`)
  })

  test('the tax of several refunds adds up to the tax of the order', async () => {
    const { body } = await order(user, { packageId: 'starter', method: 'bca' })
    await confirm(admin, body.id)
    const parts = [33_333, 7, body.totalIdr - 33_340]
    for (const amountIdr of parts) {
      const json = { amountIdr, reference: 'BCA-0099', reason: 'Salah beli' }
      const headers = { 'idempotency-key': randomUUID() }
      expect((await admin.request(`/api/admin/orders/${body.id}/refunds`, { headers, json })).status).toBe(201)
    }
    const sent = await app.deps.db.select().from(orderRefunds).where(eq(orderRefunds.orderId, body.id))
    expect(sent.reduce((sum, { ppnIdr }) => sum + ppnIdr, 0)).toBe(body.ppnIdr)
  })

  test('an order of Rp 0 has no tax and uses no invoice number', async () => {
    const code = await voucher(app, { kind: 'percent_off', value: 100 })
    const { body } = await order(user, { packageId: 'starter', voucherCode: code })
    expect(body).toMatchObject({ status: 2, ppnIdr: 0, invoiceNumber: null, canChangeInvoice: false })
    const texts = await receiptOf(user, body.id)
    expect(texts).toContain('Kuitansi')
    expect(texts.some((text) => text.includes('PPN'))).toBe(false)
  })

  test('a deleted account leaves the company only on invoices with PPN', async () => {
    const buyer = await app.createUser()
    const [paid, open] = [
      (await order(buyer, { packageId: 'starter', method: 'bca' })).body.id,
      (await order(buyer, { packageId: 'basic', method: 'bca' })).body.id,
    ]
    for (const id of [paid, open]) expect((await put(buyer, id, company)).status).toBe(200)
    await confirm(admin, paid)
    expect((await buyer.request('/api/user/delete', { json: { password: buyer.password } })).status).toBe(204)
    const kept = await app.deps.db.select().from(orders).where(eq(orders.userId, buyer.id)).orderBy(asc(orders.id))
    expect(kept.map(({ invoiceBuyer }) => invoiceBuyer?.company ?? null)).toEqual(['CV Maju Jaya', null])
  })

  test('concurrent and failed payments leave no gap, and each year starts at 1', async () => {
    const ids: string[] = []
    for (let count = 0; count < 12; count += 1) {
      const buyer = await createUser(app)
      ids.push((await placeOrder(app, buyer, { packageId: 'starter', method: 'bca' })).id)
    }
    const [before] = await app.deps.db.select().from(invoiceCounters)
    // Already January in western Indonesian time.
    const nextYear = new Date(Date.UTC(before?.year ?? 0, 11, 31, 18))
    const pay = (id: string, index: number) =>
      transact(app.deps.db, async (tx) => {
        const now = index % 2 === 0 ? app.clock.now() : nextYear
        const change = { by: 'admin', actorId: admin.id, reason: 'uang masuk', now } as const
        await settleOrder(tx, app.deps, await holdOrder(tx, id), change)
        if (index % 3 === 0) throw new Error('the process dies here')
      }).catch(() => undefined)
    await Promise.all(ids.map(pay))
    const numbered = await app.deps.db
      .select({ year: orders.invoiceYear, number: orders.invoiceNumber })
      .from(orders)
      .where(isNotNull(orders.invoiceNumber))
      .orderBy(asc(orders.invoiceYear), asc(orders.invoiceNumber))
    const thisYear = Array.from({ length: (before?.last ?? 0) + 4 }, (_, index) => index + 1)
    expect(numbered.map(({ year, number }) => [year, number])).toEqual([
      ...thisYear.map((number) => [before?.year, number]),
      ...[1, 2, 3, 4].map((number) => [(before?.year ?? 0) + 1, number]),
    ])
    const { problems } = await auditReceipts(app.deps.db, 0)
    expect(problems).toEqual([])
  })

  test('the books notice a missing invoice', async () => {
    const { db } = app.deps
    const invoice = { invoiceNumber: 2, invoiceYear: app.clock.now().getFullYear() }
    const second = and(eq(orders.invoiceNumber, 2), eq(orders.invoiceYear, invoice.invoiceYear))
    const [lost] = await db.update(orders).set({ invoiceNumber: null, invoiceYear: null }).where(second).returning()
    expect((await auditReceipts(db, 0)).problems).toEqual([expect.objectContaining({ what: 'invoice_gap' })])
    await db
      .update(orders)
      .set(invoice)
      .where(eq(orders.id, lost?.id ?? ''))
    expect((await auditReceipts(db, 0)).problems).toEqual([])
  })
})

test('without PPN an invoice has no tax line', async () => {
  const app = await createTestApp({ env: { ...payments, ...seller } })
  const [user, admin] = [await app.createUser(), await app.createUser({ role: 'admin' })]
  const { body } = await order(user, { packageId: 'starter', method: 'bca' })
  expect(body).toMatchObject({ ppnPercent: null, ppnIdr: 0 })
  await confirm(admin, body.id)
  const texts = await receiptOf(user, body.id)
  expect(texts).toContain('Invoice')
  expect(texts.some((text) => text.includes('PPN'))).toBe(false)
  await app.stop()
})
