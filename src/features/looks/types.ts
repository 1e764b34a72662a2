import type * as schemas from './schemas.ts'

export type LookInput = typeof schemas.lookInput.infer
export type LogoView = typeof schemas.logoView.infer
export type LookView = typeof schemas.lookView.infer
export type LookList = typeof schemas.lookList.infer
