import { and, count, desc, eq, inArray, isNull, lt, max, or, sql } from 'drizzle-orm'
import { addTime } from '#shared/time.ts'
import type { DifferenceList } from '../../admin/report-schemas.ts'
import type { BillingDeps } from '../deps.ts'
import { failsToCreate } from '../payments/gateway-health.ts'
import { billingChecks, differences } from '../tables/checks.ts'

const checkNames = ['books', 'gateway'] as const
type CheckName = (typeof checkNames)[number]

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
  return !row || row.failedAt !== null || clock() >= addTime(row.startedAt, { seconds })
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

/** Limits of a log line and of the admins' list. */
const logged = 20
const listed = 200

export interface Difference {
  /** Such as `books`. */
  check: string
  what: string
  id: string
  expected: string
  found: string
  /** Owner of the affected account, if any. */
  userId?: string | null
}

/** A known difference gets a new date and is reopened, unless the caller keeps it settled. */
export async function recordDifference(
  { db, clock }: Pick<BillingDeps, 'db' | 'clock'>,
  { check, what, id, expected, found, userId = null }: Difference,
  { reopen = true } = {},
): Promise<void> {
  const now = clock()
  const key = `${check}:${what}:${id}`
  await db
    .insert(differences)
    .values({ key, check, what, subjectId: id, expected, found, userId, firstSeenAt: now, lastSeenAt: now })
    .onConflictDoUpdate({
      target: differences.key,
      set: {
        expected: sql`excluded.expected`,
        found: sql`excluded.found`,
        lastSeenAt: sql`excluded.last_seen_at`,
        count: sql`${differences.count} + 1`,
        ...(reopen && { resolvedAt: null }),
      },
    })
}

/**
 * Resolves differences that the run no longer finds. A run limited to some accounts leaves those of
 * other accounts unchanged.
 */
export async function recordReconciliation(
  deps: Pick<BillingDeps, 'db' | 'clock' | 'log'>,
  check: string,
  found: Difference[],
  accounts?: string[],
): Promise<void> {
  const { db, clock, log } = deps
  const started = clock()
  for (const difference of found) await recordDifference(deps, difference)
  const looked = accounts && or(isNull(differences.userId), inArray(differences.userId, accounts))
  await db
    .update(differences)
    .set({ resolvedAt: started })
    .where(
      and(eq(differences.check, check), isNull(differences.resolvedAt), lt(differences.lastSeenAt, started), looked),
    )
  const kinds = Object.entries(Object.groupBy(found, ({ what }) => what)).map(([what, list]) => [what, list?.length])
  const first = found.slice(0, logged).map(({ what, id }) => `${what} ${id}`)
  if (found.length > 0)
    log.error({ check, found: Object.fromEntries(kinds), first }, 'reconciliation found differences')
  else log.debug({ check }, 'reconciliation found no differences')
}

/** The newest individually, and the number of each kind. */
export async function listDifferences({ db }: Pick<BillingDeps, 'db'>): Promise<Omit<DifferenceList, 'checks'>> {
  const open = isNull(differences.resolvedAt)
  const items = await db.select().from(differences).where(open).orderBy(desc(differences.lastSeenAt)).limit(listed)
  const { check, what, lastSeenAt } = differences
  const groups = await db
    .select({ check, what, count: count(), lastSeenAt: max(lastSeenAt) })
    .from(differences)
    .where(open)
    .groupBy(check, what)
    .orderBy(check, what)
  return {
    items: items.map((item) => ({
      ...item,
      firstSeenAt: item.firstSeenAt.toISOString(),
      lastSeenAt: item.lastSeenAt.toISOString(),
      resolvedAt: item.resolvedAt?.toISOString() ?? null,
    })),
    groups: groups.map((group) => ({ ...group, lastSeenAt: (group.lastSeenAt as Date).toISOString() })),
  }
}
