import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readFunnel } from '#features/admin/server/contributions.ts'
import { firstOpenDay, rollUp } from '#features/admin/server/roll-up.ts'
import { dailyFigures, dailyFunnel } from '#features/admin/server/table.ts'
import { confirmOrder } from '#features/billing/server/orders/decide-order.ts'
import { refundOrder } from '#features/billing/server/orders/refund-order.ts'
import { readRevenue } from '#features/billing/server/reports/revenue.ts'
import { simulate } from '#features/billing/server/simulator.ts'
import { dailyRevenue } from '#features/billing/server/tables/checks.ts'
import { orders } from '#features/billing/server/tables/orders.ts'
import { orderRefunds, payments, simulatorSessions } from '#features/billing/server/tables/payments.ts'
import { generations } from '#features/generations/server/table.ts'
import { users } from '#server/auth/table.ts'
import { adminSources } from '#server-app/registrations.ts'
import { wibDay } from '#shared/time.ts'
import { createUser, order } from '#tests/support/checkout.ts'
import { createTestApp, type TestApp, type TestUser } from '#tests/support/test-app.ts'

let app: TestApp
let admin: TestUser
const begin = new Date('2026-01-01T00:00:00+07:00').getTime()
/** Hours after the first day's midnight in western Indonesia. */
const at = (hours: number) => new Date(begin + hours * 3_600_000)
const last = 40 * 24
/** With the clock of the reports. */
const tools = (hours: number) => ({ ...app.deps, clock: () => at(hours) })

beforeAll(async () => {
  // The reconciliation would report the orders without ledger entries.
  app = await createTestApp({ role: 'web' })
  admin = await app.createUser({ role: 'admin' })
  await app.deps.db
    .update(users)
    .set({ createdAt: at(0) })
    .where(eq(users.id, admin.id))
})
afterAll(() => app.stop())

async function join(hours: number): Promise<string> {
  const id = await createUser(app)
  await app.deps.db
    .update(users)
    .set({ createdAt: at(hours) })
    .where(eq(users.id, id))
  return id
}

let receipts = 0
async function pay(userId: string, hours: number, given: Partial<typeof orders.$inferInsert> = {}): Promise<string> {
  const id = randomUUID()
  const moment = at(hours)
  const { totalIdr = 165_000 } = given
  receipts += 1
  await app.deps.db.insert(orders).values({
    id,
    userId,
    status: 2,
    packageId: 'starter',
    packageName: 'STARTER',
    packageCents: 1000,
    packageCredits: 499,
    packageDays: 30,
    idrPerUsd: 16_500,
    subtotalIdr: totalIdr,
    discountIdr: 0,
    totalIdr,
    method: 'bca',
    driver: 'simulator',
    idempotencyKey: id,
    contentHash: '',
    acceptedAt: moment,
    createdAt: moment,
    paidAt: moment,
    receipt: 1_000_000 + receipts,
    ...given,
  })
  await app.deps.db.insert(payments).values({
    id: randomUUID(),
    orderId: id,
    driver: 'simulator',
    paymentId: id,
    amount: totalIdr,
    currency: 'IDR',
    receivedAt: moment,
  })
  return id
}

async function sendBack(orderId: string, hours: number, amountIdr: number): Promise<void> {
  const id = randomUUID()
  await app.deps.db.insert(orderRefunds).values({
    id,
    orderId,
    idempotencyKey: id,
    amountIdr,
    credits: 0,
    endsUnlimited: false,
    reference: 'TRX',
    reason: '',
    createdAt: at(hours),
    createdBy: admin.id,
  })
}

async function run(userId: string, hours: number): Promise<void> {
  const [id, moment] = [randomUUID(), at(hours)]
  await app.deps.db.insert(generations).values({
    id,
    userId,
    tool: 'test-tool',
    params: {},
    status: 'succeeded',
    credits: 5,
    idempotencyKey: id,
    contentHash: '',
    createdAt: moment,
    expiresAt: moment,
  })
}

const sum = (numbers: number[]) => numbers.reduce((all, number) => all + number, 0)

test('reports are the same before and after the final count of their days, also at the edges of days', async () => {
  const [early, late, never] = [await join(1), await join(47.99), await join(30)]
  await pay(early, 23.999)
  const second = await pay(early, 24, { method: null, packageName: null, voucherCode: 'KODE', totalIdr: 20_000 })
  await pay(late, 24 * 20 + 23.999, { method: 'qris' })
  await pay(never, 24 * 3, { totalIdr: 0 })
  await pay(late, last - 1)
  await sendBack(second, 24 * 2 - 0.001, 5000)
  await sendBack(second, 24 * 30, 5000)
  await run(early, 47.999)
  await run(early, 48)
  await run(late, 24 * 10)
  await run(admin.id, 24 * 10)
  const reading = tools(last)
  const spans = [
    {},
    { from: at(0) },
    { from: at(24), to: new Date(at(48).getTime() - 1) },
    { from: at(12), to: at(36) },
    { from: at(23.999), to: at(23.9995) },
    { from: at(24 * 20), to: at(last) },
    { from: at(24 * 25), to: at(24 * 24) },
  ]
  const read = async () => ({
    revenue: await Promise.all(spans.map((span) => readRevenue(reading, span))),
    funnel: await Promise.all(spans.map((span) => readFunnel(reading, adminSources, span))),
  })
  const before = await read()
  expect(before.revenue.map(({ total }) => [total.orders, total.receivedIdr, total.refundedIdr])).toEqual([
    [5, 515_000, 10_000],
    [5, 515_000, 10_000],
    [1, 20_000, 5000],
    [2, 185_000, 0],
    [1, 165_000, 0],
    [2, 330_000, 5000],
    [0, 0, 0],
  ])
  expect(before.funnel[1]?.total).toMatchObject({ registered: 3, started: 2, paid: 2 })
  expect(before.funnel[2]?.items).toMatchObject([{ day: '2026-01-02', registered: 2, started: 1, paid: 1 }])
  await rollUp(reading, adminSources)
  expect(await firstOpenDay(app.deps.db)).toBe(wibDay(at(last - 24)))
  expect(await app.deps.db.$count(dailyRevenue)).toBeGreaterThan(0)
  expect(await read()).toEqual(before)
  await rollUp(reading, adminSources)
  expect(await read()).toEqual(before)
})

test('events after the count of a day are added to it: first steps of users who came long before', async () => {
  const reading = tools(last + 24 * 5)
  const before = (await readFunnel(reading, adminSources, { from: at(0), to: at(47) })).total
  const quiet = await join(40)
  await run(quiet, last + 30)
  await pay(quiet, last + 31)
  const live = (await readFunnel(reading, adminSources, { from: at(24), to: at(47) })).items
  expect(live).toMatchObject([{ day: '2026-01-02', started: 2, paid: 2 }])
  await rollUp(reading, adminSources)
  expect((await readFunnel(reading, adminSources, { from: at(0), to: at(47) })).total).toMatchObject({
    started: before.started + 1,
    paid: before.paid + 1,
  })
  expect(sum((await app.deps.db.select().from(dailyFunnel)).map(({ started }) => started))).toBe(3)
})

test('late payments for an order of a counted day, and their refunds, are in the report', async () => {
  const buyer = await app.createUser()
  const { body } = await order(buyer, { packageId: 'starter', method: 'bca' })
  // An admin confirms less than the gateway reports weeks later.
  await confirmOrder(app.deps, { id: body.id, adminId: admin.id }, { reason: 'ada', receivedIdr: 1 })
  const [paid] = await app.deps.db.select().from(orders).where(eq(orders.id, body.id))
  const day = { from: paid?.paidAt as Date, to: paid?.paidAt as Date }
  const later = { ...app.deps, clock: () => new Date(app.clock.now().getTime() + 20 * 86_400_000) }
  await rollUp(later, adminSources)
  const total = async () => (await readRevenue(later, day)).total
  expect(await total()).toMatchObject({ orders: 1, receivedIdr: 1 })
  const [session] = await app.deps.db.select().from(simulatorSessions).where(eq(simulatorSessions.orderId, body.id))
  await simulate(later, session?.id as string, 'pay_late')
  expect(await total()).toMatchObject({ orders: 1, receivedIdr: body.totalIdr })
  const [counted] = await app.deps.db
    .select({ idr: sql<string>`sum(received_idr)` })
    .from(dailyRevenue)
    .where(eq(dailyRevenue.day, wibDay(day.from)))
  expect(Number(counted?.idr)).toBe(body.totalIdr)
  const refundedAt = later.clock()
  const refund = { amountIdr: 7, reference: 'T', reason: 'x', takeCredits: false }
  await refundOrder(later, { orderId: body.id, adminId: admin.id, key: 'a' }, refund)
  const [returned] = (await readRevenue(later, { from: refundedAt })).rows.filter(({ by }) => by === 'method')
  expect(returned).toMatchObject({ name: 'bca', orders: 0, refunds: 1, netIdr: -7 })
})

test('days counted again after an upgrade keep the counts of rows deleted since', async () => {
  const reading = tools(last + 24 * 5)
  const read = async () => {
    const { started, paid } = (await readFunnel(reading, adminSources, { from: at(0), to: at(47) })).total
    return { started, paid }
  }
  const before = await read()
  await app.deps.db.delete(generations)
  await app.deps.db.delete(dailyFunnel)
  await app.deps.db.delete(dailyFigures)
  await rollUp(reading, adminSources)
  expect(await read()).toEqual(before)
})
