import type * as schemas from './schemas.ts'

/** An order as admins see it. */
export type AdminOrderView = typeof schemas.adminOrderView.infer

/** An entry of anybody's credit history, as admins see it. */
export type AdminLedgerEntry = typeof schemas.adminLedgerEntry.infer
/** GET /api/admin/packages */
export type PriceHistory = typeof schemas.priceHistory.infer
/** A voucher as admins see it. */
export type VoucherView = typeof schemas.voucherView.infer
/** GET /api/admin/billing_differences */
export type DifferenceList = typeof schemas.differenceList.infer
