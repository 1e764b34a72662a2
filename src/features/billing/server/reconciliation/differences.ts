import { and, count, desc, eq, inArray, isNull, lt, max, or, sql } from 'drizzle-orm'
import type { BillingDeps } from '../deps.ts'
import { differences } from '../tables/checks.ts'

/** So many are named in the log; admins see more. */
const logged = 20
const listed = 200

/** Something that should agree and does not. */
export interface Difference {
  /** Which check found it, e.g. `books`. */
  check: string
  what: string
  id: string
  expected: string
  found: string
  /** Whose account is concerned, where it is somebody's. */
  userId?: string | null
}

/**
 * Keeps a difference for the admins; seen again it only gets a new date, and is open again unless
 * it is told to stay settled.
 */
export async function noteDifference(
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
 * Keeps all that a run of a check has found, and marks as resolved what it no longer finds. A run
 * that looked at some accounts only says so: what concerns others stays as it is.
 */
export async function noteRun(
  deps: Pick<BillingDeps, 'db' | 'clock' | 'log'>,
  check: string,
  found: Difference[],
  accounts?: string[],
): Promise<void> {
  const { db, clock, log } = deps
  const started = clock()
  for (const difference of found) await noteDifference(deps, difference)
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

/** What is open: the newest one by one, and how many there are of each kind. */
export async function listDifferences({ db }: Pick<BillingDeps, 'db'>) {
  const open = isNull(differences.resolvedAt)
  const items = await db.select().from(differences).where(open).orderBy(desc(differences.lastSeenAt)).limit(listed)
  const { check, what, lastSeenAt } = differences
  const groups = await db
    .select({ check, what, count: count(), lastSeenAt: max(lastSeenAt) })
    .from(differences)
    .where(open)
    .groupBy(check, what)
    .orderBy(check, what)
  return { items, groups }
}
