import type * as schemas from './schemas.ts'

export type ShareInput = typeof schemas.shareInput.infer
/** A link as its owner sees it. */
export type SharedLink = typeof schemas.sharedLink.infer
/** A shared result as the recipient sees it. */
export type SharedResult = typeof schemas.sharedResult.infer
