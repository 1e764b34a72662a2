import type * as schemas from './schemas.ts'

export type PackageView = typeof schemas.packageView.infer
/** GET /api/packages */
export type PackageList = typeof schemas.packageList.infer
/** Item of GET /api/payment_methods */
export type PaymentMethodView = typeof schemas.paymentMethodView.infer
/** 200 of POST /api/vouchers/verify */
export type VoucherPreview = typeof schemas.voucherPreview.infer
export type PaymentView = typeof schemas.paymentView.infer
export type OrderView = typeof schemas.orderView.infer

export type LedgerEntryView = typeof schemas.ledgerEntryView.infer
