import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { BillingDeps } from '#features/billing/server/deps.ts'
import { createOrder } from '#features/billing/server/orders/create-order.ts'
import { expireOrders } from '#features/billing/server/orders/expire-orders.ts'
import { reconcileLedger } from '#features/billing/server/reconciliation/reconcile-ledger.ts'
import { type SimulatorAction, simulate } from '#features/billing/server/simulator.ts'
import { orders as orderTable } from '#features/billing/server/tables/orders.ts'
import { simulatorSessions } from '#features/billing/server/tables/payments.ts'
import { createVoucher } from '#features/billing/server/vouchers/admin-vouchers.ts'
import { expireAllLots } from '#features/credits/server/contributions.ts'
import { credits } from '#features/credits/server/credits.ts'
import { endGeneration } from '#features/generations/server/execution/end-generation.ts'
import { requestRefund } from '#features/generations/server/refunds/request-refund.ts'
import { generations } from '#features/generations/server/table.ts'
import { users } from '#server/auth/table.ts'
import { type OpenDatabase, openDatabase, rows } from '#server/db/database.ts'
import { transact } from '#server/db/transact.ts'
import { createLog } from '#server/log.ts'
import { createFolderStore } from '#server/storage/folder-store.ts'
import { readConfig } from '#server-app/config.ts'
import { type Codes, CreditModel, sumByEnd } from '#tests/support/credit-model.ts'
import { createServerHome, type ServerHome } from '#tests/support/server-home.ts'

const runs = process.env.SOAK ? 200 : 2
const steps = { minLength: 90, maxLength: 130 }
const hour = 3_600_000

let home: ServerHome
let database: OpenDatabase
let deps: BillingDeps
let now = new Date('2026-12-01T00:00:00Z')

beforeAll(async () => {
  home = await createServerHome()
  // Thousands of steps need not survive a power cut.
  const unsynced = '?options=-c%20synchronous_commit%3Doff'
  const config = readConfig({
    ...home.env,
    ...(home.databaseUrl !== undefined && { DATABASE_URL: home.databaseUrl + unsynced }),
  })
  const log = createLog('silent')
  database = await openDatabase(config, log, () => {})
  // Only the listed steps may happen, so the server's jobs are off.
  const jobs = { send: async () => {} } as unknown as BillingDeps['jobs']
  deps = { config, clock: () => now, log, db: database.db, store: createFolderStore(config.dataDir), jobs }
})
afterAll(async () => {
  await database.close()
  await home.drop()
})

type Step =
  | { kind: 'wait'; hours: number }
  | { kind: 'buy'; packageId: 'starter' | 'basic' | 'premium' }
  | { kind: 'voucher'; value: number }
  | { kind: 'pay'; order: number; action: SimulatorAction }
  | { kind: 'spend'; price: number }
  | { kind: 'end'; generation: number; status: 'failed' | 'cancelled' | 'succeeded' }
  | { kind: 'request_refund'; generation: number }
  | { kind: 'expire' }

const which = fc.nat(5)
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('wait' as const), hours: fc.constantFrom(1, 5, 24, 70, 240) }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('buy' as const),
      packageId: fc.constantFrom('starter' as const, 'starter' as const, 'basic' as const, 'premium' as const),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('voucher' as const), value: fc.integer({ min: 1, max: 60 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('pay' as const),
      order: which,
      action: fc.constantFrom<SimulatorAction>('pay', 'pay', 'pay', 'pay_twice', 'pay_late', 'pay_wrong', 'expire'),
    }),
  },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('spend' as const), price: fc.integer({ min: 1, max: 400 }) }) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('end' as const),
      generation: which,
      status: fc.constantFrom('failed' as const, 'cancelled' as const, 'succeeded' as const, 'succeeded' as const),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('request_refund' as const), generation: which }) },
  { weight: 2, arbitrary: fc.constant({ kind: 'expire' as const }) },
)

/** Replays a user's credit history on the database and in the model. */
async function live(list: Step[]): Promise<void> {
  const userId = randomUUID()
  await deps.db
    .insert(users)
    .values({ id: userId, name: 'Sari', email: `${userId}@contoh.id`, birthYear: 1990, createdAt: now })
  const model = new CreditModel()
  const orders: { id: string; session: string }[] = []
  const generationIds: string[] = []
  const latest = <Item>(items: Item[], back: number): Item | undefined => items[items.length - 1 - back]

  for (const current of list) {
    // Distinct moments, so that no two lots expire together.
    now = new Date(now.getTime() + 1 + (current.kind === 'wait' ? current.hours * hour : 0))
    model.now = now.getTime()
    switch (current.kind) {
      case 'wait':
        break
      case 'buy': {
        const { packageId } = current
        const wish = { packageId, voucherCode: null, method: 'qris', mobileNumber: null, acceptedAt: now } as const
        const placing = createOrder(deps, userId, randomUUID(), wish)
        const same = model.waiting(packageId)
        if (same) {
          expect(await placing).toEqual({ id: same, created: false })
          break
        }
        expect(await code(placing)).toBe(model.mayBuy())
        if (model.mayBuy() !== 'ok') break
        const { id } = await placing
        const [session] = await deps.db.select().from(simulatorSessions).where(eq(simulatorSessions.orderId, id))
        orders.push({ id, session: session?.id as string })
        model.buy(id, packageId)
        break
      }
      case 'voucher': {
        const code = randomUUID().slice(0, 8).toUpperCase()
        await createVoucher(deps, null, { code, kind: 'free_credits', value: current.value, days: 90, active: true })
        const wish = { packageId: null, voucherCode: code, method: null, mobileNumber: null, acceptedAt: now }
        await createOrder(deps, userId, randomUUID(), wish)
        model.gain(current.value, 90)
        break
      }
      case 'pay': {
        const order = latest(orders, current.order)
        if (!order) break
        expect(await code(simulate(deps, order.session, current.action))).toBe(model.pay(order.id, current.action))
        expect(await statusOf(order.id)).toBe(model.orderStatus(order.id))
        break
      }
      case 'spend': {
        const id = randomUUID()
        const expected = model.spend(id, current.price)
        expect(await code(spend(userId, id, current.price))).toBe(expected)
        if (expected === 'ok') generationIds.push(id)
        break
      }
      case 'end': {
        const id = latest(generationIds, current.generation)
        if (!id) break
        await end(id, current.status)
        model.end(id, current.status)
        break
      }
      case 'request_refund': {
        const id = latest(generationIds, current.generation)
        if (!id) break
        expect(await code(requestRefund(deps, { userId, id, reason: 'wajahnya salah' }))).toBe(model.requestRefund(id))
        break
      }
      case 'expire':
        await expireAllLots(deps)
        await expireOrders(deps)
        model.expireOrders()
        for (const order of orders) {
          expect(await statusOf(order.id)).toBe(model.orderStatus(order.id))
        }
    }
    const balance = await credits.balance(deps.db, userId, now)
    const lots = balance.grants.map(({ remaining, expiresAt }): [number, number] => [remaining, Date.parse(expiresAt)])
    expect(sumByEnd(lots)).toEqual(model.lots())
    expect(balance.unlimitedUntil && Date.parse(balance.unlimitedUntil)).toBe(model.unlimitedUntil())
    expect(await sums(userId)).toEqual({ agree: true })
  }
}

/** The ledger, the lots and the running balance must agree. */
async function sums(userId: string) {
  const [row] = await rows<{ agree: boolean }>(
    deps.db,
    sql`select coalesce((select sum(amount) from ledger_entries where user_id = ${userId}), 0) = all (array[
      coalesce((select sum(remaining) from credit_grants where user_id = ${userId}), 0),
      coalesce((select balance from credit_accounts where user_id = ${userId}), 0)]) as agree`,
  )
  return row
}

async function statusOf(id: string): Promise<number | undefined> {
  const [order] = await deps.db.select({ status: orderTable.status }).from(orderTable).where(eq(orderTable.id, id))
  return order?.status
}

async function spend(userId: string, id: string, price: number): Promise<void> {
  const tool = 'background-removal'
  await transact(deps.db, async (tx) => {
    const paid = await credits.charge(tx, { userId, generationId: id, tool, unit: price, credits: price, now })
    await tx.insert(generations).values({
      id,
      userId,
      tool,
      params: {},
      status: 'generating',
      credits: paid.credits,
      idempotencyKey: id,
      contentHash: '',
      createdAt: now,
      expiresAt: now,
    })
  })
}

async function end(id: string, status: 'failed' | 'cancelled' | 'succeeded'): Promise<void> {
  if (status === 'succeeded') {
    await deps.db
      .update(generations)
      .set({ status, finishedAt: now })
      .where(sql`${eq(generations.id, id)} and status = 'generating'`)
    return
  }
  await transact(deps.db, (tx) => endGeneration(tx, { id, status, errorCode: null, now }))
}

async function code(action: Promise<unknown>): Promise<Codes> {
  try {
    await action
    return 'ok'
  } catch (error) {
    return (error as { code: Codes }).code
  }
}

test('credits follow a simple model through thousands of random steps', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, steps), async (list) => {
      await live(list)
    }),
    { numRuns: runs, endOnFailure: true, ...(process.env.FC_SEED && { seed: Number(process.env.FC_SEED) }) },
  )
  const found = await reconcileLedger(deps)
  // Only wrong and repeated payments are expected.
  expect(found.filter(({ what }) => what !== 'paid_again' && what !== 'wrong_amount')).toEqual([])
})
