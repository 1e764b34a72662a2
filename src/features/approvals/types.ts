import type * as schemas from './schemas.ts'

/** An approval as staff see it. */
export type ApprovalView = typeof schemas.approvalView.infer

/** 202 of an act that waits for a second person. */
export type WaitingApproval = typeof schemas.waitingApproval.infer
