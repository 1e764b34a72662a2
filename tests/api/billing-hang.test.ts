import { eq, inArray } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { expireOrders } from '#features/billing/server/orders/expire-orders.ts'
import { pollPayments } from '#features/billing/server/payments/poll-payments.ts'
import { reconcilePayments } from '#features/billing/server/reconciliation/reconcile-payments.ts'
import { orders } from '#features/billing/server/tables/orders.ts'
import { paymentAttempts } from '#features/billing/server/tables/payments.ts'
import { createUser, order, placeOrder, voucher } from '#tests/support/checkout.ts'
import { createFakeEngine, succeed } from '#tests/support/fake-engine.ts'
import { reached, submitted } from '#tests/support/submit.ts'
import { createXenditShop, pace, type XenditShop } from '#tests/support/xendit-shop.ts'

let shop: XenditShop
const engine = createFakeEngine()

beforeAll(async () => {
  engine.behave(succeed)
  const env = { PAYMENTS: 'manual,xendit', MANUAL_ACCOUNTS: 'bsi:7123456789:PT Rupa Contoh' }
  shop = await createXenditShop(env, { engine })
})
afterAll(() => shop.stop())

const statusOf = async (id: string) =>
  (await shop.app.deps.db.select({ status: orders.status }).from(orders).where(eq(orders.id, id)))[0]?.status

/** Half of them expired. */
async function dueOrders(): Promise<string[]> {
  const { db, clock } = shop.app.deps
  const people = await Promise.all(Array.from({ length: 6 }, () => createUser(shop.app)))
  const views = await Promise.all(
    people.flatMap((buyer) =>
      (['dana', 'bni'] as const).map((method) => placeOrder(shop.app, buyer, { packageId: 'starter', method })),
    ),
  )
  const ids = views.map(({ id }) => id)
  await db.update(paymentAttempts).set({ readAt: clock() }).where(inArray(paymentAttempts.orderId, ids))
  await db
    .update(orders)
    .set({ expiresAt: clock() })
    .where(inArray(orders.id, ids.slice(0, 6)))
  return ids
}

test('a gateway that hangs delays neither generations nor mails nor other orders', async () => {
  const limits = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => new AbortController().signal)
  const transferred = await placeOrder(shop.app, await createUser(shop.app), { packageId: 'starter', method: 'bsi' })
  expect(transferred.payment?.account?.number).toBe('7123456789')
  const ids = await dueOrders()
  await shop.app.deps.db.update(orders).set({ expiresAt: shop.app.clock.now() }).where(eq(orders.id, transferred.id))
  const letGo = shop.double.hang()
  const ended: unknown[] = []
  const stuck = [expireOrders(shop.app.deps, { pace, asking: true }), reconcilePayments(shop.app.deps, { pace })].map(
    (task) => task.finally(() => ended.push(task)),
  )
  const polling = pollPayments(shop.app.deps, { pace })
  await vi.waitFor(() => expect(shop.double.load.parallel).toBeGreaterThanOrEqual(2 * pace.parallel), 120_000)

  const person = await shop.app.registerAndVerify()
  await shop.app.mailTo(person.email)
  const { id } = await submitted(person)
  await reached(person, id, 'succeeded')
  const code = await voucher(shop.app, { kind: 'free_credits', value: 5 })
  expect((await order(person, { voucherCode: code })).body.status).toBe(2)
  await expireOrders(shop.app.deps, { asking: false })
  expect(await statusOf(transferred.id)).toBe(3)
  // The gateway itself stood still and ended no order.
  expect(ended).toEqual([])
  for (const one of ids) expect(await statusOf(one)).toBe(1)

  letGo()
  limits.mockRestore()
  await Promise.all([...stuck, polling])
})
