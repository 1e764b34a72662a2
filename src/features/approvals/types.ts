import type * as schemas from './schemas.ts'

export type ApprovalView = typeof schemas.approvalView.infer

export type WaitingApproval = typeof schemas.waitingApproval.infer
