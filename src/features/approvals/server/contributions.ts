import { asc, eq, sql } from 'drizzle-orm'
import type { Deps } from '#server/deps.ts'
import { jsonFile, type PersonalData } from '#server/personal-data.ts'
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

export const approvalContributions = {
  personalData,
  work: (deps: Deps) => deps.jobs.every('expire-approvals', 3600, () => expireApprovals(deps)),
}
