import type * as schemas from './schemas.ts'

/** A package on sale. */
export type PackageView = typeof schemas.packageView.infer
/** GET /api/packages */
export type PackageList = typeof schemas.packageList.infer
/** Item of GET /api/payment_methods */
export type PaymentMethodView = typeof schemas.paymentMethodView.infer
/** 200 of POST /api/vouchers/verify */
export type VoucherPreview = typeof schemas.voucherPreview.infer
/** Payment of an open order. */
export type PaymentView = typeof schemas.paymentView.infer
/** An order in every response and event. */
export type OrderView = typeof schemas.orderView.infer

/** An entry of the credit history with its subject. */
export type LedgerEntryView = typeof schemas.ledgerEntryView.infer
