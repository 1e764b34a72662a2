import { and, eq, exists, isNull, lt, or, sql } from 'drizzle-orm'
import type { Executor } from '#server/db/database.ts'
import { appError } from '#server/http/app-error.ts'
import type { BillingDeps } from './deps.ts'
import { differences, paymentAttempts } from './table.ts'

/** So many are named in the log; admins see all. */
const logged = 20

/** Something that should agree and does not. */
export interface Difference {
  /** Which check found it, e.g. `books`. */
  check: string
  what: string
  id: string
  expected: string
  found: string
}

/** Keeps a difference for the admins; seen again it only gets a new date, and is open again unless it is told to stay settled. */
export async function noteDifference(
  { db, clock }: Pick<BillingDeps, 'db' | 'clock'>,
  { check, what, id, expected, found }: Difference,
  { reopen = true } = {},
): Promise<void> {
  const now = clock()
  await db
    .insert(differences)
    .values({
      key: `${check}:${what}:${id}`,
      check,
      what,
      subjectId: id,
      expected,
      found,
      firstSeenAt: now,
      lastSeenAt: now,
    })
    .onConflictDoUpdate({
      target: differences.key,
      set: {
        expected: sql`excluded.expected`,
        found: sql`excluded.found`,
        lastSeenAt: sql`excluded.last_seen_at`,
        ...(reopen && { resolvedAt: null }),
      },
    })
}

/** Keeps all that a whole run of a check has found, and marks as resolved what it no longer finds. */
export async function noteRun(
  deps: Pick<BillingDeps, 'db' | 'clock' | 'log'>,
  check: string,
  found: Difference[],
): Promise<void> {
  const { db, clock, log } = deps
  const started = clock()
  for (const difference of found) await noteDifference(deps, difference)
  await db
    .update(differences)
    .set({ resolvedAt: started })
    .where(and(eq(differences.check, check), isNull(differences.resolvedAt), lt(differences.lastSeenAt, started)))
  const kinds = Object.entries(Object.groupBy(found, ({ what }) => what)).map(([what, list]) => [what, list?.length])
  const first = found.slice(0, logged).map(({ what, id }) => `${what} ${id}`)
  if (found.length > 0) log.error({ check, found: Object.fromEntries(kinds), first }, 'the books do not agree')
  else log.debug({ check }, 'the books agree')
}

/** A webhook may be quicker than the answer that names its session or its payment: what is known by now differs no more. */
export async function resolveKnown({ db, clock }: { db: Executor; clock: () => Date }): Promise<void> {
  const { sessionId, requestId } = paymentAttempts
  const known = db.select({ one: sql`1` }).from(paymentAttempts)
  await db
    .update(differences)
    .set({ resolvedAt: clock() })
    .where(
      and(
        eq(differences.check, 'webhook'),
        isNull(differences.resolvedAt),
        exists(known.where(or(eq(sessionId, differences.subjectId), eq(requestId, differences.subjectId)))),
      ),
    )
}

/** An admin knows whose the money is that nobody here asked for. What a check finds by itself cannot be settled so: it goes when it agrees. */
export async function settleUnknown(
  { db, clock }: Pick<BillingDeps, 'db' | 'clock'>,
  { key, adminId, reason }: { key: string; adminId: string; reason: string },
): Promise<void> {
  const settled = await db
    .update(differences)
    .set({ resolvedAt: clock(), settledBy: adminId, settlement: reason })
    .where(and(eq(differences.key, key), eq(differences.check, 'webhook'), isNull(differences.resolvedAt)))
    .returning({ key: differences.key })
  if (settled.length === 0) throw appError('payment.not_found')
}
