import type { AdminRefundRequest } from '#features/generations/schemas.ts'
import { type CsvColumns, toWesternIndonesianTime } from '#server/http/csv.ts'
import type { GenerationCostsRow, RevenueRow, TaxRow } from '../../admin/report-schemas.ts'
import type { AdminLedgerEntry, AdminOrderView, VoucherView } from '../../admin/schemas.ts'

import { orderStatus } from '../../rules.ts'
import { invoiceName } from '../orders/view-order.ts'

const statusNames = ['awaiting', 'unpaid', 'paid', 'cancelled'] as const

export const orderColumns: CsvColumns<AdminOrderView> = {
  id: ({ id }) => id,
  created_at_wib: ({ createdAt }) => toWesternIndonesianTime(createdAt),
  status: ({ status }) => statusNames[status],
  name: ({ buyer }) => buyer.name,
  email: ({ buyer }) => buyer.email,
  package: (order) => order.package?.name ?? null,
  voucher: ({ voucher }) => voucher?.code ?? null,
  method: ({ method }) => method,
  provider: ({ driver }) => driver,
  subtotal_idr: ({ subtotalIdr }) => subtotalIdr,
  discount_idr: ({ discountIdr }) => discountIdr,
  total_idr: ({ totalIdr }) => totalIdr,
  ppn_idr: ({ ppnIdr }) => ppnIdr,
  paid_at_wib: ({ paidAt }) => toWesternIndonesianTime(paidAt),
  received_idr: ({ receivedIdr }) => receivedIdr,
  refunded_idr: ({ refundedIdr }) => refundedIdr,
  net_idr: ({ receivedIdr, refundedIdr }) => receivedIdr - refundedIdr,
  confirmed_by: ({ history }) => history.findLast(({ to }) => to === orderStatus.paid)?.actor ?? null,
  receipt: ({ receiptNumber }) => receiptNumber,
  invoice: ({ invoiceNumber }) => invoiceNumber,
  problem: ({ moneyProblem }) => moneyProblem,
  assignee: ({ assignee }) => assignee?.name ?? null,
  due_at_wib: ({ dueAt }) => toWesternIndonesianTime(dueAt),
}

export const ledgerColumns: CsvColumns<AdminLedgerEntry> = {
  id: ({ id }) => id,
  at_wib: ({ createdAt }) => toWesternIndonesianTime(createdAt),
  name: ({ user }) => user.name,
  email: ({ user }) => user.email,
  kind: ({ kind }) => kind,
  amount: ({ amount }) => amount,
  balance_after: ({ balanceAfter }) => balanceAfter,
  unlimited: ({ unlimited }) => unlimited,
  tool: ({ tool }) => tool,
  note: ({ note }) => note,
}

export const voucherColumns: CsvColumns<VoucherView> = {
  code: ({ code }) => code,
  kind: ({ kind }) => kind,
  value: ({ value }) => value,
  days: ({ days }) => days,
  valid_from_wib: ({ validFrom }) => toWesternIndonesianTime(validFrom),
  valid_until_wib: ({ validUntil }) => toWesternIndonesianTime(validUntil),
  limit_total: ({ limitTotal }) => limitTotal,
  limit_per_user: ({ limitPerUser }) => limitPerUser,
  uses: ({ uses }) => uses,
  active: ({ active }) => active,
  created_at_wib: ({ createdAt }) => toWesternIndonesianTime(createdAt),
}

export const revenueColumns: CsvColumns<RevenueRow> = {
  by: ({ by }) => by,
  name: ({ name }) => name,
  orders: ({ orders }) => orders,
  charged_idr: ({ chargedIdr }) => chargedIdr,
  received_idr: ({ receivedIdr }) => receivedIdr,
  refunds: ({ refunds }) => refunds,
  refunded_idr: ({ refundedIdr }) => refundedIdr,
  net_idr: ({ netIdr }) => netIdr,
}

export const taxColumns: CsvColumns<TaxRow> = {
  kind: ({ kind }) => kind,
  date_wib: ({ day }) => day,
  invoice: (row) => invoiceName(row),
  order: ({ orderId }) => orderId,
  company: ({ buyer }) => buyer?.company ?? null,
  npwp: ({ buyer }) => buyer?.npwp ?? null,
  address: ({ buyer }) => buyer?.address ?? null,
  total_idr: ({ totalIdr }) => totalIdr,
  base_idr: ({ totalIdr, ppnIdr }) => totalIdr - ppnIdr,
  ppn_percent: ({ ppnPercent }) => ppnPercent,
  ppn_idr: ({ ppnIdr }) => ppnIdr,
}

export const refundRequestColumns: CsvColumns<AdminRefundRequest> = {
  id: ({ id }) => id,
  at_wib: ({ createdAt }) => toWesternIndonesianTime(createdAt),
  name: ({ user }) => user.name,
  email: ({ user }) => user.email,
  tool: ({ tool }) => tool,
  credits: ({ credits }) => credits,
  status: ({ status }) => status,
  refunded: ({ refunded }) => refunded,
  reason: ({ reason }) => reason,
  answer: ({ answer }) => answer,
  decided_by: ({ decidedBy }) => decidedBy,
  assignee: ({ assignee }) => assignee?.name ?? null,
  due_at_wib: ({ dueAt }) => toWesternIndonesianTime(dueAt),
}

export const generationCostsColumns: CsvColumns<GenerationCostsRow> = {
  tool: ({ tool }) => tool,
  provider: ({ provider }) => provider,
  runs: ({ generations }) => generations,
  runs_without_price: ({ costUnknown }) => costUnknown,
  cost_usd: ({ usd }) => usd,
  cost_idr: ({ costIdr }) => costIdr,
  credits: ({ credits }) => credits,
  earned_idr: ({ earnedIdr }) => earnedIdr,
  margin_idr: ({ marginIdr }) => marginIdr,
}
