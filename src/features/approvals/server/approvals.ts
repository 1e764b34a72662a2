import type { Deps } from '#server/deps.ts'
import type { Output } from '#server/http/route.ts'
import { waitingApproval } from '../schemas.ts'
import { expireApprovals } from './decide-approval.ts'
import { openCounts } from './open-counts.ts'
import { personalData } from './personal-data.ts'
import { requireApproval } from './require-approval.ts'

export type { ApprovalAction, ApprovalActions } from './decide-approval.ts'

export const waitsForApproval = {
  202: ['Waiting for approval by a second member of staff', waitingApproval],
} satisfies Output
export const approvalErrors = ['approval.waiting', 'approval.no_second_person', 'idempotency.reused'] as const

export const approvals = {
  openCounts,
  personalData,
  require: requireApproval,
  async work(deps: Deps): Promise<void> {
    await deps.jobs.every('expire-approvals', 3600, () => expireApprovals(deps))
  },
}
