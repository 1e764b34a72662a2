import type * as schemas from './schemas.ts'

export type PackageView = typeof schemas.packageView.infer
export type PackageList = typeof schemas.packageList.infer
export type PaymentMethodView = typeof schemas.paymentMethodView.infer
export type VoucherPreview = typeof schemas.voucherPreview.infer
export type PaymentView = typeof schemas.paymentView.infer
export type OrderView = typeof schemas.orderView.infer

export type LedgerEntryView = typeof schemas.ledgerEntryView.infer

declare module '#features/events/types.ts' {
  interface ServerEvents {
    order: OrderView
  }
}
