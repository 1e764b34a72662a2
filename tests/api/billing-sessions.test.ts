import { randomUUID } from 'node:crypto'
import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { users } from '#features/account/server/table.ts'
import type { OrderView } from '#features/billing/contract.ts'
import { cancelOrder } from '#features/billing/server/cancel-order.ts'
import { gatewayPace } from '#features/billing/server/gateway-pace.ts'
import { pollPayments } from '#features/billing/server/poll-payments.ts'
import { reconcilePaymentsDaily } from '#features/billing/server/reconcile-payments.ts'
import { differences, orders, paymentAttempts, payments, vouchers } from '#features/billing/server/table.ts'
import { maxUnknown } from '#features/billing/server/unknown-payments.ts'
import { anybody, auditedBooks, grantsOf, order, orderOf, place, voucher } from '#tests/support/checkout.ts'
import { createTestApp, type TestApp, type TestUser } from '#tests/support/test-app.ts'
import { createXenditDouble, type DoubleSession, type XenditDouble } from '#tests/support/xendit-double.ts'

let app: TestApp
let double: XenditDouble
let user: TestUser
let admin: TestUser

const pace = { perSecond: 2000, parallel: 4 }
const wish = { packageId: 'starter', method: 'bca' }

beforeAll(async () => {
  double = await createXenditDouble({ secretKey: 'xnd_development_key', callbackToken: 'callback-token-of-the-tests' })
  app = await createTestApp({ env: { ...double.env, XENDIT_BASE_URL: double.url, SELLER_NAME: 'PT Rupa Contoh' } })
  app.expectErrors(/payment\.failed|server\.unavailable|do not agree/)
  user = await app.createUser()
  admin = await app.createUser({ role: 'admin' })
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
  const left = await app.deps.db.update(orders).set({ status: 3 }).where(open).returning({ id: orders.id })
  if (left.length === 0) return
  const theirs = inArray(
    paymentAttempts.orderId,
    left.map(({ id }) => id),
  )
  await app.deps.db.update(paymentAttempts).set({ status: 'cancelled', closing: false, readAt: null }).where(theirs)
})

async function sessionsOf(orderId: string): Promise<DoubleSession[]> {
  const attempts = await app.deps.db.select().from(paymentAttempts).where(eq(paymentAttempts.orderId, orderId))
  const ours = new Set(attempts.map(({ id }) => id))
  return [...double.sessions.values()].filter(({ reference_id }) => ours.has(reference_id))
}

async function placed(given: Record<string, unknown> = wish): Promise<{ view: OrderView; session: DoubleSession }> {
  const { status, body } = await order(user, given)
  expect(status).toBe(201)
  return { view: body, session: (await sessionsOf(body.id)).at(-1) as DoubleSession }
}

async function payAgain(id: string, json: object = {}) {
  const headers = { 'idempotency-key': randomUUID() }
  const response = await user.request(`/api/orders/${id}/pay_again`, { headers, json })
  return { status: response.status, body: (await response.json()) as OrderView }
}

async function tell(event: string, data: object) {
  return await app.request('/api/webhooks/xendit', double.webhook(event, data))
}

const active = async (id: string) => (await sessionsOf(id)).filter(({ status }) => status === 'ACTIVE').length

describe('an order is never paid twice', () => {
  test('because paying again reads the open session first', async () => {
    const { view, session } = await placed()
    double.pay(session.payment_session_id)
    for (const json of [{}, { method: 'qris' }]) {
      expect(await payAgain(view.id, json)).toMatchObject({ status: 200, body: { id: view.id, status: 2 } })
    }
    expect((await sessionsOf(view.id)).length).toBe(1)
    expect(await grantsOf(app, view.id)).toBe(1)
  })

  test('because a change of method closes the open session first', async () => {
    const { view, session } = await placed()
    expect((await payAgain(view.id, { method: 'qris' })).body).toMatchObject({ status: 1, payment: { status: 'open' } })
    expect(session.status).toBe('CANCELED')
    expect(await active(view.id)).toBe(1)
  })

  test('because no other session is made until a refused close is known to have worked', async () => {
    const { view } = await placed()
    double.misbehave('POST', 'error_before')
    expect((await payAgain(view.id, { method: 'qris' })).status).toBe(502)
    double.misbehave('POST', 'refuse')
    expect((await payAgain(view.id, { method: 'qris' })).status).toBe(502)
    expect((await sessionsOf(view.id)).length).toBe(1)
    expect(await active(view.id)).toBe(1)
    // Without the buyer, too, it is tried again.
    app.clock.advance({ minutes: 5 })
    await pollPayments(app.deps, { pace })
    expect(await active(view.id)).toBe(0)
    expect((await payAgain(view.id, { method: 'qris' })).body).toMatchObject({ payment: { status: 'open' } })
    expect(await active(view.id)).toBe(1)
  })

  test('because a session whose creation was never confirmed is found and closed', async () => {
    double.misbehave('POST', 'error_after', 'cut_after')
    expect((await order(user, wish)).status).toBe(502)
    const { items } = (await (await user.request('/api/orders?limit=1')).json()) as { items: OrderView[] }
    const id = items[0]?.id as string
    expect((await payAgain(id, { method: 'dana' })).body).toMatchObject({ method: 'dana', payment: { status: 'open' } })
    expect(await active(id)).toBe(1)
  })

  test('because an admin’s confirmation reads the gateway first, and closes what is open', async () => {
    const paid = await placed()
    double.pay(paid.session.payment_session_id)
    const open = await placed({ packageId: 'starter', method: 'qris' })
    for (const { view } of [paid, open]) {
      const json = { reason: 'uang masuk' }
      expect((await admin.request(`/api/admin/orders/${view.id}/confirm`, { json })).status).toBe(204)
      expect(await grantsOf(app, view.id)).toBe(1)
    }
    expect((await orderOf(user, paid.view.id)).history.at(-1)).toMatchObject({ to: 2, by: 'gateway' })
    expect(open.session.status).toBe('CANCELED')
    // What the admin had seen arrives from the gateway later: it is the first payment, not a second one.
    await tell('payment_session.completed', double.pay(open.session.payment_session_id))
    const received = await app.deps.db.select().from(payments).where(eq(payments.orderId, open.view.id))
    expect(received.map(({ problem }) => problem)).toEqual([null])
    expect(await grantsOf(app, open.view.id)).toBe(1)
  })

  test('because a cancelled order that turns out to be paid is not placed anew', async () => {
    const { view, session } = await placed()
    double.misbehave('GET', 'error_before')
    await user.request(`/api/orders/${view.id}/cancel`, { method: 'POST' })
    double.pay(session.payment_session_id)
    expect(await payAgain(view.id)).toMatchObject({ status: 200, body: { id: view.id, status: 2 } })
  })
})

test('somebody who comes back from paying need not wait for a webhook', async () => {
  const { view, session } = await placed()
  double.pay(session.payment_session_id)
  const response = await user.request(`/api/orders/${view.id}/check`, { method: 'POST' })
  expect(await response.json()).toMatchObject({ id: view.id, status: 2 })
  const stranger = await app.createUser()
  expect((await stranger.request(`/api/orders/${view.id}/check`, { method: 'POST' })).status).toBe(404)
})

test('a change of method keeps the end of what was agreed, and a session that ends before leaves time for another', async () => {
  const { view } = await placed()
  app.clock.advance({ hours: 1 })
  const second = (await payAgain(view.id, { method: 'gopay' })).body
  expect(second.expiresAt).toBe(view.expiresAt)
  expect(Date.parse(second.payment?.expiresAt as string)).toBeLessThan(Date.parse(view.expiresAt as string))
  const session = (await sessionsOf(view.id)).find(({ status }) => status === 'ACTIVE') as DoubleSession
  await tell('payment_session.expired', double.set(session.payment_session_id, 'EXPIRED'))
  expect(await orderOf(user, view.id)).toMatchObject({ status: 1, canPayAgain: true, payment: { status: 'failed' } })
  const third = (await payAgain(view.id, { method: 'qris' })).body
  expect(third.payment?.expiresAt).toBe(view.expiresAt)
})

describe('a session', () => {
  test('is asked for again with the very body of the first time, whatever has changed since', async () => {
    double.misbehave('POST', 'error_after', 'cut_after')
    const key = randomUUID()
    const given = { ...wish, mobileNumber: '0812-3456-7890' }
    expect((await order(user, given, key)).status).toBe(502)
    const asked = double.bodies.at(-1)
    await app.deps.db.update(users).set({ name: 'Sari Dewi', language: 'en' }).where(eq(users.id, user.id))
    expect((await order(user, given, key)).body.payment).toMatchObject({ status: 'open' })
    expect(double.bodies.at(-1)).toEqual(asked)
    expect(asked).toMatchObject({
      customer: { mobile_number: '+6281234567890' },
      items: [{ category: 'Photo editing credits' }],
    })
  })

  test('carries the mobile number that was given with another method', async () => {
    const { body } = await order(user, { ...wish, method: 'dana' })
    await payAgain(body.id, { method: 'ovo', mobileNumber: '0813 1111 2222' })
    expect(double.bodies.at(-1)).toMatchObject({
      allowed_payment_channels: ['OVO'],
      customer: { mobile_number: '+6281311112222' },
    })
    expect((await payAgain(body.id, { method: 'ovo', mobileNumber: '12345' })).status).toBe(422)
  })

  test('that the gateway has already is read and used', async () => {
    double.misbehave('POST', 'conflict')
    const calls = double.calls.length
    const { body } = await order(user, wish)
    const [session] = await sessionsOf(body.id)
    expect(body.payment?.url).toBe(session?.payment_link_url)
    expect(double.calls.slice(calls)).toContain(`GET /sessions/${session?.payment_session_id}`)
  })

  test('whose creation was never confirmed is found by the webhook of its payment', async () => {
    double.misbehave('POST', 'error_after', 'cut_after')
    await order(user, wish)
    const { items } = (await (await user.request('/api/orders?limit=1')).json()) as { items: OrderView[] }
    const id = items[0]?.id as string
    const [session] = await sessionsOf(id)
    await tell('payment_session.completed', double.pay(session?.payment_session_id as string))
    expect((await orderOf(user, id)).status).toBe(2)
    expect(await grantsOf(app, id)).toBe(1)
  })

  test('shows its account number and code on our own page, where the gateway presents them', async () => {
    double.now.presents = [
      { type: 'PRESENT_TO_CUSTOMER', descriptor: 'VIRTUAL_ACCOUNT_NUMBER', value: '8810123456789012' },
      { type: 'PRESENT_TO_CUSTOMER', descriptor: 'QR_STRING', value: '00020101021226' },
    ]
    const { view, session } = await placed()
    double.now.presents = []
    expect(view.payment).toMatchObject({
      vaNumber: '8810123456789012',
      qrContent: '00020101021226',
      url: session.payment_link_url,
    })
    expect((await placed({ packageId: 'starter', method: 'qris' })).view.payment).toMatchObject({ qrContent: null })
  })

  test('whose payment is on its way sets its order to awaiting confirmation, though it is still active', async () => {
    const { view, session } = await placed()
    await tell('payment.pending', session)
    expect((await orderOf(user, view.id)).status).toBe(0)
    await tell('payment_session.completed', double.pay(session.payment_session_id))
    expect((await orderOf(user, view.id)).history.map(({ to }) => to)).toEqual([1, 0, 2])
  })
})

describe('webhooks of another shop', () => {
  test('are kept up to a number, counted beyond it, settled together and forgotten', async () => {
    const { db, clock } = app.deps
    const webhooks = and(eq(differences.check, 'webhook'), isNull(differences.resolvedAt))
    await db.execute(sql`
      insert into billing_differences (key, "check", what, subject_id, expected, found, first_seen_at, last_seen_at)
      select 'webhook:unknown_session:ps-foreign-' || n, 'webhook', 'unknown_session', 'ps-foreign-' || n, 'one of ours',
        'payment_session.completed', ${clock().toISOString()}::timestamptz, ${clock().toISOString()}::timestamptz
      from generate_series(1, ${maxUnknown}) n`)
    for (let n = 0; n < 5; n += 1) {
      await tell('payment_session.completed', { payment_session_id: `ps-foreign-more-${n}` })
    }
    expect(await db.$count(differences, webhooks)).toBe(maxUnknown + 1)
    const { view, session } = await placed()
    expect((await tell('payment_session.completed', double.pay(session.payment_session_id))).status).toBe(200)
    expect((await orderOf(user, view.id)).status).toBe(2)
    const shown = async () =>
      (await (await admin.request('/api/admin/billing_differences')).json()) as {
        items: { what: string; subjectId: string; count: number }[]
        groups: { what: string; count: number }[]
      }
    const before = await shown()
    expect(before.groups).toContainEqual(expect.objectContaining({ what: 'unknown_session', count: maxUnknown + 1 }))
    expect(before.items.find(({ subjectId }) => subjectId.startsWith('more-'))).toMatchObject({ count: 5 })
    const json = { what: 'unknown_session', reason: 'milik toko lain' }
    const settled = await admin.request('/api/admin/billing_differences/settle', { json })
    expect(await settled.json()).toEqual({ settled: maxUnknown + 1 })
    expect((await shown()).groups.filter(({ what }) => what === 'unknown_session')).toEqual([])
  })
})

describe('a gateway is asked with care', () => {
  test('many due sessions are read in one run, some at a time', async () => {
    const { db, clock } = app.deps
    const many = 230
    const buyer = await anybody(app)
    const first = await place(app, buyer, { packageId: 'starter', method: 'bca' })
    const [row] = await db.select().from(orders).where(eq(orders.id, first.id))
    const [attempt] = await db.select().from(paymentAttempts).where(eq(paymentAttempts.orderId, first.id))
    const [session] = await sessionsOf(first.id)
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
      double.sessions.set(one.session, copy)
      if (one === due.at(-1)) double.pay(one.session)
    }
    const calls = double.calls.length
    double.now.maxParallel = 0
    await pollPayments(app.deps, { pace })
    // The server's own polls may be at some of them.
    await vi.waitFor(() => expect(new Set(double.calls.slice(calls)).size).toBeGreaterThanOrEqual(many), 30_000)
    expect(double.now.maxParallel).toBeLessThanOrEqual(pace.parallel + gatewayPace.parallel)
    const last = eq(orders.id, due.at(-1)?.order as string)
    await vi.waitFor(async () => expect((await db.select().from(orders).where(last))[0]?.status).toBe(2), 10_000)
  })

  test('a person has at most five orders open, also when many are placed at once', async () => {
    const buyer = await anybody(app)
    const given = { packageId: 'starter', method: 'bca' } as const
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => place(app, buyer, given)))
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
    expect(refused.map(({ code }) => code)).toEqual(Array(3).fill('order.too_many_open'))
    const code = await voucher(app, { kind: 'free_credits', value: 5 })
    expect((await place(app, buyer, { voucherCode: code })).status).toBe(2)
    const mine = and(eq(orders.userId, buyer), eq(orders.status, 1))
    await app.deps.db.update(orders).set({ status: 3 }).where(mine)
    expect((await place(app, buyer, given)).status).toBe(1)
  })

  test('the daily comparison does not come with every start', async () => {
    const begun = async () => {
      const before = double.calls.length
      await reconcilePaymentsDaily(app.deps, { pace })
      return double.calls.length > before
    }
    await placed()
    app.clock.advance({ hours: 25 })
    expect(await begun()).toBe(true)
    expect(await begun()).toBe(false)
    app.clock.advance({ hours: 25 })
    expect(await begun()).toBe(true)
    user = await app.createUser()
    admin = await app.createUser({ role: 'admin' })
  })
})

test('money for an account that was deleted is kept for the admins, and buys nothing', async () => {
  const buyer = await anybody(app)
  const { id } = await place(app, buyer, { packageId: 'starter', method: 'bca' })
  const [session] = await sessionsOf(id)
  await app.deps.db
    .update(users)
    .set({ deletedAt: app.clock.now(), disabledAt: app.clock.now() })
    .where(eq(users.id, buyer))
  await tell('payment_session.completed', double.pay(session?.payment_session_id as string))
  const received = await app.deps.db.select().from(payments).where(eq(payments.orderId, id))
  expect(received).toMatchObject([{ problem: 'account_deleted', amount: 165_000 }])
  expect(await grantsOf(app, id)).toBe(0)
})

test('a voucher’s limit is not passed by a late payment, which is honoured without the extra', async () => {
  for (const kind of ['free_credits', 'percent_off'] as const) {
    const [late, other] = [await anybody(app), await anybody(app)]
    const code = await voucher(app, { kind, value: 10, limitTotal: 1 })
    const given = { packageId: 'starter', method: 'bca', voucherCode: code } as const
    const { id, totalIdr } = await place(app, late, given)
    const [session] = await sessionsOf(id)
    await cancelOrder(app.deps, late, id)
    await place(app, other, given)
    await tell('payment_session.completed', double.pay(session?.payment_session_id as string))
    const [paid] = await app.deps.db.select().from(orders).where(eq(orders.id, id))
    expect(paid).toMatchObject({ status: 2, totalIdr, voucherCredits: 0 })
    const [used] = await app.deps.db.select().from(vouchers).where(eq(vouchers.code, code))
    expect(used?.uses).toBe(1)
  }
})

test('a gateway that hangs keeps neither mails nor orders that need no gateway waiting', async () => {
  const { promise: release, resolve: letGo } = Promise.withResolvers<void>()
  const { promise: reached, resolve: arrive } = Promise.withResolvers<void>()
  const { view } = await placed()
  app.clock.advance({ minutes: 2 })
  double.misbehave('GET', { before: true, reached: arrive, release })
  const polling = pollPayments(app.deps, { pace })
  await reached
  // The poll waits for its answer; everything else goes on.
  const other = await app.registerAndVerify()
  await app.mailTo(other.email)
  const code = await voucher(app, { kind: 'free_credits', value: 5 })
  expect((await order(other, { voucherCode: code })).body.status).toBe(2)
  letGo()
  await polling
  expect((await orderOf(user, view.id)).status).toBe(1)
})
