import { randomUUID } from 'node:crypto'
import { eq, inArray } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { OrderView } from '#features/billing/contract.ts'
import { expireOrders } from '#features/billing/server/expire-orders.ts'
import { pollPayments } from '#features/billing/server/poll-payments.ts'
import { reconcilePayments } from '#features/billing/server/reconcile-payments.ts'
import { differences, orders, paymentAttempts, payments } from '#features/billing/server/table.ts'
import { auditedBooks, grantsOf, order, orderOf } from '#tests/support/checkout.ts'
import { createTestApp, type TestApp, type TestUser } from '#tests/support/test-app.ts'
import { createXenditDouble, type DoubleSession, type XenditDouble } from '#tests/support/xendit-double.ts'

let app: TestApp
let double: XenditDouble
let user: TestUser

beforeAll(async () => {
  double = await createXenditDouble({ secretKey: 'xnd_development_key', callbackToken: 'callback-token-of-the-tests' })
  app = await createTestApp({ env: { ...double.env, XENDIT_BASE_URL: double.url } })
  app.expectErrors(/payment\.failed|server\.unavailable/)
  user = await app.createUser()
})
afterAll(async () => {
  expect(double.problems).toEqual([])
  expect(await auditedBooks(app)).toEqual([])
  await app.stop()
  await double.close()
})

// A person may have only some orders open, and each test places its own.
beforeEach(async () => {
  const open = inArray(orders.status, [0, 1])
  const mine = await app.deps.db.update(orders).set({ status: 3 }).where(open).returning({ id: orders.id })
  if (mine.length === 0) return
  const theirs = inArray(
    paymentAttempts.orderId,
    mine.map(({ id }) => id),
  )
  await app.deps.db.update(paymentAttempts).set({ status: 'cancelled', closing: false, readAt: null }).where(theirs)
})

/** As fast as the double can. */
const pace = { perSecond: 2000, parallel: 4 }
const wish = { packageId: 'starter', method: 'bca' }

async function placed(given: Record<string, unknown> = wish): Promise<{ view: OrderView; session: DoubleSession }> {
  const { status, body } = await order(user, given)
  expect(status).toBe(201)
  return { view: body, session: await sessionOf(body.id) }
}

async function sessionOf(orderId: string): Promise<DoubleSession> {
  const of = eq(paymentAttempts.orderId, orderId)
  const attempts = await app.deps.db.select().from(paymentAttempts).where(of).orderBy(paymentAttempts.id)
  const id = attempts.findLast(({ sessionId }) => sessionId !== null)?.sessionId as string
  return double.sessions.get(id) as DoubleSession
}

async function tell(event: string, data: object, token?: string) {
  return await app.request('/api/webhooks/xendit', double.webhook(event, data, token))
}

async function expectPaidOnce(id: string) {
  expect((await orderOf(user, id)).status).toBe(2)
  expect(await grantsOf(app, id)).toBe(1)
}

async function expectUnpaid(id: string, status: number) {
  expect((await orderOf(user, id)).status).toBe(status)
  expect(await grantsOf(app, id)).toBe(0)
}

describe('creating a payment', () => {
  test.each([
    ['cimb_niaga', 'CIMB_VIRTUAL_ACCOUNT'],
    ['qris', 'QRIS'],
    ['shopeepay', 'SHOPEEPAY'],
  ])('by %s sends the buyer to the gateway’s page for %s', async (method, channel) => {
    const { view, session } = await placed({ packageId: 'basic', method })
    expect(session).toMatchObject({ amount: 412_500, currency: 'IDR', allowed_payment_channels: [channel] })
    expect(view.payment).toMatchObject({ driver: 'xendit', status: 'open', url: session.payment_link_url })
    expect(view.expiresAt).toBe(session.expires_at)
  })

  test.each(['error_before', 'error_after', 'cut_before', 'cut_after'] as const)(
    'goes on by itself when the first call fails (%s)',
    async (mishap) => {
      double.misbehave('POST', mishap)
      const { view, session } = await placed()
      double.pay(session.payment_session_id)
      await tell('payment_session.completed', session)
      await expectPaidOnce(view.id)
    },
  )

  test('that fails altogether says so, keeps the order, and the same key later is the same order', async () => {
    double.misbehave('POST', 'error_after', 'cut_after')
    const key = randomUUID()
    const failed = await order(user, wish, key)
    expect(failed).toMatchObject({ status: 502, body: { code: 'payment.failed' } })
    const { items } = (await (await user.request('/api/orders')).json()) as { items: OrderView[] }
    expect(items[0]).toMatchObject({ status: 1, payment: { status: 'creating', url: null } })
    const again = await order(user, wish, key)
    expect(again).toMatchObject({ status: 200, body: { id: items[0]?.id, payment: { status: 'open' } } })
    const session = await sessionOf(again.body.id)
    await tell('payment_session.completed', double.pay(session.payment_session_id))
    await expectPaidOnce(again.body.id)
  })

  test('that the gateway refuses fails at once, and can be tried with another method', async () => {
    double.misbehave('POST', 'refuse')
    const calls = double.calls.length
    expect((await order(user, wish)).status).toBe(502)
    expect(double.calls.length).toBe(calls + 1)
    const { items } = (await (await user.request('/api/orders')).json()) as { items: OrderView[] }
    expect(items[0]).toMatchObject({ status: 1, payment: { status: 'failed' }, canPayAgain: true })
    const headers = { 'idempotency-key': randomUUID() }
    const answer = await user.request(`/api/orders/${items[0]?.id}/pay_again`, { headers, json: { method: 'dana' } })
    expect(await answer.json()).toMatchObject({ method: 'dana', payment: { status: 'open' } })
  })

  test('asks the gateway once, however concurrently the same order is sent', async () => {
    const before = double.sessions.size
    const key = randomUUID()
    await Promise.all(Array.from({ length: 6 }, () => order(user, wish, key)))
    expect(double.sessions.size).toBe(before + 1)
  })
})

describe('a webhook', () => {
  test('duplicated 20 times, at once and later, pays once', async () => {
    const { view, session } = await placed()
    double.pay(session.payment_session_id)
    const responses = await Promise.all(Array.from({ length: 20 }, () => tell('payment_session.completed', session)))
    expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(200))
    await tell('payment_session.completed', session)
    await expectPaidOnce(view.id)
    const received = await app.deps.db.select().from(payments).where(eq(payments.orderId, view.id))
    expect(received).toMatchObject([{ amount: 165_000, currency: 'IDR', problem: null }])
    expect((await orderOf(user, view.id)).history.length).toBe(2)
  })

  test('out of order changes nothing that the gateway does not say itself', async () => {
    const { view, session } = await placed()
    // Claims that are not true, or not true yet.
    await tell('payment_session.completed', { ...session, status: 'COMPLETED', payment_id: 'py-forged' })
    await expectUnpaid(view.id, 1)
    await tell('payment_session.expired', { ...session, status: 'EXPIRED' })
    await expectUnpaid(view.id, 1)
    double.pay(session.payment_session_id)
    await tell('payment_session.completed', session)
    await tell('payment_session.expired', { ...session, status: 'EXPIRED' })
    await expectPaidOnce(view.id)
  })

  test('of an expiry cancels, and a late success after it is honoured', async () => {
    const { view, session } = await placed()
    double.set(session.payment_session_id, 'EXPIRED')
    await tell('payment_session.expired', session)
    await expectUnpaid(view.id, 3)
    double.pay(session.payment_session_id)
    await Promise.all(Array.from({ length: 5 }, () => tell('payment_session.completed', session)))
    await expectPaidOnce(view.id)
    expect((await orderOf(user, view.id)).history.map(({ to, reason }) => [to, reason])).toEqual([
      [1, 'placed'],
      [3, 'expired'],
      [2, 'paid_late'],
    ])
  })

  test.each([
    ['less money', { amount: 164_999 }, 'wrong_amount'],
    ['more money', { amount: 9_000_000_000 }, 'wrong_amount'],
    ['another currency', { currency: 'PHP' }, 'wrong_currency'],
  ])('of %s pays for nothing, and the admins get to know', async (_name, paid, problem) => {
    const { view, session } = await placed()
    double.pay(session.payment_session_id, paid)
    expect((await tell('payment_session.completed', session)).status).toBe(200)
    await tell('payment_session.completed', session)
    await expectUnpaid(view.id, 1)
    const received = await app.deps.db.select().from(payments).where(eq(payments.orderId, view.id))
    expect(received).toMatchObject([{ problem }])
    // The session is done with, and what is paid by another one counts.
    expect((await orderOf(user, view.id)).payment).toMatchObject({ status: 'failed', url: null })
    const headers = { 'idempotency-key': randomUUID() }
    await user.request(`/api/orders/${view.id}/pay_again`, { headers, json: {} })
    const second = await sessionOf(view.id)
    expect(second.payment_session_id).not.toBe(session.payment_session_id)
    await tell('payment_session.completed', double.pay(second.payment_session_id))
    await expectPaidOnce(view.id)
  })

  test.each([['wrong-token-of-some-length'], [''], [undefined]])('with the token %j is refused', async (token) => {
    const { view, session } = await placed()
    double.pay(session.payment_session_id)
    const { headers, json } = double.webhook('payment_session.completed', session, token ?? '')
    const given = token === undefined ? {} : headers
    expect((await app.request('/api/webhooks/xendit', { headers: given, json })).status).toBe(403)
    await expectUnpaid(view.id, 1)
  })

  test('of a session that nobody knows credits nobody, whatever reference it claims', async () => {
    const { view, session } = await placed()
    const stranger = { ...session, payment_session_id: `ps-${randomUUID()}`, status: 'COMPLETED' as const }
    expect((await tell('payment_session.completed', stranger)).status).toBe(200)
    await expectUnpaid(view.id, 1)
    const key = `webhook:unknown_session:${stranger.payment_session_id}`
    const [noted] = await app.deps.db.select().from(differences).where(eq(differences.key, key))
    expect(noted).toMatchObject({ check: 'webhook', what: 'unknown_session' })
  })

  test('that is no webhook is refused, and one about something else is let pass', async () => {
    const send = async (json: unknown) =>
      (await app.request('/api/webhooks/xendit', { headers: { 'x-callback-token': double.callbackToken }, json }))
        .status
    expect(await send({ event: 'payment_session.completed' })).toBe(422)
    expect(await send({ event: 'payment_session.completed', data: { payment_session_id: 7 } })).toBe(422)
    expect(await send({ event: 'invoice.paid', data: { id: 'x' } })).toBe(200)
    expect(await send({ event: 'payment.capture', data: { payment_request_id: 'pr-unknown' } })).toBe(200)
  })

  test('is asked for again when the gateway cannot be read, and then counts', async () => {
    const { view, session } = await placed()
    double.pay(session.payment_session_id)
    double.misbehave('GET', 'error_before')
    const refused = await tell('payment_session.completed', session)
    expect([refused.status, refused.headers.has('retry-after')]).toEqual([503, true])
    await expectUnpaid(view.id, 1)
    expect((await tell('payment_session.completed', session)).status).toBe(200)
    await expectPaidOnce(view.id)
  })

  test('of a payment finds its session by the request that the gateway named before', async () => {
    const { view, session } = await placed()
    Object.assign(session, { payment_request_id: `pr-${randomUUID()}`, status: 'PENDING' })
    await tell('payment.pending', session)
    expect((await orderOf(user, view.id)).status).toBe(0)
    const { payment_request_id } = session
    double.pay(session.payment_session_id)
    Object.assign(session, { payment_request_id })
    await tell('payment.succeeded', { payment_request_id, reference_id: 'something else' })
    await expectPaidOnce(view.id)
    expect((await orderOf(user, view.id)).history.map(({ to }) => to)).toEqual([1, 0, 2])
  })
})

describe('what disagrees with the gateway', () => {
  const quietly = () => ({ ...app.deps, log: app.deps.log.child({}, { level: 'silent' }) })
  const open = async (id: string) => {
    const rows = await app.deps.db.select().from(differences).where(eq(differences.subjectId, id))
    return rows.flatMap(({ what, resolvedAt }) => (resolvedAt ? [] : [what]))
  }

  test('is no longer money that is wrong, once it is known', async () => {
    const { view, session } = await placed()
    double.pay(session.payment_session_id, { amount: 5 })
    await tell('payment_session.completed', session)
    const found = await reconcilePayments(quietly(), { pace })
    expect(found.filter(({ id }) => id === view.id)).toEqual([])
    await expectUnpaid(view.id, 1)
  })

  test('stays until it is put right, however long that takes', async () => {
    const { view, session } = await placed()
    await tell('payment_session.completed', double.pay(session.payment_session_id))
    double.set(session.payment_session_id, 'ACTIVE')
    await reconcilePayments(quietly(), { pace })
    expect(await open(view.id)).toEqual(['not_paid_at_gateway'])
    app.clock.advance({ days: 8 })
    await reconcilePayments(quietly(), { pace })
    expect(await open(view.id)).toEqual(['not_paid_at_gateway'])
    double.set(session.payment_session_id, 'COMPLETED')
    app.clock.advance({ seconds: 1 })
    await reconcilePayments(quietly(), { pace })
    expect(await open(view.id)).toEqual([])
    user = await app.createUser()
  })

  test('is no order of a gateway that is configured no more', async () => {
    const { view } = await placed()
    const payment = { ...app.config.payment, drivers: ['simulator' as const] }
    const found = await reconcilePayments({ ...quietly(), config: { ...app.config, payment } }, { pace })
    expect(found.filter(({ id }) => id === view.id)).toEqual([])
  })

  test('is a payment that nobody knows, until its session names it', async () => {
    const { view, session } = await placed()
    const { payment_request_id } = double.pay(session.payment_session_id)
    await tell('payment.capture', { payment_request_id })
    await tell('payment.capture', { payment_request_id: 'pr-of-another-shop' })
    expect(await open(payment_request_id as string)).toEqual(['unknown_payment'])
    await tell('payment_session.completed', session)
    await expectPaidOnce(view.id)
    expect(await open(payment_request_id as string)).toEqual([])
    expect(await open('pr-of-another-shop')).toEqual(['unknown_payment'])
    const admin = await app.createUser({ role: 'admin' })
    const settle = async (key: string) =>
      (
        await admin.request('/api/admin/billing_differences/settle', {
          json: { keys: [key], reason: 'milik toko lain' },
        })
      ).status
    const key = 'webhook:unknown_payment:pr-of-another-shop'
    expect([await settle(key), await settle(key), await settle('books:grant:x')]).toEqual([200, 404, 404])
    await tell('payment.capture', { payment_request_id: 'pr-of-another-shop' })
    expect(await open('pr-of-another-shop')).toEqual([])
  })
})

test('an order that is cancelled while the gateway is asked leaves no session that could be paid', async () => {
  const { promise: reached, resolve: arrive } = Promise.withResolvers<void>()
  const { promise: release, resolve: letGo } = Promise.withResolvers<void>()
  double.misbehave('POST', { before: false, reached: arrive, release })
  const key = randomUUID()
  const placing = order(user, wish, key)
  await reached
  const { items } = (await (await user.request('/api/orders?limit=1')).json()) as { items: OrderView[] }
  const id = items[0]?.id as string
  await user.request(`/api/orders/${id}/cancel`, { method: 'POST' })
  letGo()
  expect((await placing).body).toMatchObject({ id, status: 3, payment: null })
  const session = await sessionOf(id)
  expect(session.status).toBe('CANCELED')
  // Should money come nevertheless, it finds its order.
  await tell('payment_session.completed', double.pay(session.payment_session_id))
  await expectPaidOnce(id)
})

describe('without any webhook', () => {
  test('a session that the gateway has lost is not asked for for ever', async () => {
    const { session } = await placed()
    double.sessions.delete(session.payment_session_id)
    const ask = async () => {
      const before = double.calls.length
      await pollPayments(app.deps, { pace })
      return double.calls.slice(before).filter((call) => call.includes(session.payment_session_id)).length
    }
    app.clock.advance({ days: 2 })
    expect(await ask()).toBe(1)
    app.clock.advance({ days: 2 })
    expect(await ask()).toBe(1)
    app.clock.advance({ days: 2 })
    expect(await ask()).toBe(0)
    user = await app.createUser()
  })

  test('a payment is found by asking', async () => {
    const { view, session } = await placed()
    double.pay(session.payment_session_id)
    app.clock.advance({ seconds: 61 })
    await pollPayments(app.deps, { pace })
    await expectPaidOnce(view.id)
  })

  test('an order’s end asks the gateway first, and a payment of the last second counts', async () => {
    const late = await placed({ packageId: 'starter', method: 'gopay' })
    const never = await placed({ packageId: 'starter', method: 'gopay' })
    double.pay(late.session.payment_session_id)
    double.set(never.session.payment_session_id, 'EXPIRED')
    app.clock.advance({ minutes: 31 })
    await expireOrders(app.deps, { pace })
    await expectPaidOnce(late.view.id)
    await expectUnpaid(never.view.id, 3)
  })

  test('a gateway that is silent at the end keeps the order open until it speaks', async () => {
    const { view, session } = await placed({ packageId: 'starter', method: 'linkaja' })
    app.clock.advance({ minutes: 31 })
    double.misbehave('GET', 'cut_before')
    await expireOrders(app.deps, { pace })
    await expectUnpaid(view.id, 1)
    double.pay(session.payment_session_id)
    await expireOrders(app.deps, { pace })
    await expectPaidOnce(view.id)
  })

  test('a cancelled order closes its session, and the daily comparison finds what was paid all the same', async () => {
    const closed = await placed()
    await user.request(`/api/orders/${closed.view.id}/cancel`, { method: 'POST' })
    expect(closed.session.status).toBe('CANCELED')
    const missed = await placed()
    await user.request(`/api/orders/${missed.view.id}/cancel`, { method: 'POST' })
    double.pay(missed.session.payment_session_id)
    app.clock.advance({ hours: 2 })
    const found = await reconcilePayments({ ...app.deps, log: app.deps.log.child({}, { level: 'silent' }) }, { pace })
    expect(found).toContainEqual(expect.objectContaining({ id: missed.view.id, what: 'payment_missed' }))
    expect(found.map(({ id }) => id)).not.toContain(closed.view.id)
    await expectPaidOnce(missed.view.id)
    const again = await reconcilePayments({ ...app.deps, log: app.deps.log.child({}, { level: 'silent' }) }, { pace })
    expect(again.filter(({ id }) => id === missed.view.id)).toEqual([])
  })

  test('a buyer who pays by the old method after all, while it is closed, gets the credits once', async () => {
    const { view, session } = await placed()
    const headers = { 'idempotency-key': randomUUID() }
    const again = await user.request(`/api/orders/${view.id}/pay_again`, { headers, json: { method: 'qris' } })
    expect(again.status).toBe(200)
    const second = await sessionOf(view.id)
    expect(second.payment_session_id).not.toBe(session.payment_session_id)
    expect(session.status).toBe('CANCELED')
    for (const { payment_session_id } of [second, session]) {
      const paid = double.pay(payment_session_id)
      await tell('payment_session.completed', paid)
    }
    await expectPaidOnce(view.id)
    const received = await app.deps.db.select().from(payments).where(eq(payments.orderId, view.id)).orderBy(payments.id)
    expect(received.map(({ problem }) => problem)).toEqual([null, 'paid_again'])
  })
})
