import { fromMoment, untilMoment } from '#shared/date-input.ts'
import { isoDateTime, type } from '#shared/schema.ts'
import type { InvoiceBuyer } from '../rules.ts'
import { whole } from '../schemas.ts'

/** Days in western Indonesian time, or timestamps. */
export const period = { 'from?': fromMoment, 'to?': untilMoment } as const
export const revenueInput = type(period)
/** Parts count from 1. */
export const efakturInput = type({ ...period, part: type('string.integer.parse').to('1 <= number.integer <= 1000') })

const revenueRow = type({
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

const differenceView = type({
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

const count = type('number.integer >= 0')
/** May be negative: refunds of earlier days. */
const signed = type('number.integer')

/**
 * Generations that used external providers, on the days on which they were started; their credits
 * on the days of the charge or refund.
 */
export const generationCostsSchema = type({
  items: type({
    tool: 'string',
    provider: type('string').describe('provider that finished them; `local` is the engine fallback'),
    generations: count,
    costUnknown: count.describe('of these, generations whose provider reports no cost'),
    runs: count.describe('deprecated, same as `generations`'),
    untold: count.describe('deprecated, same as `costUnknown`'),
    usd: type('number >= 0').describe('total provider cost in US dollars'),
    costIdr: count.describe('in rupiah at the current rate'),
    credits: signed.describe('credits charged, net of refunds'),
    earnedIdr: signed.describe('revenue of these credits'),
    marginIdr: signed.describe('revenue minus cost'),
  }).array(),
  idrPerUsd: count,
})
export type GenerationCosts = typeof generationCostsSchema.infer
export type GenerationCostsRow = GenerationCosts['items'][number]
