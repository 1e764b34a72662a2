import { randomUUID } from 'node:crypto'
import { and, eq, isNull, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { orderStatus } from '#features/billing/rules.ts'
import { cancelOrder } from '#features/billing/server/orders/expire-orders.ts'
import { gatewayRate } from '#features/billing/server/payments/gateway-health.ts'
import { pollPayments } from '#features/billing/server/payments/poll-payments.ts'
import { maxUnknown, resolveLateUnknownPayments } from '#features/billing/server/payments/unknown-payments.ts'
import { reconcilePaymentsDaily } from '#features/billing/server/reconciliation/reconcile-payments.ts'
import { vouchers } from '#features/billing/server/tables/catalogue.ts'
import { differences } from '#features/billing/server/tables/checks.ts'
import { orders } from '#features/billing/server/tables/orders.ts'
import { paymentAttempts, payments } from '#features/billing/server/tables/payments.ts'
import { users } from '#server/auth/table.ts'
import { createUser, lotsOf, order, orderOf, placeOrder, voucher } from '#tests/support/checkout.ts'
import type { DoubleSession } from '#tests/support/xendit-double/server.ts'
import { createXenditShop, pace, wish, type XenditShop } from '#tests/support/xendit-shop.ts'

let shop: XenditShop

beforeAll(async () => {
  shop = await createXenditShop({ SELLER_NAME: 'PT Rupa Contoh' })
})
afterAll(() => shop.stop())
beforeEach(() => shop.forgetOpenOrders())

describe('an order is never paid twice', () => {
  test('because paying again reads the open session first', async () => {
    const { view, session } = await shop.placed()
    shop.double.pay(session.payment_session_id)
    for (const json of [{}, { method: 'qris' }]) {
      expect(await shop.payAgain(view.id, json)).toMatchObject({ status: 200, body: { id: view.id, status: 2 } })
    }
    expect((await shop.sessionsOf(view.id)).length).toBe(1)
    expect(await lotsOf(shop.app, view.id)).toBe(1)
  })

  test('because a change of method closes the open session first', async () => {
    const { view, session } = await shop.placed()
    expect((await shop.payAgain(view.id, { method: 'qris' })).body).toMatchObject({
      status: 1,
      payment: { status: 'open' },
    })
    expect(session.status).toBe('CANCELED')
    expect(await shop.active(view.id)).toBe(1)
    const shown = await (await shop.admin.request(`/api/admin/orders/${view.id}`)).json()
    expect(shown.attempts).toMatchObject([{ status: 'cancelled' }, { method: 'qris', status: 'open' }])
  })

  test('because no other session is created until a refused close is confirmed', async () => {
    const { view } = await shop.placed()
    shop.double.misbehave('POST', 'error_before')
    expect((await shop.payAgain(view.id, { method: 'qris' })).status).toBe(502)
    shop.double.misbehave('POST', 'refuse')
    expect((await shop.payAgain(view.id, { method: 'qris' })).status).toBe(502)
    expect((await shop.sessionsOf(view.id)).length).toBe(1)
    expect(await shop.active(view.id)).toBe(1)
    // Retried without the buyer, too.
    shop.app.clock.advance({ minutes: 5 })
    await pollPayments(shop.app.deps, { pace })
    expect(await shop.active(view.id)).toBe(0)
    expect((await shop.payAgain(view.id, { method: 'qris' })).body).toMatchObject({ payment: { status: 'open' } })
    expect(await shop.active(view.id)).toBe(1)
  })

  test('because a session whose creation was never confirmed is found and closed', async () => {
    shop.double.misbehave('POST', 'error_after', 'cut_after')
    expect((await order(shop.user, wish)).status).toBe(502)
    const { id } = await shop.newestOrder()
    expect((await shop.payAgain(id, { method: 'gopay' })).body).toMatchObject({
      method: 'gopay',
      payment: { status: 'open' },
    })
    expect(await shop.active(id)).toBe(1)
  })

  test('because an admin’s confirmation reads the gateway first, and closes what is open', async () => {
    const paid = await shop.placed()
    shop.double.pay(paid.session.payment_session_id)
    const open = await shop.placed({ packageId: 'basic', method: 'gopay' })
    for (const { view } of [paid, open]) {
      const json = { reason: 'uang masuk' }
      expect((await shop.admin.request(`/api/admin/orders/${view.id}/confirm`, { json })).status).toBe(204)
      expect(await lotsOf(shop.app, view.id)).toBe(1)
    }
    expect((await orderOf(shop.user, paid.view.id)).history.at(-1)).toMatchObject({ to: 2, by: 'gateway' })
    expect(open.session.status).toBe('CANCELED')
    // The first payment, not a second one: the admin had confirmed it.
    await shop.tell('payment_session.completed', shop.double.pay(open.session.payment_session_id))
    const received = await shop.app.deps.db.select().from(payments).where(eq(payments.orderId, open.view.id))
    expect(received.map(({ problem }) => problem)).toEqual([null])
    expect(await lotsOf(shop.app, open.view.id)).toBe(1)
  })

  test('because a cancelled order that turns out to be paid is not placed anew', async () => {
    const { view, session } = await shop.placed()
    shop.double.misbehave('GET', 'error_before')
    await shop.user.request(`/api/orders/${view.id}/cancel`, { method: 'POST' })
    shop.double.pay(session.payment_session_id)
    expect(await shop.payAgain(view.id)).toMatchObject({ status: 200, body: { id: view.id, status: 2 } })
  })
})

test('a buyer who returns from paying need not wait for a webhook', async () => {
  const { view, session } = await shop.placed()
  shop.double.pay(session.payment_session_id)
  const response = await shop.user.request(`/api/orders/${view.id}/check`, { method: 'POST' })
  expect(await response.json()).toMatchObject({ id: view.id, status: 2 })
  const stranger = await shop.app.createUser()
  expect((await stranger.request(`/api/orders/${view.id}/check`, { method: 'POST' })).status).toBe(404)
})

test('a change of method keeps the agreed end, and an earlier end of a session leaves time for another', async () => {
  const { view } = await shop.placed()
  shop.app.clock.advance({ hours: 1 })
  const second = (await shop.payAgain(view.id, { method: 'gopay' })).body
  expect(second.expiresAt).toBe(view.expiresAt)
  expect(Date.parse(second.payment?.expiresAt as string)).toBeLessThan(Date.parse(view.expiresAt as string))
  const session = (await shop.sessionsOf(view.id)).find(({ status }) => status === 'ACTIVE') as DoubleSession
  await shop.tell('payment_session.expired', shop.double.set(session.payment_session_id, 'EXPIRED'))
  expect(await orderOf(shop.user, view.id)).toMatchObject({
    status: 1,
    canPayAgain: true,
    payment: { status: 'failed' },
  })
  const third = (await shop.payAgain(view.id, { method: 'qris' })).body
  expect(third.payment?.expiresAt).toBe(view.expiresAt)
})

describe('a session', () => {
  test('is requested again with the very same body, whatever has changed since', async () => {
    shop.double.misbehave('POST', 'error_after', 'cut_after')
    const key = randomUUID()
    const given = { ...wish, mobileNumber: '0812-3456-7890' }
    expect((await order(shop.user, given, key)).status).toBe(502)
    const asked = shop.double.bodies.at(-1)
    await shop.app.deps.db.update(users).set({ name: 'Sari Dewi', language: 'en' }).where(eq(users.id, shop.user.id))
    expect((await order(shop.user, given, key)).body.payment).toMatchObject({ status: 'open' })
    expect(shop.double.bodies.at(-1)).toEqual(asked)
    expect(asked).toMatchObject({
      customer: { mobile_number: '+6281234567890' },
      items: [{ category: 'Photo editing credits' }],
    })
  })

  test('carries the mobile number that was given with another method', async () => {
    const { body } = await order(shop.user, { ...wish, method: 'dana' })
    await shop.payAgain(body.id, { method: 'ovo', mobileNumber: '0813 1111 2222' })
    expect(shop.double.bodies.at(-1)).toMatchObject({
      allowed_payment_channels: ['OVO'],
      customer: { mobile_number: '+6281311112222' },
    })
    expect((await shop.payAgain(body.id, { method: 'ovo', mobileNumber: '12345' })).status).toBe(422)
  })

  test('that the gateway already has is read and used', async () => {
    shop.double.misbehave('POST', 'conflict')
    const calls = shop.double.calls.length
    const { body } = await order(shop.user, wish)
    const [session] = await shop.sessionsOf(body.id)
    expect(body.payment?.url).toBe(session?.payment_link_url)
    expect(shop.double.calls.slice(calls)).toContain(`GET /sessions/${session?.payment_session_id}`)
  })

  test('without a confirmed creation is found by the webhook of its payment', async () => {
    shop.double.misbehave('POST', 'error_after', 'cut_after')
    await order(shop.user, wish)
    const { id } = await shop.newestOrder()
    const [session] = await shop.sessionsOf(id)
    await shop.tell('payment_session.completed', shop.double.pay(session?.payment_session_id as string))
    expect((await orderOf(shop.user, id)).status).toBe(2)
    expect(await lotsOf(shop.app, id)).toBe(1)
  })

  test('with a pending payment sets its order to awaiting confirmation, though it is still active', async () => {
    const { view, session } = await shop.placed()
    await shop.tell('payment.pending', session)
    expect((await orderOf(shop.user, view.id)).status).toBe(0)
    await shop.tell('payment_session.completed', shop.double.pay(session.payment_session_id))
    expect((await orderOf(shop.user, view.id)).history.map(({ to }) => to)).toEqual([1, 0, 2])
  })
})

describe('webhooks of another shop', () => {
  test('are kept up to a limit, counted beyond it, settled together and deleted', async () => {
    const { db, clock } = shop.app.deps
    const webhooks = and(eq(differences.check, 'webhook'), isNull(differences.resolvedAt))
    await db.execute(sql`
      insert into billing_differences (key, "check", what, subject_id, expected, found, first_seen_at, last_seen_at)
      select 'webhook:unknown_session:ps-foreign-' || n, 'webhook', 'unknown_session', 'ps-foreign-' || n, 'one of ours',
        'payment_session.completed', ${clock().toISOString()}::timestamptz, ${clock().toISOString()}::timestamptz
      from generate_series(1, ${maxUnknown}) n`)
    for (let n = 0; n < 5; n += 1) {
      await shop.tell('payment_session.completed', { payment_session_id: `ps-foreign-more-${n}` })
    }
    expect(await db.$count(differences, webhooks)).toBe(maxUnknown + 1)
    const { view, session } = await shop.placed()
    expect((await shop.tell('payment_session.completed', shop.double.pay(session.payment_session_id))).status).toBe(200)
    expect((await orderOf(shop.user, view.id)).status).toBe(2)
    const shown = async () =>
      (await (await shop.admin.request('/api/admin/billing_differences')).json()) as {
        items: { what: string; subjectId: string; count: number }[]
        groups: { what: string; count: number }[]
      }
    const before = await shown()
    expect(before.groups).toContainEqual(expect.objectContaining({ what: 'unknown_session', count: maxUnknown + 1 }))
    expect(before.items.find(({ subjectId }) => subjectId.startsWith('more-'))).toMatchObject({ count: 5 })
    const json = { what: 'unknown_session', reason: 'milik toko lain' }
    const settled = await shop.admin.request('/api/admin/billing_differences/settle', { json })
    expect(await settled.json()).toEqual({ settled: maxUnknown + 1 })
    expect((await shown()).groups.filter(({ what }) => what === 'unknown_session')).toEqual([])
    const kept = () => db.$count(differences, eq(differences.check, 'webhook'))
    await resolveLateUnknownPayments(shop.app.deps)
    expect(await kept()).toBe(maxUnknown + 1)
    shop.app.clock.advance({ days: 31 })
    await resolveLateUnknownPayments(shop.app.deps)
    expect(await kept()).toBe(0)
    await shop.changePeople()
  })
})

describe('limits of calls to the gateway', () => {
  test('many due sessions are read in a single pass, a few at a time', async () => {
    const { db, clock } = shop.app.deps
    const many = 230
    const buyer = await createUser(shop.app)
    const first = await placeOrder(shop.app, buyer, { packageId: 'starter', method: 'dana' })
    const [row] = await db.select().from(orders).where(eq(orders.id, first.id))
    const [attempt] = await db.select().from(paymentAttempts).where(eq(paymentAttempts.orderId, first.id))
    const [session] = await shop.sessionsOf(first.id)
    const due = Array.from({ length: many }, () => ({
      order: randomUUID(),
      attempt: randomUUID(),
      session: randomUUID(),
    }))
    await db
      .insert(orders)
      .values(due.map(({ order: id }) => ({ ...(row as typeof orders.$inferInsert), id, idempotencyKey: id })))
    await db.insert(paymentAttempts).values(
      due.map((one) => ({
        ...(attempt as typeof paymentAttempts.$inferInsert),
        id: one.attempt,
        orderId: one.order,
        sessionId: one.session,
        readAt: clock(),
      })),
    )
    for (const one of due) {
      const copy = { ...(session as DoubleSession), payment_session_id: one.session, reference_id: one.attempt }
      shop.double.sessions.set(one.session, copy)
      if (one === due.at(-1)) shop.double.pay(one.session)
    }
    const calls = shop.double.calls.length
    shop.double.load.maxParallel = 0
    await pollPayments(shop.app.deps, { pace })
    // The server's own polls may take some.
    await vi.waitFor(() => expect(new Set(shop.double.calls.slice(calls)).size).toBeGreaterThanOrEqual(many), 120_000)
    expect(shop.double.load.maxParallel).toBeLessThanOrEqual(pace.parallel + gatewayRate.parallel)
    const last = eq(orders.id, due.at(-1)?.order as string)
    await vi.waitFor(async () => expect((await db.select().from(orders).where(last))[0]?.status).toBe(2), 120_000)
  })

  test('a user has at most five open orders, also when many are placed at once', async () => {
    const buyer = await createUser(shop.app)
    const voucherCode = await voucher(shop.app, { kind: 'percent_off', value: 10, limitPerUser: null })
    const given = { packageId: 'starter', method: 'dana', voucherCode } as const
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => placeOrder(shop.app, buyer, given)))
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
    expect(refused.map(({ code }) => code)).toEqual(Array(3).fill('order.too_many_open'))
    const code = await voucher(shop.app, { kind: 'free_credits', value: 5 })
    expect((await placeOrder(shop.app, buyer, { voucherCode: code })).status).toBe(2)
    const mine = and(eq(orders.userId, buyer), eq(orders.status, orderStatus.unpaid))
    await shop.app.deps.db.update(orders).set({ status: orderStatus.cancelled }).where(mine)
    expect((await placeOrder(shop.app, buyer, given)).status).toBe(1)
  })

  test('an unpaid order is paid instead of another one on the same terms, also when both are placed at once', async () => {
    const buyer = await createUser(shop.app)
    const buy = (given: Partial<Parameters<typeof placeOrder>[2]> = {}) =>
      placeOrder(shop.app, buyer, { packageId: 'starter', method: 'qris', ...given })
    const [one, two] = await Promise.all([buy(), buy()])
    expect(two.id).toBe(one.id)
    const attempts = () => shop.app.deps.db.select().from(paymentAttempts).where(eq(paymentAttempts.orderId, one.id))
    expect(await attempts()).toHaveLength(1)
    // Another method keeps the order and closes its first session.
    const other = await buy({ method: 'dana' })
    expect(other).toMatchObject({ id: one.id, method: 'dana', payment: { status: 'open' } })
    expect((await attempts()).map(({ status }) => status).toSorted()).toEqual(['cancelled', 'open'])
    // Other terms make another order.
    expect((await buy({ packageId: 'basic' })).id).not.toBe(one.id)
    const voucherCode = await voucher(shop.app, { kind: 'percent_off', value: 10 })
    expect((await buy({ voucherCode })).id).not.toBe(one.id)
    expect(
      (await placeOrder(shop.app, await createUser(shop.app), { packageId: 'starter', method: 'qris' })).id,
    ).not.toBe(one.id)
    const offer = (credits: number) =>
      shop.admin.request('/api/admin/packages/mini', {
        method: 'PUT',
        json: { name: 'MINI', cents: 100, credits, days: 30, position: 0 },
      })
    await offer(30)
    const mini = await buy({ packageId: 'mini' })
    expect((await buy({ packageId: 'mini' })).id).toBe(mini.id)
    await offer(25)
    expect((await buy({ packageId: 'mini' })).package).toMatchObject({ credits: 25 })
  })

  test('the daily comparison does not restart with the process, but continues where it was stopped', async () => {
    const begun = async () => {
      const before = shop.double.calls.length
      await reconcilePaymentsDaily(shop.app.deps, { pace })
      return shop.double.calls.length > before
    }
    await shop.placed()
    shop.app.clock.advance({ hours: 25 })
    expect(await begun()).toBe(true)
    expect(await begun()).toBe(false)
    shop.app.clock.advance({ hours: 25 })
    expect(await begun()).toBe(true)
    shop.app.clock.advance({ hours: 25 })
    const stopped = { pace, signal: AbortSignal.abort(new Error('the process is stopping')) }
    await expect(reconcilePaymentsDaily(shop.app.deps, stopped)).rejects.toThrow('stopping')
    expect(await begun()).toBe(true)
    await shop.changePeople()
  })
})

test('a payment for a deleted account is kept for the admins, and buys nothing', async () => {
  const buyer = await createUser(shop.app)
  const { id } = await placeOrder(shop.app, buyer, { packageId: 'starter', method: 'dana' })
  const [session] = await shop.sessionsOf(id)
  await shop.app.deps.db
    .update(users)
    .set({ deletedAt: shop.app.clock.now(), disabledAt: shop.app.clock.now() })
    .where(eq(users.id, buyer))
  await shop.tell('payment_session.completed', shop.double.pay(session?.payment_session_id as string))
  const received = await shop.app.deps.db.select().from(payments).where(eq(payments.orderId, id))
  expect(received).toMatchObject([{ problem: 'account_deleted', amount: 165_000 }])
  expect(await lotsOf(shop.app, id)).toBe(0)
})

test('an admin who confirms the payment of a deleted account creates a difference, once', async () => {
  const buyer = await createUser(shop.app)
  const { id } = await placeOrder(shop.app, buyer, { packageId: 'starter', method: 'dana' })
  await shop.app.deps.db.update(users).set({ deletedAt: shop.app.clock.now() }).where(eq(users.id, buyer))
  for (const reason of ['uang masuk', 'sekali lagi']) {
    expect((await shop.admin.request(`/api/admin/orders/${id}/confirm`, { json: { reason } })).status).toBe(204)
  }
  const received = await shop.app.deps.db.select().from(payments).where(eq(payments.orderId, id))
  expect(received).toMatchObject([{ problem: 'account_deleted', amount: 165_000, settledAt: null }])
  expect(await lotsOf(shop.app, id)).toBe(0)
  const shown = await (await shop.admin.request(`/api/admin/orders/${id}`)).json()
  expect(shown).toMatchObject({ status: 3, moneyProblem: 'account_deleted' })
  expect(await shop.active(id)).toBe(0)
})

test('a voucher’s limit is not passed by a late payment, which is honoured without the extra', async () => {
  for (const kind of ['free_credits', 'percent_off'] as const) {
    const [late, other] = [await createUser(shop.app), await createUser(shop.app)]
    const code = await voucher(shop.app, { kind, value: 10, limitTotal: 1 })
    const given = { packageId: 'starter', method: 'dana', voucherCode: code } as const
    const { id, totalIdr } = await placeOrder(shop.app, late, given)
    const [session] = await shop.sessionsOf(id)
    await cancelOrder(shop.app.deps, late, id)
    await placeOrder(shop.app, other, given)
    await shop.tell('payment_session.completed', shop.double.pay(session?.payment_session_id as string))
    const [paid] = await shop.app.deps.db.select().from(orders).where(eq(orders.id, id))
    expect(paid).toMatchObject({ status: 2, totalIdr, voucherCredits: 0 })
    const [used] = await shop.app.deps.db.select().from(vouchers).where(eq(vouchers.code, code))
    expect(used?.uses).toBe(1)
  }
})
