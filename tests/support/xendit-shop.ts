import { randomUUID } from 'node:crypto'
import { eq, inArray } from 'drizzle-orm'
import { expect } from 'vitest'
import { orderStatus } from '#features/billing/rules.ts'
import type { OrderView } from '#features/billing/schemas.ts'
import { isOpen, orders } from '#features/billing/server/tables/orders.ts'
import { paymentAttempts } from '#features/billing/server/tables/payments.ts'
import { auditedBooks, lotsOf, order, orderOf } from './checkout.ts'
import { createTestApp, type TestAppOptions } from './test-app.ts'
import { createXenditDouble, type DoublePaymentRequest, type DoubleSession } from './xendit-double/server.ts'

/** As fast as the double can. */
export const pace = { perSecond: 2000, parallel: 4 }

/** The method decides between a page of Xendit and our own. */
export async function createXenditShop(env: Record<string, string> = {}, options: Omit<TestAppOptions, 'env'> = {}) {
  const double = await createXenditDouble({
    secretKey: 'xnd_development_key',
    callbackToken: 'callback-token-of-the-tests',
  })
  const app = await createTestApp({ env: { ...double.env, XENDIT_BASE_URL: double.url, ...env }, ...options })
  app.expectErrors(/payment\.failed|server\.unavailable|do not agree/)
  const { db } = app.deps
  const shop = { user: await app.createUser(), admin: await app.createUser({ role: 'admin' }) }

  async function attemptsOf(orderId: string) {
    const mine = eq(paymentAttempts.orderId, orderId)
    return await db.select().from(paymentAttempts).where(mine).orderBy(paymentAttempts.id)
  }

  async function madeFor<Made extends { reference_id: string }>(orderId: string, all: Map<string, Made>) {
    const ours = new Set((await attemptsOf(orderId)).map(({ id }) => id))
    return [...all.values()].filter(({ reference_id }) => ours.has(reference_id))
  }

  const sessionsOf = (orderId: string) => madeFor<DoubleSession>(orderId, double.sessions)
  const requestsOf = (orderId: string) => madeFor<DoublePaymentRequest>(orderId, double.requests)

  return Object.assign(shop, {
    app,
    double,
    attemptsOf,
    /** In the order of creation. */
    sessionsOf,
    requestsOf,
    /** As the gateway sees it. */
    async active(orderId: string): Promise<number> {
      const pages = (await sessionsOf(orderId)).filter(({ status }) => status === 'ACTIVE')
      const shown = (await requestsOf(orderId)).filter(({ status }) => status === 'REQUIRES_ACTION')
      return pages.length + shown.length
    },
    /** Paid on a page of Xendit. */
    async placed(given: Record<string, unknown> = wish): Promise<{ view: OrderView; session: DoubleSession }> {
      const { status, body } = await order(shop.user, given)
      expect(status).toBe(201)
      return { view: body, session: (await sessionsOf(body.id)).at(-1) as DoubleSession }
    },
    /** Paid to an account number or by a code, on our own page. */
    async placedHere(
      method = 'bca',
      packageId = 'starter',
    ): Promise<{ view: OrderView; request: DoublePaymentRequest }> {
      const { status, body } = await order(shop.user, { packageId, method })
      expect(status).toBe(201)
      return { view: body, request: (await requestsOf(body.id)).at(-1) as DoublePaymentRequest }
    },
    async payAgain(id: string, json: object = {}) {
      const headers = { 'idempotency-key': randomUUID() }
      const response = await shop.user.request(`/api/orders/${id}/pay_again`, { headers, json })
      return { status: response.status, body: (await response.json()) as OrderView }
    },
    async newestOrder(): Promise<OrderView> {
      const { items } = (await (await shop.user.request('/api/orders?limit=1')).json()) as { items: OrderView[] }
      return items[0] as OrderView
    },
    async tell(event: string, data: object, token?: string) {
      return await app.request('/api/webhooks/xendit', double.webhook(event, data, token))
    },
    async expectPaidOnce(id: string): Promise<void> {
      expect((await orderOf(shop.user, id)).status).toBe(2)
      expect(await lotsOf(app, id)).toBe(1)
    },
    async expectUnpaid(id: string, status: number): Promise<void> {
      expect((await orderOf(shop.user, id)).status).toBe(status)
      expect(await lotsOf(app, id)).toBe(0)
    },
    /** A user may have only some orders open, and each test places its own. */
    async forgetOpenOrders(): Promise<void> {
      const open = isOpen(orders)
      const left = await db
        .update(orders)
        .set({ status: orderStatus.cancelled })
        .where(open)
        .returning({ id: orders.id })
      if (left.length === 0) return
      const theirs = inArray(
        paymentAttempts.orderId,
        left.map(({ id }) => id),
      )
      await db.update(paymentAttempts).set({ status: 'cancelled', closing: false, readAt: null }).where(theirs)
    },
    async changePeople(): Promise<void> {
      shop.user = await app.createUser()
      shop.admin = await app.createUser({ role: 'admin' })
    },
    async stop(): Promise<void> {
      expect(double.problems).toEqual([])
      expect(await auditedBooks(app)).toEqual([])
      await app.stop()
      await double.close()
    },
  })
}

export type XenditShop = Awaited<ReturnType<typeof createXenditShop>>

/** A wallet is paid on a page of Xendit. */
export const wish = { packageId: 'starter', method: 'dana' }
