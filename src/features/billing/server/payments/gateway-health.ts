import { setTimeout as pause } from 'node:timers/promises'
import { eq, sql } from 'drizzle-orm'
import type { HealthTools } from '#server/health/checks.ts'
import type { HealthCheck } from '#server/health/health.ts'
import { serviceState } from '#server/health/table.ts'
import type { BillingDeps } from '../deps.ts'
import { xenditApi } from '../drivers/xendit/api.ts'

/** Row of service_state, counted over all processes. */
const name = 'payment_creates_failing'
/** A lower number may come from a single buyer whose own details are refused. */
const alarmingFailures = 3

export async function recordFailedCreate({ db, clock }: Pick<BillingDeps, 'db' | 'clock'>): Promise<void> {
  const updatedAt = clock()
  const more = sql`jsonb_build_object('failures', (${serviceState.value}->>'failures')::int + 1)`
  await db
    .insert(serviceState)
    .values({ name, value: { failures: 1 }, updatedAt })
    .onConflictDoUpdate({ target: serviceState.name, set: { value: more, updatedAt } })
}

export async function recordCreate({ db }: Pick<BillingDeps, 'db'>): Promise<void> {
  await db.delete(serviceState).where(eq(serviceState.name, name))
}

async function failedCreates({ db }: Pick<BillingDeps, 'db'>): Promise<number> {
  const [row] = await db.select().from(serviceState).where(eq(serviceState.name, name))
  return Number(row?.value.failures ?? 0)
}

export async function failsToCreate(tools: Pick<BillingDeps, 'db'>): Promise<boolean> {
  return (await failedCreates(tools)) >= alarmingFailures
}

export const gatewayChecks: readonly HealthCheck<HealthTools>[] = [
  {
    name: 'payments',
    metric: 'rupa_payment_creates_failing',
    help: 'Consecutive failed attempts to create a payment at the gateway',
    read: failedCreates,
    isProblem: (failures) => failures >= alarmingFailures,
    says: (failures) =>
      failures === 0 ? 'created' : `${failures} consecutive failures to create a payment at the gateway`,
  },
  {
    name: 'payment_circuit',
    metric: 'rupa_payment_circuit_open',
    help: '1 while this process pauses requests to the payment gateway because it keeps failing',
    async read({ config }) {
      const { xendit } = config.payment
      return xendit && (xenditApi(xendit).isSuspended() ? 1 : 0)
    },
    isProblem: (open) => open > 0,
    says: (open) => (open === 0 ? 'closed' : 'open, the payment gateway keeps failing'),
  },
]

interface GatewayRate {
  perSecond: number
  parallel: number
}

/** A thousand sessions in under a minute, well below the limits of gateways. */
export const gatewayRate: GatewayRate = { perSecond: 20, parallel: 8 }

/** Shared by all tasks of this process. */
let nextStart = 0

/** Stops early when the signal is aborted. */
export async function withinGatewayRate<Item>(
  items: Item[],
  { perSecond, parallel }: GatewayRate,
  signal: AbortSignal | undefined,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const waiting = items.values()
  const lane = async () => {
    for (const item of waiting) {
      if (signal?.aborted) return
      const start = Math.max(performance.now(), nextStart)
      nextStart = start + 1000 / perSecond
      await pause(Math.max(0, start - performance.now()))
      if (signal?.aborted) return
      await work(item)
    }
  }
  await Promise.all(Array.from({ length: parallel }, lane))
}
