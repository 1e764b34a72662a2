import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AdminOrderView } from '#features/billing/admin/schemas.ts'
import { followGatewayRefunds } from '#features/billing/server/orders/gateway-refund.ts'
import { orderRefunds } from '#features/billing/server/tables/payments.ts'
import { balanceOf } from '#tests/support/checkout.ts'
import { createXenditShop, type XenditShop } from '#tests/support/xendit-shop.ts'

/** Bought and welcome credits. */
const given = 499 + 25

let shop: XenditShop
beforeAll(async () => {
  shop = await createXenditShop()
})
afterAll(() => shop.stop())

/** Paid through a session (a wallet) or a payment request (a code or an account). */
async function bought(method: 'dana' | 'qris' | 'bca') {
  await shop.changePeople()
  if (method === 'dana') {
    const { view, session } = await shop.placed()
    await shop.tell('payment_session.completed', shop.double.pay(session.payment_session_id))
    return view
  }
  const { view, request } = await shop.placedHere(method)
  await shop.tell('payment.capture', shop.double.payRequest(request.payment_request_id))
  return view
}
async function refund(id: string, json: object, key: string = randomUUID()) {
  const answer = await shop.admin.request(`/api/admin/orders/${id}/refunds`, {
    headers: { 'idempotency-key': key },
    json: { reason: 'Salah beli', ...json },
  })
  return { status: answer.status, body: (await answer.json()) as { id: string; status: string; code?: string } }
}
const seen = async (id: string) =>
  (await (await shop.admin.request(`/api/admin/orders/${id}`)).json()) as AdminOrderView
const refundAtGateway = (id: string) =>
  [...shop.double.refunds.values()].find(({ reference_id }) => reference_id === id) as { status: string }
async function minutesLater() {
  shop.app.clock.advance({ minutes: 2 })
  await followGatewayRefunds(shop.app.deps)
}

test.each(['dana', 'qris'] as const)(
  'money of %s goes back by the gateway and counts once it was sent',
  async (method) => {
    const { id, totalIdr } = await bought(method)
    expect((await seen(id)).refundableByGateway).toBe(true)
    const key = randomUUID()
    const asked = await refund(id, { amountIdr: 50_000, via: 'gateway' }, key)
    expect(asked).toMatchObject({ status: 201, body: { status: 'sending' } })
    expect((await refund(id, { amountIdr: 50_000, via: 'gateway' }, key)).body.id).toBe(asked.body.id)
    expect(await seen(id)).toMatchObject({
      refunds: [],
      refundedIdr: 0,
      refundableIdr: totalIdr - 50_000,
      gatewayRefunds: [{ amountIdr: 50_000, status: 'sending' }],
    })
    // The money on its way cannot be sent by bank too.
    expect((await refund(id, { amountIdr: totalIdr - 49_999, reference: 'BCA-1' })).status).toBe(422)
    expect((await balanceOf(shop.user)).credits).toBe(given)

    refundAtGateway(asked.body.id).status = 'SUCCEEDED'
    await minutesLater()
    await minutesLater()
    const after = await seen(id)
    expect(after).toMatchObject({ refundedIdr: 50_000, refundableIdr: totalIdr - 50_000, gatewayRefunds: [] })
    expect(after.refunds).toMatchObject([
      { amountIdr: 50_000, reference: expect.stringMatching(/^rfd-/), reason: 'Salah beli' },
    ])
    expect((await balanceOf(shop.user)).credits).toBe(given - Math.floor((499 * 50_000) / totalIdr))
    expect(shop.double.refunds.size).toBeGreaterThan(0)
    const mail = await shop.app.mailTo(shop.user.email, /Uangmu sedang dikembalikan/)
    expect(mail.text).toContain('rfd-')
  },
)

test('a refused refund takes nothing, and its money can be sent by bank', async () => {
  const { id, totalIdr } = await bought('qris')
  const asked = await refund(id, { amountIdr: totalIdr, via: 'gateway' })
  Object.assign(refundAtGateway(asked.body.id), { status: 'FAILED', failure_code: 'INSUFFICIENT_BALANCE' })
  await minutesLater()
  expect(await seen(id)).toMatchObject({
    refundableIdr: totalIdr,
    gatewayRefunds: [{ status: 'failed', failure: 'INSUFFICIENT_BALANCE' }],
  })
  expect((await balanceOf(shop.user)).credits).toBe(given)
  expect(await refund(id, { amountIdr: totalIdr, reference: 'BCA-2' })).toMatchObject({
    status: 201,
    body: { status: 'sent' },
  })

  const refused = await bought('dana')
  shop.double.misbehave('POST', 'refuse')
  expect((await refund(refused.id, { amountIdr: 1000, via: 'gateway' })).body.status).toBe('failed')
})

test('a lost answer is asked for again and sends the money once', async () => {
  const { id } = await bought('dana')
  const before = shop.double.refunds.size
  shop.double.misbehave('POST', 'cut_after', 'cut_after')
  expect((await refund(id, { amountIdr: 20_000, via: 'gateway' })).body.status).toBe('sending')
  await minutesLater()
  const made = [...shop.double.refunds.values()].slice(before)
  expect(made).toHaveLength(1)
  Object.assign(made[0] ?? {}, { status: 'SUCCEEDED' })
  await Promise.all([minutesLater(), minutesLater()])
  const rows = await shop.app.deps.db.select().from(orderRefunds).where(eq(orderRefunds.orderId, id))
  expect(rows.map(({ amountIdr }) => amountIdr)).toEqual([20_000])
})

test('virtual accounts are refunded by bank alone', async () => {
  const { id } = await bought('bca')
  expect((await seen(id)).refundableByGateway).toBe(false)
  expect(await refund(id, { amountIdr: 1000, via: 'gateway' })).toMatchObject({
    status: 409,
    body: { code: 'order.not_refundable_by_gateway' },
  })
  expect((await refund(id, { amountIdr: 1000 })).status).toBe(422)
  expect((await refund(id, { amountIdr: 1000, reference: 'BCA-3' })).status).toBe(201)
})
