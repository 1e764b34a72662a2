// A paid order's webhook, with 300,000 payment attempts and 1,500 unmatched webhooks.

import { randomUUID } from 'node:crypto'
import { eq, sql } from 'drizzle-orm'
import { pino } from 'pino'
import { orderStatus } from '#features/billing/rules.ts'
import type { BillingDeps } from '#features/billing/server/deps.ts'
import { createOrder } from '#features/billing/server/orders/create-order.ts'
import { handleXenditWebhook } from '#features/billing/server/payments/xendit-webhook.ts'
import { orders } from '#features/billing/server/tables/orders.ts'
import { paymentAttempts } from '#features/billing/server/tables/payments.ts'
import { users } from '#server/auth/table.ts'
import { openDatabase } from '#server/db/database.ts'
import { readConfig } from '#server-app/config.ts'
import { createXenditDouble } from '#tests/support/xendit-double/server.ts'
import { startPostgres } from '../../src/scripts/postgres.mjs'

const sizes = { few: [100, 0], many: [300_000, 1500] } as const
const webhooks = 31
const log = pino({ level: 'silent' })

const postgres = await startPostgres()
if (!postgres) {
  console.log('PostgreSQL was not found; there is nothing to measure')
  process.exit(0)
}
const double = await createXenditDouble({
  secretKey: 'xnd_development_key',
  callbackToken: 'callback-token-of-the-bench',
})

async function placeOrder(deps: BillingDeps): Promise<string> {
  const userId = randomUUID()
  await deps.db
    .insert(users)
    .values({ id: userId, name: 'bench', email: `${userId}@contoh.id`, birthYear: 1990, createdAt: new Date() })
  const request = { packageId: 'starter', voucherCode: null, method: 'bca', mobileNumber: null } as const
  return (await createOrder(deps, userId, randomUUID(), { ...request, acceptedAt: new Date() })).id
}

/** Milliseconds for each webhook. */
async function measure(name: string, [attempts, unknown]: readonly [number, number]): Promise<number> {
  const admin = await openDatabase({ dataDir: '', databaseUrl: postgres!.url }, log)
  await admin.db.execute(sql.raw(`create database webhooks_${name}`))
  await admin.close()
  const url = new URL(postgres!.url)
  url.pathname = `/webhooks_${name}`
  const database = await openDatabase({ dataDir: '', databaseUrl: url.href }, log)
  const { db } = database
  const config = readConfig({ ...double.env, XENDIT_BASE_URL: double.url, DATABASE_URL: url.href })
  const jobs = { send: async () => {} }
  const deps = { db, config, log, jobs, clock: () => new Date() } as unknown as BillingDeps
  const old = await placeOrder(deps)
  await db.update(orders).set({ status: orderStatus.cancelled }).where(eq(orders.id, old))
  await db.execute(sql`insert into payment_attempts
      (id, order_id, driver, method, amount_idr, status, session_id, request_id, created_at, expires_at)
    select gen_random_uuid(), ${old}, 'xendit', 'bca', 1, 'expired', 'ps-old-' || n, 'pr-old-' || n, now(), now()
    from generate_series(1, ${attempts}::int) n`)
  await db.execute(sql`insert into billing_differences
      (key, "check", what, subject_id, expected, found, first_seen_at, last_seen_at)
    select 'webhook:unknown_session:ps-foreign-' || n, 'webhook', 'unknown_session', 'ps-foreign-' || n, 'one of ours',
      'payment_session.completed', now(), now() from generate_series(1, ${unknown}::int) n`)
  await db.execute(sql`analyze`)
  const took: number[] = []
  for (let n = 0; n < webhooks; n += 1) {
    const id = await placeOrder(deps)
    const [attempt] = await db.select().from(paymentAttempts).where(eq(paymentAttempts.orderId, id))
    const data = double.payRequest(attempt?.requestId as string)
    const began = performance.now()
    await handleXenditWebhook(deps, { event: 'payment.capture', data })
    took.push(performance.now() - began)
    const [order] = await db.select().from(orders).where(eq(orders.id, id))
    if (order?.status !== orderStatus.paid) throw new Error('a paid order stayed unpaid')
  }
  await database.close()
  return took.toSorted((a, b) => a - b)[Math.floor(webhooks / 2)] as number
}

try {
  const few = await measure('few', sizes.few)
  const many = await measure('many', sizes.many)
  console.log(`webhook settled, median of ${webhooks}: ${few.toFixed(1)} ms with 100 attempts`)
  console.log(`with ${sizes.many[0]} attempts and ${sizes.many[1]} unknown: ${many.toFixed(1)} ms (aim ≤ 100)`)
} finally {
  postgres.stop()
  await double.close()
}
