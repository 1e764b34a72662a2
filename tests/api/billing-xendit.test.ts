import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { OrderView } from '#features/billing/schemas.ts'
import { expireOrders } from '#features/billing/server/orders/expire-orders.ts'
import { pollPayments } from '#features/billing/server/payments/poll-payments.ts'
import { reconcilePayments } from '#features/billing/server/reconciliation/reconcile-payments.ts'
import { differences } from '#features/billing/server/tables/checks.ts'
import { payments } from '#features/billing/server/tables/payments.ts'
import { order, orderOf } from '#tests/support/checkout.ts'
import type { DoubleSession } from '#tests/support/xendit-double/server.ts'
import { createXenditShop, pace, wish, type XenditShop } from '#tests/support/xendit-shop.ts'

let shop: XenditShop

beforeAll(async () => {
  shop = await createXenditShop()
})
afterAll(() => shop.stop())
beforeEach(() => shop.forgetOpenOrders())

describe('creating a payment', () => {
  test.each([
    ['dana', 'DANA'],
    ['linkaja', 'LINKAJA'],
    ['shopeepay', 'SHOPEEPAY'],
  ])('by %s sends the buyer to the gateway’s page for %s', async (method, channel) => {
    const { view, session } = await shop.placed({ packageId: 'basic', method })
    expect(session).toMatchObject({ amount: 412_500, currency: 'IDR', allowed_payment_channels: [channel] })
    expect(view.payment).toMatchObject({ driver: 'xendit', status: 'open', url: session.payment_link_url })
    expect(view.expiresAt).toBe(session.expires_at)
  })

  test.each(['error_before', 'error_after', 'cut_before', 'cut_after'] as const)(
    'is retried when the first call fails (%s)',
    async (mishap) => {
      shop.double.misbehave('POST', mishap)
      const { view, session } = await shop.placed()
      shop.double.pay(session.payment_session_id)
      await shop.tell('payment_session.completed', session)
      await shop.expectPaidOnce(view.id)
    },
  )

  test('that fails altogether reports it, keeps the order, and the same key later is the same order', async () => {
    shop.double.misbehave('POST', 'error_after', 'cut_after')
    const key = randomUUID()
    const failed = await order(shop.user, wish, key)
    expect(failed).toMatchObject({ status: 502, body: { code: 'payment.failed' } })
    const { items } = (await (await shop.user.request('/api/orders')).json()) as { items: OrderView[] }
    expect(items[0]).toMatchObject({ status: 1, payment: { status: 'creating', url: null } })
    const again = await order(shop.user, wish, key)
    expect(again).toMatchObject({ status: 200, body: { id: items[0]?.id, payment: { status: 'open' } } })
    const session = (await shop.sessionsOf(again.body.id)).at(-1) as DoubleSession
    await shop.tell('payment_session.completed', shop.double.pay(session.payment_session_id))
    await shop.expectPaidOnce(again.body.id)
  })

  test('that fails repeatedly appears in readiness, metrics and notices for admins, until one is created', async () => {
    const told = async () => {
      const { details } = (await (await shop.app.request('/readyz')).json()) as { details: Record<string, string> }
      const { items } = (await (await shop.admin.request('/api/admin/health')).json()) as {
        items: { name: string; problem: boolean }[]
      }
      const metrics = await (await shop.app.request('/metrics')).text()
      return {
        gateway: details.gateway,
        payments: details.payments,
        needed: items.some(({ name, problem }) => name === 'payments' && problem),
        failing: Number(/^rupa_payment_creates_failing (\d+)$/m.exec(metrics)?.[1]),
      }
    }
    await reconcilePayments(shop.app.deps, { pace })
    const well = { gateway: 'ok', payments: 'created', needed: false, failing: 0 }
    expect(await told()).toEqual(well)
    // A call with unknown outcome is tried twice.
    for (const mishaps of [['refuse'], ['error_before', 'error_before'], ['refuse'], ['refuse']] as const) {
      shop.double.misbehave('POST', ...mishaps)
      await shop.forgetOpenOrders()
      expect(await order(shop.user, wish)).toMatchObject({ status: 502, body: { code: 'payment.failed' } })
    }
    const payments = '4 consecutive failures to create a payment at the gateway: look at it'
    expect(await told()).toEqual({ gateway: 'failing', payments, needed: true, failing: 4 })
    await shop.forgetOpenOrders()
    expect((await order(shop.user, wish)).status).toBe(201)
    expect(await told()).toEqual(well)
  })

  test('that the gateway refuses fails at once, and can be tried with another method', async () => {
    shop.double.misbehave('POST', 'refuse')
    const calls = shop.double.calls.length
    expect((await order(shop.user, wish)).status).toBe(502)
    expect(shop.double.calls.length).toBe(calls + 1)
    const { items } = (await (await shop.user.request('/api/orders')).json()) as { items: OrderView[] }
    expect(items[0]).toMatchObject({ status: 1, payment: { status: 'failed' }, canPayAgain: true })
    const headers = { 'idempotency-key': randomUUID() }
    const answer = await shop.user.request(`/api/orders/${items[0]?.id}/pay_again`, {
      headers,
      json: { method: 'gopay' },
    })
    expect(await answer.json()).toMatchObject({ method: 'gopay', payment: { status: 'open' } })
  })

  test('calls the gateway once, however concurrently the same order is sent', async () => {
    const before = shop.double.sessions.size
    const key = randomUUID()
    await Promise.all(Array.from({ length: 6 }, () => order(shop.user, wish, key)))
    expect(shop.double.sessions.size).toBe(before + 1)
  })
})

describe('a webhook', () => {
  test('duplicated 20 times, at once and later, pays once', async () => {
    const { view, session } = await shop.placed()
    shop.double.pay(session.payment_session_id)
    const responses = await Promise.all(
      Array.from({ length: 20 }, () => shop.tell('payment_session.completed', session)),
    )
    expect(responses.map(({ status }) => status)).toEqual(Array(20).fill(200))
    await shop.tell('payment_session.completed', session)
    await shop.expectPaidOnce(view.id)
    const received = await shop.app.deps.db.select().from(payments).where(eq(payments.orderId, view.id))
    expect(received).toMatchObject([{ amount: 165_000, currency: 'IDR', problem: null }])
    expect((await orderOf(shop.user, view.id)).history.length).toBe(2)
  })

  test('out of order changes nothing that the gateway does not confirm', async () => {
    const { view, session } = await shop.placed()
    // Forged or early claims.
    await shop.tell('payment_session.completed', { ...session, status: 'COMPLETED', payment_id: 'py-forged' })
    await shop.expectUnpaid(view.id, 1)
    await shop.tell('payment_session.expired', { ...session, status: 'EXPIRED' })
    await shop.expectUnpaid(view.id, 1)
    shop.double.pay(session.payment_session_id)
    await shop.tell('payment_session.completed', session)
    await shop.tell('payment_session.expired', { ...session, status: 'EXPIRED' })
    await shop.expectPaidOnce(view.id)
  })

  test('of an expiry cancels, and a late success after it is honoured', async () => {
    const { view, session } = await shop.placed()
    shop.double.set(session.payment_session_id, 'EXPIRED')
    await shop.tell('payment_session.expired', session)
    await shop.expectUnpaid(view.id, 3)
    shop.double.pay(session.payment_session_id)
    await Promise.all(Array.from({ length: 5 }, () => shop.tell('payment_session.completed', session)))
    await shop.expectPaidOnce(view.id)
    expect((await orderOf(shop.user, view.id)).history.map(({ to, reason }) => [to, reason])).toEqual([
      [1, 'placed'],
      [3, 'expired'],
      [2, 'paid_late'],
    ])
  })

  test.each([
    ['less money', { amount: 164_999 }, 'wrong_amount'],
    ['more money', { amount: 9_000_000_000 }, 'wrong_amount'],
    ['another currency', { currency: 'PHP' }, 'wrong_currency'],
  ])('of %s pays for nothing, and the admins are notified', async (_name, paid, problem) => {
    const { view, session } = await shop.placed()
    shop.double.pay(session.payment_session_id, paid)
    expect((await shop.tell('payment_session.completed', session)).status).toBe(200)
    await shop.tell('payment_session.completed', session)
    await shop.expectUnpaid(view.id, 1)
    const received = await shop.app.deps.db.select().from(payments).where(eq(payments.orderId, view.id))
    expect(received).toMatchObject([{ problem }])
    // The session has ended; only another one can be paid.
    expect((await orderOf(shop.user, view.id)).payment).toMatchObject({ status: 'failed', url: null })
    const headers = { 'idempotency-key': randomUUID() }
    await shop.user.request(`/api/orders/${view.id}/pay_again`, { headers, json: {} })
    const second = (await shop.sessionsOf(view.id)).at(-1) as DoubleSession
    expect(second.payment_session_id).not.toBe(session.payment_session_id)
    await shop.tell('payment_session.completed', shop.double.pay(second.payment_session_id))
    await shop.expectPaidOnce(view.id)
  })

  test.each([['wrong-token-of-some-length'], [''], [undefined]])('with the token %j is refused', async (token) => {
    const { view, session } = await shop.placed()
    shop.double.pay(session.payment_session_id)
    const { headers, json } = shop.double.webhook('payment_session.completed', session, token ?? '')
    const given = token === undefined ? {} : headers
    expect((await shop.app.request('/api/webhooks/xendit', { headers: given, json })).status).toBe(403)
    await shop.expectUnpaid(view.id, 1)
  })

  test('of an unknown session credits no account, whatever reference it claims', async () => {
    const { view, session } = await shop.placed()
    const stranger = { ...session, payment_session_id: `ps-${randomUUID()}`, status: 'COMPLETED' as const }
    expect((await shop.tell('payment_session.completed', stranger)).status).toBe(200)
    await shop.expectUnpaid(view.id, 1)
    const key = `webhook:unknown_session:${stranger.payment_session_id}`
    const [noted] = await shop.app.deps.db.select().from(differences).where(eq(differences.key, key))
    expect(noted).toMatchObject({ check: 'webhook', what: 'unknown_session' })
  })

  test('with a malformed body is refused, and one with another subject is accepted and ignored', async () => {
    const send = async (json: unknown) =>
      (
        await shop.app.request('/api/webhooks/xendit', {
          headers: { 'x-callback-token': shop.double.callbackToken },
          json,
        })
      ).status
    expect(await send({ event: 'payment_session.completed' })).toBe(422)
    expect(await send({ event: 'payment_session.completed', data: { payment_session_id: 7 } })).toBe(422)
    expect(await send({ event: 'invoice.paid', data: { id: 'x' } })).toBe(200)
    expect(await send({ event: 'payment.capture', data: { payment_request_id: 'pr-unknown' } })).toBe(200)
  })

  test('gets 503 when the gateway cannot be read, and counts on redelivery', async () => {
    const { view, session } = await shop.placed()
    shop.double.pay(session.payment_session_id)
    shop.double.misbehave('GET', 'error_before')
    const refused = await shop.tell('payment_session.completed', session)
    expect([refused.status, refused.headers.has('retry-after')]).toEqual([503, true])
    await shop.expectUnpaid(view.id, 1)
    expect((await shop.tell('payment_session.completed', session)).status).toBe(200)
    await shop.expectPaidOnce(view.id)
  })

  test('of a payment finds its session by the request that the gateway named before', async () => {
    const { view, session } = await shop.placed()
    Object.assign(session, { payment_request_id: `pr-${randomUUID()}`, status: 'PENDING' })
    await shop.tell('payment.pending', session)
    expect((await orderOf(shop.user, view.id)).status).toBe(0)
    const { payment_request_id } = session
    shop.double.pay(session.payment_session_id)
    Object.assign(session, { payment_request_id })
    await shop.tell('payment.succeeded', { payment_request_id, reference_id: 'something else' })
    await shop.expectPaidOnce(view.id)
    expect((await orderOf(shop.user, view.id)).history.map(({ to }) => to)).toEqual([1, 0, 2])
  })
})

describe('a difference to the gateway', () => {
  const quietly = () => ({ ...shop.app.deps, log: shop.app.deps.log.child({}, { level: 'silent' }) })
  const open = async (id: string) => {
    const rows = await shop.app.deps.db.select().from(differences).where(eq(differences.subjectId, id))
    return rows.flatMap(({ what, resolvedAt }) => (resolvedAt ? [] : [what]))
  }

  test('is no longer unmatched money, once its order is known', async () => {
    const { view, session } = await shop.placed()
    shop.double.pay(session.payment_session_id, { amount: 5 })
    await shop.tell('payment_session.completed', session)
    const found = await reconcilePayments(quietly(), { pace })
    expect(found.filter(({ id }) => id === view.id)).toEqual([])
    await shop.expectUnpaid(view.id, 1)
  })

  test('stays until it is resolved, however long that takes', async () => {
    const { view, session } = await shop.placed()
    await shop.tell('payment_session.completed', shop.double.pay(session.payment_session_id))
    shop.double.set(session.payment_session_id, 'ACTIVE')
    await reconcilePayments(quietly(), { pace })
    expect(await open(view.id)).toEqual(['not_paid_at_gateway'])
    shop.app.clock.advance({ days: 8 })
    await reconcilePayments(quietly(), { pace })
    expect(await open(view.id)).toEqual(['not_paid_at_gateway'])
    shop.double.set(session.payment_session_id, 'COMPLETED')
    shop.app.clock.advance({ seconds: 1 })
    await reconcilePayments(quietly(), { pace })
    expect(await open(view.id)).toEqual([])
    await shop.changePeople()
  })

  test('is not an order of a gateway that is no longer configured', async () => {
    const { view } = await shop.placed()
    const payment = { ...shop.app.config.payment, drivers: ['simulator' as const] }
    const found = await reconcilePayments({ ...quietly(), config: { ...shop.app.config, payment } }, { pace })
    expect(found.filter(({ id }) => id === view.id)).toEqual([])
  })

  test('is a payment without a matching attempt, until its session names it', async () => {
    const { view, session } = await shop.placed()
    const { payment_request_id } = shop.double.pay(session.payment_session_id)
    await shop.tell('payment.capture', { payment_request_id })
    await shop.tell('payment.capture', { payment_request_id: 'pr-of-another-shop' })
    expect(await open(payment_request_id as string)).toEqual(['unknown_payment'])
    await shop.tell('payment_session.completed', session)
    await shop.expectPaidOnce(view.id)
    expect(await open(payment_request_id as string)).toEqual([])
    expect(await open('pr-of-another-shop')).toEqual(['unknown_payment'])
    const settle = async (key: string) =>
      (
        await shop.admin.request('/api/admin/billing_differences/settle', {
          json: { keys: [key], reason: 'milik toko lain' },
        })
      ).status
    const key = 'webhook:unknown_payment:pr-of-another-shop'
    expect([await settle(key), await settle(key), await settle('books:grant:x')]).toEqual([200, 404, 404])
    await shop.tell('payment.capture', { payment_request_id: 'pr-of-another-shop' })
    expect(await open('pr-of-another-shop')).toEqual([])
  })
})

test('an order cancelled during a call to the gateway leaves no session that could be paid', async () => {
  const { reached, letGo } = shop.double.hold('POST', { before: false })
  const key = randomUUID()
  const placing = order(shop.user, wish, key)
  await reached
  const { items } = (await (await shop.user.request('/api/orders?limit=1')).json()) as { items: OrderView[] }
  const id = items[0]?.id as string
  await shop.user.request(`/api/orders/${id}/cancel`, { method: 'POST' })
  letGo()
  expect((await placing).body).toMatchObject({ id, status: 3, payment: null })
  const session = (await shop.sessionsOf(id)).at(-1) as DoubleSession
  expect(session.status).toBe('CANCELED')
  // Late money still finds its order.
  await shop.tell('payment_session.completed', shop.double.pay(session.payment_session_id))
  await shop.expectPaidOnce(id)
})

describe('without any webhook', () => {
  test('a session that the gateway has lost is not requested for ever', async () => {
    const { session } = await shop.placed()
    shop.double.sessions.delete(session.payment_session_id)
    const ask = async () => {
      const before = shop.double.calls.length
      await pollPayments(shop.app.deps, { pace })
      return shop.double.calls.slice(before).filter((call) => call.includes(session.payment_session_id)).length
    }
    shop.app.clock.advance({ days: 2 })
    expect(await ask()).toBe(1)
    shop.app.clock.advance({ days: 2 })
    expect(await ask()).toBe(1)
    shop.app.clock.advance({ days: 2 })
    expect(await ask()).toBe(0)
    await shop.changePeople()
  })

  test('a payment is found by polling', async () => {
    const { view, session } = await shop.placed()
    shop.double.pay(session.payment_session_id)
    shop.app.clock.advance({ seconds: 61 })
    await pollPayments(shop.app.deps, { pace })
    await shop.expectPaidOnce(view.id)
  })

  test('the expiry of an order reads the gateway first, and a payment of the last second counts', async () => {
    const late = await shop.placed({ packageId: 'starter', method: 'gopay' })
    const never = await shop.placed({ packageId: 'basic', method: 'gopay' })
    shop.double.pay(late.session.payment_session_id)
    shop.double.set(never.session.payment_session_id, 'EXPIRED')
    shop.app.clock.advance({ minutes: 31 })
    await expireOrders(shop.app.deps, { pace })
    await shop.expectPaidOnce(late.view.id)
    await shop.expectUnpaid(never.view.id, 3)
  })

  test('a gateway that does not respond at the expiry keeps the order open until it does', async () => {
    const { view, session } = await shop.placed({ packageId: 'starter', method: 'linkaja' })
    shop.app.clock.advance({ minutes: 31 })
    shop.double.misbehave('GET', 'cut_before')
    await expireOrders(shop.app.deps, { pace })
    await shop.expectUnpaid(view.id, 1)
    shop.double.pay(session.payment_session_id)
    await expireOrders(shop.app.deps, { pace })
    await shop.expectPaidOnce(view.id)
  })

  test('a cancelled order closes its session, and the daily comparison finds payments all the same', async () => {
    const closed = await shop.placed()
    await shop.user.request(`/api/orders/${closed.view.id}/cancel`, { method: 'POST' })
    expect(closed.session.status).toBe('CANCELED')
    const missed = await shop.placed()
    await shop.user.request(`/api/orders/${missed.view.id}/cancel`, { method: 'POST' })
    shop.double.pay(missed.session.payment_session_id)
    shop.app.clock.advance({ hours: 2 })
    const found = await reconcilePayments(
      { ...shop.app.deps, log: shop.app.deps.log.child({}, { level: 'silent' }) },
      { pace },
    )
    expect(found).toContainEqual(expect.objectContaining({ id: missed.view.id, what: 'payment_missed' }))
    expect(found.map(({ id }) => id)).not.toContain(closed.view.id)
    await shop.expectPaidOnce(missed.view.id)
    const again = await reconcilePayments(
      { ...shop.app.deps, log: shop.app.deps.log.child({}, { level: 'silent' }) },
      { pace },
    )
    expect(again.filter(({ id }) => id === missed.view.id)).toEqual([])
  })

  test('a buyer who pays by the old method after all, while it is closed, gets the credits once', async () => {
    const { view, session } = await shop.placed()
    const headers = { 'idempotency-key': randomUUID() }
    const again = await shop.user.request(`/api/orders/${view.id}/pay_again`, { headers, json: { method: 'gopay' } })
    expect(again.status).toBe(200)
    const second = (await shop.sessionsOf(view.id)).at(-1) as DoubleSession
    expect(second.payment_session_id).not.toBe(session.payment_session_id)
    expect(session.status).toBe('CANCELED')
    for (const { payment_session_id } of [second, session]) {
      const paid = shop.double.pay(payment_session_id)
      await shop.tell('payment_session.completed', paid)
    }
    await shop.expectPaidOnce(view.id)
    const received = await shop.app.deps.db
      .select()
      .from(payments)
      .where(eq(payments.orderId, view.id))
      .orderBy(payments.id)
    expect(received.map(({ problem }) => problem)).toEqual([null, 'paid_again'])
  })
})
