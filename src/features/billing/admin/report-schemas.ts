import { fromMoment, untilMoment } from '#shared/moment.ts'
import { type } from '#shared/schema.ts'
import { isoDateTime, whole } from '../schemas.ts'
import type { InvoiceBuyer } from '../tax.ts'

/** Days in western Indonesian time, or timestamps. */
export const period = { 'from?': fromMoment, 'to?': untilMoment } as const
export const revenueInput = type(period)
/** Parts count from 1. */
export const efakturInput = type({ ...period, part: type('string.integer.parse').to('1 <= number.integer <= 1000') })

export const revenueRow = type({
  by: "'method' | 'package' | 'voucher' | 'total'",
  name: type('string | null').describe('empty for orders without a package'),
  orders: type(whole).describe('orders paid in the period'),
  chargedIdr: type(whole).describe('total cost'),
  receivedIdr: type(whole).describe('payments received'),
  refunds: whole,
  refundedIdr: type(whole).describe('refunded in the period'),
  netIdr: type('number.integer').describe('received minus refunded'),
})
export type RevenueRow = typeof revenueRow.infer

export const revenue = type({
  rows: revenueRow.array(),
  total: revenueRow,
  outsideIdr: type(whole).describe('received in the period without a matching order'),
  /** As of now, independent of the period. */
  liability: {
    paidCredits: type(whole).describe('unspent credits that were bought'),
    freeCredits: type(whole).describe('unspent credits that were granted for free'),
    creditsIdr: type(whole).describe('purchase value of unspent credits'),
    unlimitedPeople: whole,
    unlimitedIdr: type(whole).describe('value of the remaining unlimited days'),
  },
})
export type Revenue = typeof revenue.infer

const taxSum = { count: whole, totalIdr: whole, baseIdr: type(whole).describe('without PPN'), ppnIdr: whole } as const

export const taxReport = type({
  business: type(taxSum).describe('invoices with PPN to buyers with an NPWP, for e-Faktur'),
  retail: type(taxSum).describe('other invoices with PPN, reported as a sum'),
  untaxed: type(taxSum).describe('invoices without PPN'),
  refunds: taxSum,
  payableIdr: type(whole).describe('PPN of the invoices less that of the refunds'),
  files: type(whole).describe('e-Faktur files of up to 1000 invoices'),
})
export type TaxReport = typeof taxReport.infer

/** An invoice, or a refund with negative amounts; a row of the CSV. */
export interface TaxRow {
  kind: 'invoice' | 'refund'
  /** `yyyy-mm-dd` */
  day: string
  orderId: string
  invoiceYear: number | null
  invoiceNumber: number | null
  ppnPercent: number | null
  buyer: InvoiceBuyer | null
  totalIdr: number
  ppnIdr: number
}

export const differenceView = type({
  key: 'string',
  check: type('string').describe('books (the ledger, hourly), gateway (daily) or webhook'),
  what: 'string',
  subjectId: 'string',
  expected: 'string',
  found: 'string',
  userId: 'string | null',
  count: type('number.integer').describe('number of occurrences'),
  firstSeenAt: isoDateTime,
  lastSeenAt: isoDateTime,
  resolvedAt: 'string | null',
  settledBy: 'string | null',
  settlement: 'string | null',
})
export const differenceList = type({
  items: differenceView.array(),
  groups: type({ check: 'string', what: 'string', count: whole, lastSeenAt: isoDateTime }).array(),
  checks: type({
    check: 'string',
    startedAt: isoDateTime,
    finishedAt: 'string | null',
    failedAt: type('string | null').describe('error of the latest check, if it failed'),
    error: 'string | null',
  }).array(),
})
export type DifferenceList = typeof differenceList.infer
