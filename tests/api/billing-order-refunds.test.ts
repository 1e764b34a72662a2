import { randomUUID } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AdminOrderView, ConfirmedOrders } from '#features/billing/admin/schemas.ts'
import { creditLots, ledgerEntries } from '#features/credits/server/table.ts'
import { auditLog } from '#server/audit/table.ts'
import { auditedBooks, balanceOf, order } from '#tests/support/checkout.ts'
import { createTestApp, type TestApp, type TestUser } from '#tests/support/test-app.ts'

let app: TestApp
let user: TestUser
let admin: TestUser

beforeAll(async () => {
  app = await createTestApp({ env: { PAYMENTS: 'manual', MANUAL_ACCOUNTS: 'bca:123 456 7890:PT Rupa Contoh' } })
  user = await app.createUser()
  admin = await app.createUser({ role: 'admin' })
})
afterAll(async () => {
  expect(await auditedBooks(app)).toEqual([])
  await app.stop()
})

async function paid(packageId: string, receivedIdr?: number) {
  const { body } = await order(user, { packageId, method: 'bca' })
  const json = { reason: 'uang masuk', receivedIdr: receivedIdr ?? body.totalIdr }
  expect((await admin.request(`/api/admin/orders/${body.id}/confirm`, { json })).status).toBe(204)
  return body
}
const seen = async (id: string) => (await (await admin.request(`/api/admin/orders/${id}`)).json()) as AdminOrderView
async function refund(
  id: string,
  json: object,
  { key = randomUUID(), by = admin }: { key?: string; by?: TestUser } = {},
) {
  const given = { reference: 'BCA-0099', reason: 'Salah beli', ...json }
  const answer = await by.request(`/api/admin/orders/${id}/refunds`, {
    headers: { 'idempotency-key': key },
    json: given,
  })
  return { status: answer.status, body: (await answer.json()) as { id: string; credits: number; code?: string } }
}
const lotOf = async () => {
  const [lot] = await app.deps.db
    .select()
    .from(creditLots)
    .where(and(eq(creditLots.userId, user.id), eq(creditLots.source, 'package')))
  return lot?.remaining ?? 0
}

test('money is refunded in parts and takes unspent credits with it, never more than was received or remains', async () => {
  const { credits: before } = await balanceOf(user)
  const bought = await paid('starter')
  const half = Math.floor(bought.totalIdr / 2)
  expect((await refund(bought.id, { amountIdr: half }, { by: user })).status).toBe(403)
  expect((await refund(bought.id, { amountIdr: bought.totalIdr + 1 })).status).toBe(422)
  expect((await refund(bought.id, { amountIdr: half, reference: ' ' })).status).toBe(422)

  const key = randomUUID()
  const first = await refund(bought.id, { amountIdr: half }, { key })
  expect(first).toMatchObject({ status: 201, body: { credits: Math.floor((499 * half) / bought.totalIdr) } })
  expect((await refund(bought.id, { amountIdr: half }, { key })).body).toEqual(first.body)
  expect((await refund(bought.id, { amountIdr: half + 1 }, { key })).body.code).toBe('idempotency.reused')
  expect((await balanceOf(user)).credits).toBe(before + 499 - first.body.credits)

  // Some is spent before the other half is refunded.
  const spent = { userId: user.id, amount: -(before + 100), reason: 'Terpakai' }
  const headers = { 'idempotency-key': randomUUID() }
  expect((await admin.request('/api/admin/credit_adjustments', { headers, json: spent })).status).toBe(201)
  const [unspent, { credits: balance }] = [await lotOf(), await balanceOf(user)]
  const rest = bought.totalIdr - half
  const tries = await Promise.all([1, 2, 3].map(() => refund(bought.id, { amountIdr: rest })))
  expect(tries.map(({ status }) => status).sort()).toEqual([201, 422, 422])
  const second = tries.find(({ status }) => status === 201)?.body
  expect(second?.credits).toBe(Math.min(499 - first.body.credits, unspent))
  expect((await balanceOf(user)).credits).toBe(balance - (second?.credits ?? 0))

  expect(await seen(bought.id)).toMatchObject({
    status: 2,
    refundableIdr: 0,
    refunds: [
      { amountIdr: half, credits: first.body.credits, reference: 'BCA-0099', reason: 'Salah beli', by: admin.name },
      { amountIdr: rest },
    ],
  })
  const entries = await app.deps.db.select().from(auditLog).where(eq(auditLog.action, 'order.refunded'))
  expect(entries.map(({ actorId, subjectId, reason }) => [actorId, subjectId, reason])).toEqual(
    Array.from({ length: 2 }, () => [admin.id, bought.id, 'Salah beli']),
  )
  const mail = await app.mailTo(user.email, /Uangmu sedang dikembalikan/)
  for (const text of ['Salah beli', 'BCA-0099', 'Rp']) expect(mail.text).toContain(text)
})

test('the received sum limits a refund, and an admin may leave the credits', async () => {
  const bought = await paid('starter', 100_000)
  const { credits: before } = await balanceOf(user)
  expect((await refund(bought.id, { amountIdr: 100_001, takeCredits: false })).status).toBe(422)
  expect((await refund(bought.id, { amountIdr: 100_000, takeCredits: false })).body.credits).toBe(0)
  expect((await balanceOf(user)).credits).toBe(before)
  const { body: unpaid } = await order(user, { packageId: 'starter', method: 'bca' })
  expect((await refund(unpaid.id, { amountIdr: 1 })).body.code).toBe('order.not_paid')
})

test('the days of an unlimited package end with its refund, those of another one stay', async () => {
  const [first, second] = [await paid('premium'), await paid('premium')]
  const until = async () => Date.parse((await balanceOf(user)).unlimitedUntil ?? '1970-01-01T00:00:00Z')
  const both = await until()
  expect((await refund(first.id, { amountIdr: first.totalIdr - 1 })).status).toBe(201)
  expect(await until()).toBe(both)
  expect((await refund(first.id, { amountIdr: 1 })).status).toBe(201)
  expect(both - (await until())).toBeGreaterThan(29 * 86_400_000)
  expect((await refund(second.id, { amountIdr: second.totalIdr })).status).toBe(201)
  expect((await balanceOf(user)).unlimitedUntil).toBeNull()
  const purchases = await app.deps.db.select().from(ledgerEntries).where(eq(ledgerEntries.subjectId, first.id))
  expect(purchases.map(({ amount }) => amount)).toEqual([0])
})

test('orders are filtered by refund and method, with net amounts, and exported as chosen', async () => {
  const buyer = await app.createUser()
  const buy = async () => {
    const { body } = await order(buyer, { packageId: 'starter', method: 'bca' })
    expect((await admin.request(`/api/admin/orders/${body.id}/confirm`, { json: { reason: 'masuk' } })).status).toBe(
      204,
    )
    return body
  }
  const [none, partly, fully] = [await buy(), await buy(), await buy()]
  await refund(partly.id, { amountIdr: 1000 })
  await refund(fully.id, { amountIdr: fully.totalIdr })
  const list = async (filter: string) => {
    const answer = await admin.request(`/api/admin/orders?user=${buyer.id}&${filter}`)
    return ((await answer.json()) as { items: AdminOrderView[] }).items.map(({ id }) => id)
  }
  expect(await list('refund=any')).toEqual([fully.id, partly.id])
  expect(await list('refund=partly')).toEqual([partly.id])
  expect(await list('refund=fully')).toEqual([fully.id])
  expect(await list('method=bca')).toEqual([fully.id, partly.id, none.id])
  expect(await list('method=qris')).toEqual([])
  expect(await seen(partly.id)).toMatchObject({ refundedIdr: 1000, refundableIdr: partly.totalIdr - 1000 })
  const totals = await (await admin.request(`/api/admin/orders/totals?user=${buyer.id}`)).json()
  expect(totals).toMatchObject({ refundedIdr: 1000 + fully.totalIdr, netIdr: none.totalIdr + partly.totalIdr - 1000 })
  const path = `/api/admin/orders?ids=${none.id},${partly.id}`
  const csv = await (await admin.request(path, { headers: { accept: 'text/csv' } })).text()
  expect(csv.trim().split('\r\n')).toHaveLength(3)
  expect(csv).toContain(`"1000","${partly.totalIdr - 1000}"`)
})

test('several orders are confirmed at once, and a refused one stops none of the others', async () => {
  const buyer = await app.createUser()
  const place = async (packageId: string) => (await order(buyer, { packageId, method: 'bca' })).body
  const [first, cancelled, third] = [await place('starter'), await place('basic'), await place('premium')]
  await buyer.request(`/api/orders/${cancelled.id}/cancel`, { json: {} })
  const orders = [first, cancelled, third].map(({ id }) => ({ id, status: 1 }))
  const json = { orders, reason: 'Sesuai mutasi' }
  expect((await buyer.request('/api/admin/orders/confirm', { json })).status).toBe(403)
  const answer = await admin.request('/api/admin/orders/confirm', { json })
  expect(await answer.json()).toEqual({
    items: [
      { id: first.id, outcome: 'paid', code: null },
      { id: cancelled.id, outcome: 'refused', code: 'change.outdated' },
      { id: third.id, outcome: 'paid', code: null },
    ],
  })
  expect((await seen(first.id)).receivedIdr).toBe(first.totalIdr)
  expect((await seen(cancelled.id)).status).toBe(3)
  const again = (await (await admin.request('/api/admin/orders/confirm', { json })).json()) as ConfirmedOrders
  expect(again.items.map(({ outcome }) => outcome)).toEqual(['paid', 'refused', 'paid'])
  expect((await seen(third.id)).payments).toHaveLength(1)
})
