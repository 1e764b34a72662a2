import { and, eq, inArray, isNotNull, isNull, lt, or } from 'drizzle-orm'
import { audit } from '#server/audit/audit.ts'
import type { Executor } from '#server/db/database.ts'
import { transact } from '#server/db/transact.ts'
import { appError } from '#server/http/app-error.ts'
import { addTime } from '#shared/time.ts'
import type { settleUnknownInput } from '../../admin/schemas.ts'
import type { BillingDeps } from '../deps.ts'
import { recordDifference } from '../reconciliation/billing-checks.ts'
import { differences } from '../tables/checks.ts'
import { paymentAttempts } from '../tables/payments.ts'

const check = 'webhook'
const kinds = { session: 'unknown_session', payment: 'unknown_payment' } as const
/** Unknown ids stored individually; further ones are only counted, in a row per day. */
export const maxUnknown = 1000
const keptDays = 30
const forgottenDays = 90

const keysOf = (names: string[]) =>
  names.flatMap((name) => Object.values(kinds).map((what) => `${check}:${what}:${name}`))

/**
 * Records an id that this server never requested. Events are repeated, so a settled entry stays
 * settled. A gateway account shared with another shop sends very many, so each must cost as little
 * as the first.
 */
export async function recordUnknownId(
  deps: Pick<BillingDeps, 'db' | 'clock'>,
  { kind, name, event }: { kind: keyof typeof kinds; name: string; event: string },
): Promise<void> {
  const what = kinds[kind]
  const [known] = await deps.db
    .select({ key: differences.key })
    .from(differences)
    .where(eq(differences.key, `${check}:${what}:${name}`))
  const room = known !== undefined || (await countOpen(deps)) < maxUnknown
  const id = room ? name : `more-${deps.clock().toISOString().slice(0, 10)}`
  await recordDifference(deps, { check, what, id, expected: 'one of ours', found: event }, { reopen: !room })
}

async function countOpen({ db }: Pick<BillingDeps, 'db'>): Promise<number> {
  const open = and(eq(differences.check, check), isNull(differences.resolvedAt))
  const first = db.select({ key: differences.key }).from(differences).where(open).limit(maxUnknown).as('first')
  return await db.$count(first)
}

/** A webhook may arrive before the response that names its session or its payment. */
export async function resolveUnknown(
  { db, clock }: { db: Executor; clock: () => Date },
  names: string[],
): Promise<void> {
  if (names.length === 0) return
  await db
    .update(differences)
    .set({ resolvedAt: clock() })
    .where(and(inArray(differences.key, keysOf(names)), isNull(differences.resolvedAt)))
}

/** Hourly: resolves entries whose webhook arrived during that response, and deletes old ones. */
export async function resolveLateUnknownPayments({ db, clock }: Pick<BillingDeps, 'db' | 'clock'>): Promise<void> {
  const open = await db
    .select({ name: differences.subjectId })
    .from(differences)
    .where(and(eq(differences.check, check), isNull(differences.resolvedAt)))
    .limit(2 * maxUnknown)
  const names = open.map(({ name }) => name)
  const { driver, sessionId, requestId } = paymentAttempts
  for (const column of [sessionId, requestId]) {
    const found = await db
      .select({ name: column })
      .from(paymentAttempts)
      .where(and(eq(driver, 'xendit'), inArray(column, names)))
    await resolveUnknown(
      { db, clock },
      found.flatMap(({ name }) => name ?? []),
    )
  }
  const before = (days: number) => lt(differences.lastSeenAt, addTime(clock(), { days: -days }))
  await db
    .delete(differences)
    .where(
      and(eq(differences.check, check), before(keptDays), or(isNotNull(differences.resolvedAt), before(forgottenDays))),
    )
}

/**
 * Settles some unknown payments, or all of a kind. Differences found by a check cannot be settled:
 * they are resolved when the records agree.
 */
export async function settleUnknown(
  { db, clock }: Pick<BillingDeps, 'db' | 'clock'>,
  adminId: string,
  { keys, what, reason }: typeof settleUnknownInput.infer,
): Promise<number> {
  const which = keys ? inArray(differences.key, keys) : what ? eq(differences.what, what) : undefined
  if (!which) throw appError('payment.not_found')
  const now = clock()
  return await transact(db, async (tx) => {
    const settled = await tx
      .update(differences)
      .set({ resolvedAt: now, settledBy: adminId, settlement: reason })
      .where(and(which, eq(differences.check, check), isNull(differences.resolvedAt)))
      .returning({ key: differences.key })
    if (settled.length === 0) throw appError('payment.not_found')
    const subject = { kind: 'difference', id: what ?? keys?.[0]?.slice(0, 100) ?? check }
    const after = { settled: settled.length }
    await audit(tx, { actor: adminId, action: 'difference.settled', subject, after, reason, now })
    return settled.length
  })
}
