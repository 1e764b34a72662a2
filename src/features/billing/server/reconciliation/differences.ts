import { and, count, desc, eq, inArray, isNull, lt, max, or, sql } from 'drizzle-orm'
import type { DifferenceList } from '../../admin/report-schemas.ts'
import type { BillingDeps } from '../deps.ts'
import { differences } from '../tables/checks.ts'

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
