import type * as schemas from './schemas.ts'

export type AdminOrderView = typeof schemas.adminOrderView.infer

export type OrderTotals = typeof schemas.orderTotals.infer
export type LedgerTotals = typeof schemas.ledgerTotals.infer
export type Revenue = typeof schemas.revenue.infer
export type RevenueRow = typeof schemas.revenueRow.infer

export type AdminLedgerEntry = typeof schemas.adminLedgerEntry.infer
export type PriceHistory = typeof schemas.priceHistory.infer
export type VoucherView = typeof schemas.voucherView.infer
export type DifferenceList = typeof schemas.differenceList.infer
