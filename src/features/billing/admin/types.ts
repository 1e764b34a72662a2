import type * as schemas from './schemas.ts'

export type AdminOrderView = typeof schemas.adminOrderView.infer

/** GET /api/admin/orders/totals */
export type OrderTotals = typeof schemas.orderTotals.infer
/** GET /api/admin/ledger/totals */
export type LedgerTotals = typeof schemas.ledgerTotals.infer
/** GET /api/admin/revenue */
export type Revenue = typeof schemas.revenue.infer
export type RevenueRow = typeof schemas.revenueRow.infer

/** An entry of any user's credit history in the admin area. */
export type AdminLedgerEntry = typeof schemas.adminLedgerEntry.infer
/** GET /api/admin/packages */
export type PriceHistory = typeof schemas.priceHistory.infer
export type VoucherView = typeof schemas.voucherView.infer
/** GET /api/admin/billing_differences */
export type DifferenceList = typeof schemas.differenceList.infer
