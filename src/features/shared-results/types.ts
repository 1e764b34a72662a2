import type * as schemas from './schemas.ts'

export type ShareInput = typeof schemas.shareInput.infer
export type SharedLink = typeof schemas.sharedLink.infer
export type SharedResult = typeof schemas.sharedResult.infer
