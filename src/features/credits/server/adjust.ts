import { eq, sql } from 'drizzle-orm'
import type { WaitingApproval } from '#features/approvals/schemas.ts'
import { type ApprovalAction, approvals } from '#features/approvals/server/approvals.ts'
import { approvals as approvalTable } from '#features/approvals/server/table.ts'
import { audit } from '#server/audit/audit.ts'
import { requireAuthorityOver } from '#server/auth/accounts.ts'
import { users } from '#server/auth/table.ts'
import { rows, type Transaction } from '#server/db/database.ts'
import { advisoryLock, transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { addTime } from '#shared/time.ts'
import type { adjustCreditsInput, CreditAdjustment } from '../schemas.ts'
import { grant } from './grant.ts'
import { lockAccount } from './lock-account.ts'
import { ledgerEntries } from './table.ts'
import { takeCredits } from './take-back.ts'

type Request = typeof adjustCreditsInput.infer
interface Adjustment {
  staffId: string
  /** Of the ledger's entry. */
  uniqueKey: string
  request: Request
  now: Date
}

/** Many small grants below the threshold add up over this time. */
const thresholdHours = 24

const keyOf = (staffId: string, key: string) => `adjustment:${staffId}:${key}`

/**
 * A refund in credits is a grant that names its order. A repeated key returns the same entry; other
 * content throws `idempotency.reused`. Throws `credits.insufficient` when there are too few to
 * take.
 */
export async function adjustCredits(
  { db, clock, config }: Pick<Deps, 'db' | 'clock' | 'config'>,
  staffId: string,
  key: string,
  request: Request,
): Promise<CreditAdjustment | WaitingApproval> {
  return await transact(db, async (tx) => {
    const { userId, amount, days, reason, orderId = null } = request
    const now = clock()
    const uniqueKey = keyOf(staffId, key)
    const held = await lockForAdjustment(tx, { staffId, uniqueKey, request, now })
    if (held.entry) return repeatedAdjustment(held.entry, request)
    // Serializes an admin's adjustments, so that each counts for the next.
    await advisoryLock(tx, `adjustments:${staffId}`)
    const waiting = await approvals.require(tx, config, {
      kind: 'credit_adjustment',
      unit: 'credits',
      amount,
      staffId,
      userId,
      subject: userId,
      key: uniqueKey,
      counted: Math.abs(amount) + (await adjustedSince(tx, staffId, addTime(now, { hours: -thresholdHours }))),
      request: { userId, amount, days, reason, orderId, key },
      reason,
      now,
    })
    return waiting ?? (await apply(tx, { staffId, uniqueKey, request, now }, held.balance))
  })
}

export const creditApproval: ApprovalAction = {
  async apply(tx, _, { request: { key, ...request }, staffId, now }) {
    const adjustment = { staffId, uniqueKey: keyOf(staffId, String(key)), request: request as Request, now }
    const { entry, balance } = await lockForAdjustment(tx, adjustment)
    if (!entry) await apply(tx, adjustment, balance)
  },
}

/** Returns the entry of the same key, if any. */
async function lockForAdjustment(
  tx: Transaction,
  { staffId, uniqueKey, request: { userId, amount }, now }: Adjustment,
): Promise<{ entry: Entry | undefined; balance: number }> {
  const [user] = await tx.select({ deletedAt: users.deletedAt }).from(users).where(eq(users.id, userId)).for('share')
  if (!user || user.deletedAt) throw appError('account.not_found')
  await requireAuthorityOver(tx, staffId, userId)
  const { balance } = await lockAccount(tx, userId, now)
  const entry = await findEntry(tx, uniqueKey)
  if (!entry && balance < -amount) {
    throw appError('credits.insufficient', { details: { amount: 'credits.insufficient', balance: String(balance) } })
  }
  return { entry, balance }
}

/** Granted and taken credits together, without a second person. */
async function adjustedSince(tx: Transaction, staffId: string, since: Date): Promise<number> {
  const { amount, kind, uniqueKey, createdAt } = ledgerEntries
  const [found] = await rows<{ credits: string | number }>(
    tx,
    sql`select coalesce(sum(abs(${amount})), 0) as credits from ${ledgerEntries}
      where ${kind} = 'adjustment' and ${createdAt} > ${since.toISOString()}::timestamptz
        and starts_with(${uniqueKey}, ${keyOf(staffId, '')})
        and not exists (select 1 from ${approvalTable} where ${approvalTable.key} = ${uniqueKey})`,
  )
  return Number(found?.credits ?? 0)
}

async function apply(
  tx: Transaction,
  { staffId, uniqueKey, request, now }: Adjustment,
  balance: number,
): Promise<CreditAdjustment> {
  const { userId, amount, reason, orderId: subjectId = null } = request
  if (amount > 0) await grantAdjustment(tx, request, { uniqueKey, now })
  else await takeCredits(tx, { userId, amount: -amount, uniqueKey, subjectId, note: reason, now })
  const entry = await findEntry(tx, uniqueKey)
  if (!entry) throw new Error('could not insert the adjustment')
  await audit(tx, {
    actor: staffId,
    action: 'credits.adjusted',
    subject: { kind: 'account', id: userId },
    before: { balance },
    after: { balance: entry.balanceAfter, entryId: entry.id },
    reason,
    now,
  })
  return adjustmentView(entry)
}

type Entry = typeof ledgerEntries.$inferSelect

async function findEntry(tx: Transaction, uniqueKey: string): Promise<Entry | undefined> {
  const [entry] = await tx.select().from(ledgerEntries).where(eq(ledgerEntries.uniqueKey, uniqueKey))
  return entry
}

async function grantAdjustment(
  tx: Transaction,
  { userId, amount, days, reason, orderId }: Request,
  { uniqueKey, now }: { uniqueKey: string; now: Date },
): Promise<void> {
  await grant(tx, {
    userId,
    kind: 'adjustment',
    source: 'adjustment',
    amount,
    expiresAt: addTime(now, { days }),
    uniqueKey,
    note: reason,
    ...(orderId && { subjectId: orderId }),
    now,
  })
}

function repeatedAdjustment(entry: Entry, { userId, amount, reason }: Request): CreditAdjustment {
  if (entry.userId !== userId || entry.amount !== amount || entry.note !== reason) throw appError('idempotency.reused')
  return adjustmentView(entry)
}

function adjustmentView({ id, userId, amount, balanceAfter, createdAt }: Entry): CreditAdjustment {
  return { entryId: id, userId, amount, balance: balanceAfter, createdAt: createdAt.toISOString() }
}
