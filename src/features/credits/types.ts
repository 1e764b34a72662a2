import type * as schemas from './schemas.ts'

export type LotView = typeof schemas.lotView.infer

export type CreditBalance = typeof schemas.creditBalance.infer

export type ToolPriceView = typeof schemas.toolPriceView.infer

export type CreditAdjustment = typeof schemas.creditAdjustment.infer
