import type * as schemas from './schemas.ts'

export type GrantView = typeof schemas.grantView.infer

export type CreditBalance = typeof schemas.creditBalance.infer

export type ToolPriceView = typeof schemas.toolPriceView.infer

export type CreditAdjustment = typeof schemas.creditAdjustment.infer

declare module '#features/events/types.ts' {
  interface ServerEvents {
    credits: Pick<CreditBalance, 'credits' | 'unlimitedUntil' | 'updatedAt'>
  }
}
