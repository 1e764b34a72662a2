import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { expireOrders } from '#features/billing/server/orders/expire-orders.ts'
import { payAgain } from '#features/billing/server/payments/buyer-actions.ts'
import { pollPayments } from '#features/billing/server/payments/poll-payments.ts'
import { reconcilePayments } from '#features/billing/server/reconciliation/reconcile-payments.ts'
import { differences } from '#features/billing/server/tables/checks.ts'
import { orders } from '#features/billing/server/tables/orders.ts'
import { payments } from '#features/billing/server/tables/payments.ts'
import { createUser, lotsOf, order, orderOf, placeOrder } from '#tests/support/checkout.ts'
import type { DoublePaymentRequest } from '#tests/support/xendit-double/server.ts'
import { createXenditShop, pace, type XenditShop } from '#tests/support/xendit-shop.ts'

let shop: XenditShop

beforeAll(async () => {
  shop = await createXenditShop({ SELLER_NAME: 'PT. Rupa Contoh & Co' })
})
afterAll(() => shop.stop())
beforeEach(async () => {
  Object.assign(shop.double.now, { refusesRequests: null, showsNothing: false, forgetsKeys: false, presents: [] })
  await shop.forgetOpenOrders()
})

const byBank = { packageId: 'starter', method: 'bca' }

async function capture(
  { payment_request_id }: DoublePaymentRequest,
  paid: { amount?: number; currency?: string } = {},
) {
  const payment = shop.double.payRequest(payment_request_id, paid)
  return { payment, response: await shop.tell('payment.capture', payment) }
}

const received = async (orderId: string) =>
  await shop.app.deps.db.select().from(payments).where(eq(payments.orderId, orderId)).orderBy(payments.id)

describe('payment instructions on our own page', () => {
  test.each([
    ['cimb_niaga', 'CIMB_VIRTUAL_ACCOUNT'],
    ['bri', 'BRI_VIRTUAL_ACCOUNT'],
    ['bni', 'BNI_VIRTUAL_ACCOUNT'],
    ['bca', 'BCA_VIRTUAL_ACCOUNT'],
    ['bsi', 'BSI_VIRTUAL_ACCOUNT'],
    ['mandiri', 'MANDIRI_VIRTUAL_ACCOUNT'],
  ])('by %s are an account number of %s, in the seller’s name', async (method, channel) => {
    const { view, request } = await shop.placedHere(method)
    expect(shop.double.bodies.at(-1)).toMatchObject({
      channel_code: channel,
      channel_properties: { display_name: 'PT Rupa Contoh Co', expires_at: view.expiresAt },
    })
    const number = request.actions[0]?.value
    expect(view.payment).toMatchObject({ status: 'open', url: null, vaNumber: number, qrContent: null })
    expect(request.request_amount).toBe(view.totalIdr)
    expect(await shop.sessionsOf(view.id)).toEqual([])
  })

  test('by QRIS are a code', async () => {
    const { view, request } = await shop.placedHere('qris')
    expect(request.channel_code).toBe('QRIS')
    const code = request.actions[0]?.value
    expect(view.payment).toMatchObject({ status: 'open', url: null, vaNumber: null, qrContent: code })
  })

  test.each([
    ['is not activated', 403, 'INVALID_MERCHANT_SETTINGS'],
    ['is unknown to that interface', 400, 'API_VALIDATION_ERROR'],
  ])('give way to the gateway’s page where the channel %s', async (_why, status, errorCode) => {
    shop.double.now.refusesRequests = [status, errorCode]
    const { view, session } = await shop.placed(byBank)
    expect(view.payment).toMatchObject({ status: 'open', url: session.payment_link_url, vaNumber: null })
    expect(session.allowed_payment_channels).toEqual(['BCA_VIRTUAL_ACCOUNT'])
    await shop.tell('payment_session.completed', shop.double.pay(session.payment_session_id))
    await shop.expectPaidOnce(view.id)
  })

  test('are not requested again after a refusal and a crash, only the gateway’s page', async () => {
    shop.double.now.refusesRequests = [403, 'INVALID_MERCHANT_SETTINGS']
    const key = randomUUID()
    const refused = shop.double.hold('POST', { before: false })
    const dying = order(shop.user, byBank, key)
    await refused.reached
    const page = shop.double.hold('POST', { before: false })
    refused.letGo()
    await page.reached
    // The first process has died; the gateway would accept account numbers now.
    shop.double.now.refusesRequests = null
    shop.app.clock.advance({ minutes: 2 })
    const { body } = await order(shop.user, byBank, key)
    const [session, ...more] = await shop.sessionsOf(body.id)
    expect(body.payment).toMatchObject({ status: 'open', url: session?.payment_link_url })
    expect([more.length, await shop.active(body.id), (await shop.requestsOf(body.id)).length]).toEqual([0, 1, 0])
    page.letGo()
    expect((await dying).body.payment?.url).toBe(session?.payment_link_url)
    expect(await shop.active(body.id)).toBe(1)
  })

  test('come from the gateway’s page where its response carries them', async () => {
    shop.double.now.refusesRequests = [403, 'INVALID_MERCHANT_SETTINGS']
    const shown = (descriptor: string, value: string) => ({ type: 'PRESENT_TO_CUSTOMER', descriptor, value })
    shop.double.now.presents = [shown('VIRTUAL_ACCOUNT_NUMBER', '8810123456789012'), shown('QR_STRING', '00020101')]
    const { view, session } = await shop.placed(byBank)
    expect(view.payment).toMatchObject({
      vaNumber: '8810123456789012',
      qrContent: '00020101',
      url: session.payment_link_url,
    })
  })

  test('that are missing close the request before the gateway’s page replaces it', async () => {
    shop.double.now.showsNothing = true
    const { view, session } = await shop.placed(byBank)
    expect(view.payment?.url).toBe(session.payment_link_url)
    expect((await shop.requestsOf(view.id)).map(({ status }) => status)).toEqual(['CANCELED'])
    expect(await shop.active(view.id)).toBe(1)
  })

  test('stay as long as the request cannot be closed, without the gateway’s page', async () => {
    shop.double.now.showsNothing = true
    const held = shop.double.hold('POST', { before: false })
    const placing = order(shop.user, byBank)
    await held.reached
    shop.double.misbehave('POST', 'error_before')
    held.letGo()
    expect((await placing).status).toBe(502)
    const { id } = await shop.newestOrder()
    expect([(await shop.sessionsOf(id)).length, await shop.active(id)]).toEqual([0, 1])
  })
})

describe('a payment request whose outcome is unknown', () => {
  test.each(['error_before', 'error_after', 'cut_before', 'cut_after'] as const)(
    'is sent again at once (%s)',
    async (mishap) => {
      shop.double.misbehave('POST', mishap)
      const { view, request } = await shop.placedHere()
      await capture(request)
      await shop.expectPaidOnce(view.id)
      expect((await shop.requestsOf(view.id)).length).toBe(1)
    },
  )

  test('is sent again with the very same body, and never replaced by another one', async () => {
    shop.double.misbehave('POST', 'error_after', 'cut_after')
    const key = randomUUID()
    expect((await order(shop.user, byBank, key)).status).toBe(502)
    const asked = shop.double.bodies.at(-1)
    const { body } = await order(shop.user, byBank, key)
    expect(shop.double.bodies.at(-1)).toEqual(asked)
    expect(body.payment?.vaNumber).toMatch(/^\d+$/)
    expect([(await shop.requestsOf(body.id)).length, (await shop.sessionsOf(body.id)).length]).toEqual([1, 0])
  })

  test('is read and used when the gateway already has it', async () => {
    shop.double.misbehave('POST', 'conflict')
    const calls = shop.double.calls.length
    const { view, request } = await shop.placedHere()
    expect(view.payment?.vaNumber).toBe(request.actions[0]?.value)
    expect(shop.double.calls.slice(calls)).toContain(`GET /v3/payment_requests/${request.payment_request_id}`)
  })

  test('is found by the webhook of its payment', async () => {
    shop.double.misbehave('POST', 'error_after', 'cut_after')
    await order(shop.user, byBank)
    const { id } = await shop.newestOrder()
    const [request] = await shop.requestsOf(id)
    const { reference_id } = request as DoublePaymentRequest
    const payment = shop.double.payRequest(request?.payment_request_id as string)
    await shop.tell('payment.capture', { ...payment, reference_id })
    await shop.expectPaidOnce(id)
  })

  test('is closed when the buyer chooses another method', async () => {
    shop.double.misbehave('POST', 'error_after', 'cut_after')
    await order(shop.user, byBank)
    const { id } = await shop.newestOrder()
    expect((await shop.payAgain(id, { method: 'dana' })).body.payment).toMatchObject({ status: 'open' })
    expect((await shop.requestsOf(id)).map(({ status }) => status)).toEqual(['CANCELED'])
    expect(await shop.active(id)).toBe(1)
  })

  test('counts also when the gateway lost the key and the first of two was paid', async () => {
    shop.double.now.forgetsKeys = true
    shop.double.misbehave('POST', 'cut_after')
    const { view } = await shop.placedHere()
    const [lost, kept] = await shop.requestsOf(view.id)
    expect(kept).toBeDefined()
    const { reference_id, payment_request_id } = lost as DoublePaymentRequest
    // While unpaid, the lost one changes nothing.
    shop.double.setRequest(payment_request_id, 'EXPIRED')
    await shop.tell('payment_request.expiry', { payment_request_id, reference_id })
    await shop.expectUnpaid(view.id, 1)
    const payment = shop.double.payRequest(payment_request_id)
    await shop.tell('payment.capture', { ...payment, reference_id })
    await shop.expectPaidOnce(view.id)
    expect(await shop.active(view.id)).toBe(0)
  })
})

test('a slow process that is late closes the second account number, and not the displayed one', async () => {
  for (const forgetsKeys of [false, true]) {
    await shop.forgetOpenOrders()
    shop.double.now.forgetsKeys = forgetsKeys
    const key = randomUUID()
    const held = shop.double.hold('POST', { before: false })
    const slow = order(shop.user, byBank, key)
    await held.reached
    shop.app.clock.advance({ minutes: 2 })
    const { body } = await order(shop.user, byBank, key)
    held.letGo()
    expect((await slow).body.payment).toMatchObject({ status: 'open', vaNumber: body.payment?.vaNumber })
    const open = (await shop.requestsOf(body.id)).filter(({ status }) => status === 'REQUIRES_ACTION')
    expect(open.map(({ actions }) => actions[0]?.value)).toEqual([body.payment?.vaNumber])
  }
})

describe('a payment for a payment request', () => {
  test('counts once, with any number and kind of events', async () => {
    const { view, request } = await shop.placedHere()
    const { payment } = await capture(request)
    const events = ['payment.capture', 'payment.succeeded', 'payment.capture', 'payment.failure', 'payment.pending']
    const responses = await Promise.all(events.map((event) => shop.tell(event, payment)))
    expect(responses.map(({ status }) => status)).toEqual(events.map(() => 200))
    await shop.expectPaidOnce(view.id)
    expect(await received(view.id)).toMatchObject([{ paymentId: payment.payment_id, amount: 165_000, problem: null }])
    expect((await orderOf(shop.user, view.id)).history.map(({ to }) => to)).toEqual([1, 2])
  })

  test('is not trusted from the content of a webhook', async () => {
    const { view, request } = await shop.placedHere()
    const forged = { payment_id: 'py-forged', payment_request_id: request.payment_request_id, status: 'SUCCEEDED' }
    await shop.tell('payment.capture', forged)
    await shop.expectUnpaid(view.id, 1)
  })

  test.each([
    ['less', { amount: 164_999 }, 'wrong_amount'],
    ['more', { amount: 200_000 }, 'wrong_amount'],
    ['in another currency', { currency: 'PHP' }, 'wrong_currency'],
  ])('that is %s pays for nothing, and another try counts', async (_what, paid, problem) => {
    const { view, request } = await shop.placedHere()
    await capture(request, paid)
    await shop.expectUnpaid(view.id, 1)
    expect(await received(view.id)).toMatchObject([{ problem }])
    await shop.payAgain(view.id)
    await capture((await shop.requestsOf(view.id)).at(-1) as DoublePaymentRequest)
    await shop.expectPaidOnce(view.id)
  })

  test('that arrives after the end is honoured', async () => {
    const { view, request } = await shop.placedHere()
    const { payment_request_id } = shop.double.setRequest(request.payment_request_id, 'EXPIRED')
    await shop.tell('payment_request.expiry', { payment_request_id })
    await shop.expectUnpaid(view.id, 3)
    await capture(request)
    await shop.expectPaidOnce(view.id)
    expect((await orderOf(shop.user, view.id)).history.map(({ reason }) => reason)).toEqual([
      'placed',
      'expired',
      'paid_late',
    ])
  })

  test('that is pending sets the order to awaiting confirmation', async () => {
    const { view, request } = await shop.placedHere('qris')
    const { payment_request_id } = shop.double.setRequest(request.payment_request_id, 'AUTHORIZED')
    await shop.tell('payment.authorization', { payment_request_id })
    await shop.expectUnpaid(view.id, 0)
    await capture(request)
    await shop.expectPaidOnce(view.id)
    expect((await orderOf(shop.user, view.id)).history.map(({ to }) => to)).toEqual([1, 0, 2])
  })

  test('that failed leaves the order to be paid by another try', async () => {
    const { view, request } = await shop.placedHere()
    const { payment_request_id } = shop.double.setRequest(request.payment_request_id, 'FAILED')
    await shop.tell('payment.failure', { payment_request_id })
    expect(await orderOf(shop.user, view.id)).toMatchObject({ status: 1, payment: { status: 'failed' } })
    await shop.payAgain(view.id)
    await capture((await shop.requestsOf(view.id)).at(-1) as DoublePaymentRequest)
    await shop.expectPaidOnce(view.id)
  })

  test('that failed after it was pending ends the order, which can be placed anew', async () => {
    const { view, request } = await shop.placedHere('qris')
    const { payment_request_id } = shop.double.setRequest(request.payment_request_id, 'AUTHORIZED')
    await shop.tell('payment.authorization', { payment_request_id })
    shop.double.setRequest(payment_request_id, 'FAILED')
    await shop.tell('payment.failure', { payment_request_id })
    await shop.expectUnpaid(view.id, 3)
    expect((await shop.payAgain(view.id)).status).toBe(201)
  })

  test('that cannot be read yet when its webhook arrives is looked up again a moment later', async () => {
    const { view, request } = await shop.placedHere()
    const { payment_request_id } = request
    shop.app.clock.advance({ hours: 2 })
    await pollPayments(shop.app.deps, { pace })
    await shop.tell('payment.capture', { payment_request_id })
    await shop.expectUnpaid(view.id, 1)
    shop.double.payRequest(payment_request_id)
    shop.app.clock.advance({ seconds: 16 })
    await pollPayments(shop.app.deps, { pace })
    await shop.expectPaidOnce(view.id)
  })

  test('is found without any webhook', async () => {
    const { view, request } = await shop.placedHere()
    shop.double.payRequest(request.payment_request_id)
    shop.app.clock.advance({ seconds: 61 })
    await pollPayments(shop.app.deps, { pace })
    await shop.expectPaidOnce(view.id)
  })

  test('is looked up before an order ends', async () => {
    const paid = await shop.placedHere()
    const never = await shop.placedHere('bca', 'basic')
    shop.double.payRequest(paid.request.payment_request_id)
    shop.double.setRequest(never.request.payment_request_id, 'EXPIRED')
    shop.app.clock.advance({ hours: 25 })
    await expireOrders(shop.app.deps, { pace })
    const { db } = shop.app.deps
    const statusOf = async (id: string) => (await db.select().from(orders).where(eq(orders.id, id)))[0]?.status
    expect([await statusOf(paid.view.id), await statusOf(never.view.id)]).toEqual([2, 3])
    await shop.changePeople()
  })
})

test('a code that could be paid for longer than its order is closed when the order ends', async () => {
  const { view } = await shop.placedHere('bca')
  await shop.payAgain(view.id, { method: 'qris' })
  shop.app.clock.advance({ hours: 24, minutes: 6 })
  await expireOrders(shop.app.deps, { pace })
  expect((await shop.requestsOf(view.id)).map(({ status }) => status)).toEqual(['CANCELED', 'CANCELED'])
  const { db } = shop.app.deps
  expect((await db.select().from(orders).where(eq(orders.id, view.id)))[0]?.status).toBe(3)
  await shop.changePeople()
})

describe('an account number that is chosen after another method', () => {
  const hoursAfter = (view: { createdAt: string }, hours: number) => Date.parse(view.createdAt) + hours * 3_600_000

  test('is open as long as if it had been chosen first, and choosing again adds no time', async () => {
    const buyer = await createUser(shop.app)
    const first = await placeOrder(shop.app, buyer, { packageId: 'starter', method: 'gopay' })
    shop.app.clock.advance({ minutes: 5 })
    const order = await placeOrder(shop.app, buyer, { packageId: 'starter', method: 'bca' })
    expect(order).toMatchObject({ id: first.id, payment: { status: 'open' } })
    expect(Date.parse(order.payment?.expiresAt ?? '')).toBe(hoursAfter(first, 24))
    shop.app.clock.advance({ hours: 2 })
    await expireOrders(shop.app.deps, { pace })
    const again = await placeOrder(shop.app, buyer, { packageId: 'starter', method: 'bri' })
    expect(again.id).toBe(first.id)
    expect([again.expiresAt, again.payment?.expiresAt].map((end) => Date.parse(end ?? ''))).toEqual([
      hoursAfter(first, 24),
      hoursAfter(first, 24),
    ])
    expect(await shop.active(first.id)).toBe(1)
  })

  test('lets the session before it be paid after all, once', async () => {
    const buyer = await createUser(shop.app)
    const { id } = await placeOrder(shop.app, buyer, { packageId: 'starter', method: 'gopay' })
    await placeOrder(shop.app, buyer, { packageId: 'starter', method: 'bca' })
    const [session] = await shop.sessionsOf(id)
    shop.app.clock.advance({ minutes: 40 })
    await shop.tell('payment_session.completed', shop.double.pay(session?.payment_session_id as string))
    const [request] = await shop.requestsOf(id)
    await capture(request as DoublePaymentRequest)
    expect((await received(id)).map(({ problem }) => problem)).toEqual([null, 'paid_again'])
    expect(await lotsOf(shop.app, id)).toBe(1)
  })

  test('belongs to another order when it is chosen minutes before its order ends', async () => {
    const buyer = await createUser(shop.app)
    const { id } = await placeOrder(shop.app, buyer, { packageId: 'starter', method: 'bca' })
    shop.app.clock.advance({ hours: 23, minutes: 55 })
    const again = (method: 'bca' | 'bri') =>
      payAgain(shop.app.deps, buyer, randomUUID(), { id, method, mobileNumber: null })
    expect(await again('bca')).toEqual({ id, created: false })
    const other = await again('bri')
    expect(other.created).toBe(true)
    expect(await shop.active(id)).toBe(0)
    expect(await shop.active(other.id)).toBe(1)
    await shop.changePeople()
  })
})

describe('an order by account number is never paid twice', () => {
  test('because paying again, and a change of method, read the open request first', async () => {
    const { view, request } = await shop.placedHere()
    shop.double.payRequest(request.payment_request_id)
    for (const json of [{}, { method: 'dana' }]) {
      expect(await shop.payAgain(view.id, json)).toMatchObject({ status: 200, body: { id: view.id, status: 2 } })
    }
    expect((await shop.requestsOf(view.id)).length + (await shop.sessionsOf(view.id)).length).toBe(1)
    await shop.expectPaidOnce(view.id)
  })

  test('because a change of method closes what is open, there and back', async () => {
    const { view } = await shop.placedHere()
    for (const method of ['dana', 'qris', 'gopay', 'bri']) {
      expect((await shop.payAgain(view.id, { method })).body).toMatchObject({ method, payment: { status: 'open' } })
      expect(await shop.active(view.id)).toBe(1)
    }
  })

  test('because nothing else is created while a refused close is unconfirmed', async () => {
    const { view, request } = await shop.placedHere()
    shop.double.misbehave('POST', 'refuse')
    expect((await shop.payAgain(view.id, { method: 'dana' })).status).toBe(502)
    expect([await shop.active(view.id), (await shop.sessionsOf(view.id)).length]).toEqual([1, 0])
    // Meanwhile the buyer pays.
    await capture(request)
    await shop.expectPaidOnce(view.id)
  })

  test('because a cancelled order closes its account number, and the daily comparison finds payments all the same', async () => {
    const { view, request } = await shop.placedHere()
    await shop.user.request(`/api/orders/${view.id}/cancel`, { method: 'POST' })
    expect(request.status).toBe('CANCELED')
    shop.double.payRequest(request.payment_request_id)
    const quiet = { ...shop.app.deps, log: shop.app.deps.log.child({}, { level: 'silent' }) }
    expect(await reconcilePayments(quiet, { pace })).toContainEqual(
      expect.objectContaining({ id: view.id, what: 'payment_missed' }),
    )
    await shop.expectPaidOnce(view.id)
    const open = await shop.app.deps.db.select().from(differences).where(eq(differences.check, 'webhook'))
    expect(open.filter(({ resolvedAt }) => resolvedAt === null)).toEqual([])
  })
})
