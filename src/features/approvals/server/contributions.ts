import { asc, eq, inArray, type SQL, sql } from 'drizzle-orm'
import type { Deps } from '#server/deps.ts'
import { jsonFile, type PersonalData } from '#server/personal-data.ts'
import { type ApprovalKind, approvalPermission } from '../rules.ts'
import { expireApprovals } from './decide-approval.ts'
import { approvals } from './table.ts'

const personalData: PersonalData = {
  async *archive({ db }, { userId }) {
    const { kind, status, unit, amount, reason, createdAt, decidedAt } = approvals
    const found = await db
      .select({ kind, status, unit, amount, reason, createdAt, decidedAt })
      .from(approvals)
      .where(eq(approvals.userId, userId))
      .orderBy(asc(approvals.id))
    yield jsonFile('approvals.json', found)
  },

  /** The action stays on record without its text; a waiting one expires with the account. */
  async erase(tx, { userId, now }) {
    await tx
      .update(approvals)
      .set({
        reason: '',
        request: {},
        status: sql`case when ${approvals.status} = 'waiting' then 'expired'::approval_status else ${approvals.status} end`,
        decidedAt: sql`coalesce(${approvals.decidedAt}, ${now.toISOString()}::timestamptz)`,
      })
      .where(eq(approvals.userId, userId))
    return []
  },
}

const waiting = (now: Date, kinds: ApprovalKind[]): SQL =>
  sql`select count(*) from ${approvals} where ${approvals.status} = 'waiting' and ${inArray(approvals.kind, kinds)}
    and ${approvals.expiresAt} > ${now.toISOString()}::timestamptz`

/** Shown to staff who may confirm them. */
function openCount(...kinds: [ApprovalKind, ...ApprovalKind[]]) {
  const needs = approvalPermission[kinds[0]]
  return { count: (now: Date) => waiting(now, kinds), needs, notice: needs }
}

const openCounts = {
  creditApprovals: openCount('credit_adjustment'),
  orderApprovals: openCount('order_confirmation'),
  voucherApprovals: openCount('voucher_creation', 'voucher_change'),
}

export const approvalContributions = {
  openCounts,
  personalData,
  work: (deps: Deps) => deps.jobs.every('expire-approvals', 3600, () => expireApprovals(deps)),
}
