import type { CsvColumns } from '#server/http/csv.ts'
import type { AdminLedgerEntry, AdminOrderView, VoucherView } from '../../admin/types.ts'

const statusNames = ['awaiting', 'unpaid', 'paid', 'cancelled'] as const

/** What the lists of admins have as files for spreadsheets. */
export const orderColumns: CsvColumns<AdminOrderView> = {
  id: ({ id }) => id,
  created_at: ({ createdAt }) => createdAt,
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
  paid_at: ({ paidAt }) => paidAt,
  receipt: ({ receiptNumber }) => receiptNumber,
  problem: ({ moneyProblem }) => moneyProblem,
}

export const ledgerColumns: CsvColumns<AdminLedgerEntry> = {
  id: ({ id }) => id,
  at: ({ createdAt }) => createdAt,
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
  valid_from: ({ validFrom }) => validFrom,
  valid_until: ({ validUntil }) => validUntil,
  limit_total: ({ limitTotal }) => limitTotal,
  limit_per_user: ({ limitPerUser }) => limitPerUser,
  uses: ({ uses }) => uses,
  active: ({ active }) => active,
  created_at: ({ createdAt }) => createdAt,
}
