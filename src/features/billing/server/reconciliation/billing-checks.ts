import { and, eq, isNull } from 'drizzle-orm'
import type { DifferenceList } from '../../admin/report-schemas.ts'
import type { BillingDeps } from '../deps.ts'
import { failsToCreate } from '../payments/gateway-health.ts'
import { billingChecks, differences } from '../tables/checks.ts'

const checkNames = ['books', 'gateway'] as const
export type CheckName = (typeof checkNames)[number]

type Tools = Pick<BillingDeps, 'db' | 'clock'>
type Position = Record<string, unknown>

/** The stored result makes a failing check visible outside the log too. */
export async function runCheck<Result>(
  { db, clock }: Tools,
  check: CheckName,
  body: (position: Position) => Promise<{ position: Position; result: Result }>,
): Promise<Result> {
  const startedAt = clock()
  const [row] = await db
    .insert(billingChecks)
    .values({ check, startedAt })
    .onConflictDoUpdate({ target: billingChecks.check, set: { startedAt } })
    .returning()
  const at = eq(billingChecks.check, check)
  try {
    const { position, result } = await body(row?.position ?? {})
    await db.update(billingChecks).set({ finishedAt: clock(), failedAt: null, error: null, position }).where(at)
    return result
  } catch (error) {
    const message = error instanceof Error ? error.message.slice(0, 200) : 'unknown'
    await db.update(billingChecks).set({ failedAt: clock(), error: message }).where(at)
    throw error
  }
}

/**
 * True if the check has not started for this long, or ended with an error; restarts do not count.
 */
export async function isCheckDue({ db, clock }: Tools, check: CheckName, seconds: number): Promise<boolean> {
  const [row] = await db
    .select({ startedAt: billingChecks.startedAt, failedAt: billingChecks.failedAt })
    .from(billingChecks)
    .where(eq(billingChecks.check, check))
  return !row || row.failedAt !== null || clock().getTime() - row.startedAt.getTime() >= seconds * 1000
}

export async function listChecks({ db }: Pick<Tools, 'db'>): Promise<DifferenceList['checks']> {
  const found = await db.select().from(billingChecks).orderBy(billingChecks.check)
  return found.map(({ check, startedAt, finishedAt, failedAt, error }) => ({
    check,
    startedAt: startedAt.toISOString(),
    finishedAt: finishedAt?.toISOString() ?? null,
    failedAt: failedAt?.toISOString() ?? null,
    error,
  }))
}

/**
 * `failing` if the last run ended with an error, or if the gateway creates no payments;
 * `differences` if records do not agree.
 */
export async function checkStates({ db }: Pick<Tools, 'db'>): Promise<Record<CheckName, string>> {
  const [runs, cannotPay] = await Promise.all([listChecks({ db }), failsToCreate({ db })])
  const states = await Promise.all(
    checkNames.map(async (check) => {
      const run = runs.find((one) => one.check === check)
      if (run?.failedAt || (check === 'gateway' && cannotPay)) return [check, 'failing']
      if (!run) return [check, 'not_run']
      const open = and(eq(differences.check, check), isNull(differences.resolvedAt))
      const [difference] = await db.select({ key: differences.key }).from(differences).where(open).limit(1)
      return [check, difference ? 'differences' : 'ok']
    }),
  )
  return Object.fromEntries(states)
}
