import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  customType,
  index,
  integer,
  jsonb,
  pgEnum,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { languageType, users } from '#features/account/server/table.ts'
import type { Seller } from '#server/payment-config.ts'
import { driverIds, type OrderStatus, orderActors, paymentProblems, voucherKinds } from '../contract.ts'
import type { MethodId } from '../methods.ts'

const moment = () => timestamp({ withTimezone: true })
const bytes = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' })

export const voucherKindType = pgEnum('voucher_kind', voucherKinds)
export const paymentDriverType = pgEnum('payment_driver', driverIds)
export const orderActorType = pgEnum('order_actor', orderActors)
export const attemptStatuses = ['creating', 'open', 'failed', 'paid', 'expired', 'cancelled'] as const
export const attemptStatusType = pgEnum('payment_attempt_status', attemptStatuses)
export const paymentProblemType = pgEnum('payment_problem', paymentProblems)
export const simulatorStatuses = ['ACTIVE', 'COMPLETED', 'EXPIRED', 'CANCELED'] as const
export const simulatorStatusType = pgEnum('simulator_status', simulatorStatuses)

/** What is on sale, versioned: the newest row of a package counts. `credits` is null when it is unlimited. */
export const packages = pgTable(
  'packages',
  {
    version: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    id: text().notNull(),
    name: text().notNull(),
    cents: integer().notNull(),
    credits: integer(),
    days: integer().notNull(),
    position: smallint().notNull(),
    active: boolean().notNull().default(true),
    createdAt: moment().notNull(),
    createdBy: uuid(),
  },
  (table) => [
    index().on(table.id, table.version),
    check('package_in_range', sql`${table.cents} >= 0 and coalesce(${table.credits}, 1) > 0 and ${table.days} > 0`),
  ],
)

/** Rupiah for a dollar, versioned: the newest row counts, and without any the configuration's IDR_PER_USD. */
export const exchangeRates = pgTable(
  'exchange_rates',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    idrPerUsd: integer().notNull(),
    createdAt: moment().notNull(),
    createdBy: uuid(),
  },
  (table) => [check('rate_positive', sql`${table.idrPerUsd} > 0`)],
)

export const vouchers = pgTable(
  'vouchers',
  {
    id: uuid().primaryKey(),
    /** Upper case: codes are compared without regard to case. */
    code: text().notNull().unique(),
    kind: voucherKindType().notNull(),
    /** Credits, percent, or whole rupiah, as the kind says. */
    value: integer().notNull(),
    /** Days that its credits last. */
    days: integer().notNull(),
    validFrom: moment(),
    validUntil: moment(),
    limitTotal: integer(),
    limitPerUser: integer(),
    /** Orders that hold it; changed together with the redemptions, under this row's lock. */
    uses: integer().notNull().default(0),
    /** Counts what admins changed, so that of two at once the later one is told. */
    version: integer().notNull().default(1),
    active: boolean().notNull().default(true),
    createdAt: moment().notNull(),
    createdBy: uuid(),
  },
  (table) => [
    check(
      'voucher_in_range',
      sql`${table.value} > 0 and (${table.kind} <> 'percent_off' or ${table.value} <= 100) and ${table.days} > 0`,
    ),
    // For codes that begin with something, whatever the collation.
    index('vouchers_by_code').on(table.code.op('text_pattern_ops')),
    check('voucher_code_upper', sql`${table.code} = upper(${table.code})`),
    check('voucher_uses_not_negative', sql`${table.uses} >= 0`),
  ],
)

/** Who stands on a receipt. */
export interface ReceiptParties {
  buyer: string
  seller: Seller
}

/** Everything that was agreed when the order was placed is frozen in it. */
export const orders = pgTable(
  'orders',
  {
    id: uuid().primaryKey(),
    userId: uuid()
      .notNull()
      .references(() => users.id),
    status: smallint().$type<OrderStatus>().notNull(),
    packageId: text(),
    packageName: text(),
    packageCents: integer().notNull(),
    /** Null without a package and when it is unlimited. */
    packageCredits: integer(),
    packageDays: integer(),
    voucherId: uuid().references(() => vouchers.id),
    voucherCode: text(),
    voucherKind: voucherKindType(),
    voucherCredits: integer().notNull().default(0),
    voucherDays: integer(),
    idrPerUsd: integer().notNull(),
    subtotalIdr: integer().notNull(),
    discountIdr: integer().notNull(),
    totalIdr: integer().notNull(),
    method: text().$type<MethodId>(),
    driver: paymentDriverType(),
    idempotencyKey: text().notNull(),
    /** What was asked for: the same key with another content is refused. */
    contentHash: text().notNull(),
    /** When the buyer accepted the privacy policy and the terms. */
    acceptedAt: moment().notNull(),
    /** Where a wallet can reach the buyer, as `+62…`. */
    mobileNumber: text(),
    proofKey: text(),
    proofType: text(),
    createdAt: moment().notNull(),
    expiresAt: moment(),
    paidAt: moment(),
    /** Without gaps, in the order of payment. */
    receipt: integer().unique(),
    /** Who bought from whom, frozen when it was paid. */
    receiptParties: jsonb().$type<ReceiptParties>(),
  },
  (table) => [
    unique('one_order_per_key').on(table.userId, table.idempotencyKey),
    index().on(table.userId, table.id),
    index('open_orders').on(table.expiresAt, table.id).where(sql`${table.status} in (0, 1)`),
    index('open_orders_by_user').on(table.userId).where(sql`${table.status} in (0, 1)`),
    index().on(table.paidAt),
    index().on(table.status, table.id),
    index().on(table.driver, table.id),
    check('order_status_known', sql`${table.status} between 0 and 3`),
    check(
      'paid_is_complete',
      sql`(${table.status} = 2) = (${table.paidAt} is not null and ${table.receipt} is not null)`,
    ),
    check(
      'order_adds_up',
      sql`${table.totalIdr} = ${table.subtotalIdr} - ${table.discountIdr} and ${table.totalIdr} >= 0`,
    ),
  ],
)

/** Append-only: every change of an order, with who and why. */
export const orderHistory = pgTable(
  'order_history',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    orderId: uuid()
      .notNull()
      .references(() => orders.id),
    from: smallint().$type<OrderStatus>(),
    to: smallint().$type<OrderStatus>().notNull(),
    by: orderActorType().notNull(),
    actorId: uuid(),
    reason: text().notNull(),
    createdAt: moment().notNull(),
  },
  (table) => [index().on(table.orderId, table.id)],
)

/** A voucher used by an order; given back when the order is cancelled without payment. */
export const voucherRedemptions = pgTable(
  'voucher_redemptions',
  {
    orderId: uuid()
      .primaryKey()
      .references(() => orders.id),
    voucherId: uuid()
      .notNull()
      .references(() => vouchers.id),
    userId: uuid()
      .notNull()
      .references(() => users.id),
    createdAt: moment().notNull(),
    releasedAt: moment(),
  },
  (table) => [index('held_vouchers').on(table.voucherId, table.userId).where(sql`${table.releasedAt} is null`)],
)

/** A try to have an order paid; written before the gateway hears of it, so that no payment comes as a surprise. */
export const paymentAttempts = pgTable(
  'payment_attempts',
  {
    /** What the gateway gets as reference and as idempotency key. */
    id: uuid().primaryKey(),
    orderId: uuid()
      .notNull()
      .references(() => orders.id),
    driver: paymentDriverType().notNull(),
    method: text().$type<MethodId>().notNull(),
    amountIdr: integer().notNull(),
    status: attemptStatusType().notNull(),
    /** The gateway's own name of the session. */
    sessionId: text(),
    /** The gateway's name of the payment request, once it is known. */
    requestId: text(),
    url: text(),
    vaNumber: text(),
    qrContent: text(),
    account: jsonb().$type<{ bank: string; number: string; holder: string }>(),
    createdAt: moment().notNull(),
    /** When a process last set out to create it at the gateway; null when nobody is at it. */
    leasedAt: timestamp('claimed_at', { withTimezone: true }),
    /** What the gateway was sent; kept until the outcome is known, so that a retry sends the very same. */
    request: jsonb().$type<Record<string, unknown>>(),
    /** Nobody shall pay this session any more; the gateway is asked until it is known to be closed. */
    closing: boolean().notNull().default(false),
    expiresAt: moment().notNull(),
    /** When the gateway is asked next, should no webhook come. */
    readAt: moment(),
    reads: integer().notNull().default(0),
  },
  (table) => [
    index().on(table.orderId),
    uniqueIndex('one_attempt_per_session').on(table.driver, table.sessionId),
    uniqueIndex('one_attempt_per_request').on(table.driver, table.requestId),
    index('attempts_to_read').on(table.readAt).where(sql`${table.status} in ('creating', 'open')`),
  ],
)

/** Money that arrived, each time once. With a problem it paid for nothing yet, and an admin has to decide. */
export const payments = pgTable(
  'payments',
  {
    id: uuid().primaryKey(),
    orderId: uuid()
      .notNull()
      .references(() => orders.id),
    attemptId: uuid().references(() => paymentAttempts.id),
    driver: paymentDriverType().notNull(),
    /** The gateway's name of the payment. */
    paymentId: text().notNull(),
    amount: integer().notNull(),
    currency: text().notNull(),
    problem: paymentProblemType(),
    receivedAt: moment().notNull(),
    /** When an admin took care of a problem, who, and how. */
    settledAt: moment(),
    settledBy: uuid(),
    settlement: text(),
  },
  (table) => [
    uniqueIndex('one_row_per_payment').on(table.driver, table.paymentId),
    index().on(table.orderId),
    index('problem_payments').on(table.id).where(sql`${table.problem} is not null and ${table.settledAt} is null`),
  ],
)

/** One row, the last receipt number given; its lock keeps numbers without gaps. */
export const receiptCounter = pgTable('receipt_counter', {
  id: smallint().primaryKey(),
  last: integer().notNull(),
})

/** Receipts as they were first handed out: the same bytes for ever, one a language. */
export const receipts = pgTable(
  'receipts',
  {
    orderId: uuid()
      .notNull()
      .references(() => orders.id),
    language: languageType().notNull(),
    bytes: bytes().notNull(),
    createdAt: moment().notNull(),
  },
  (table) => [primaryKey({ columns: [table.orderId, table.language] })],
)

/** How far a periodic check has come, and how its last run went; survives restarts. */
export const billingChecks = pgTable('billing_checks', {
  check: text().primaryKey(),
  startedAt: moment().notNull(),
  finishedAt: moment(),
  /** Set while the last run ended with an error. */
  failedAt: moment(),
  error: text(),
  /** Where the next run goes on. */
  position: jsonb().$type<Record<string, unknown>>(),
})

/** What the reconciliation found to disagree; an entry that is found no more is resolved. */
export const differences = pgTable(
  'billing_differences',
  {
    /** Names the disagreement, e.g. `books:account:<user>`. */
    key: text().primaryKey(),
    check: text().notNull(),
    what: text().notNull(),
    subjectId: text().notNull(),
    expected: text().notNull(),
    found: text().notNull(),
    /** Whose books are concerned, where it is somebody's. */
    userId: uuid(),
    /** How often it was seen. */
    count: integer().notNull().default(1),
    firstSeenAt: moment().notNull(),
    lastSeenAt: moment().notNull(),
    resolvedAt: moment(),
    /** Who said that it is taken care of, and how; null when it went by itself. */
    settledBy: uuid(),
    settlement: text(),
  },
  (table) => [
    index('open_differences').on(table.check).where(sql`${table.resolvedAt} is null`),
    index().on(table.lastSeenAt),
  ],
)

/** Reminders that were sent, so that each end is announced once. */
export const expiryReminders = pgTable('expiry_reminders', {
  /** `grant:<id>` or `unlimited:<user>:<end>` */
  key: text().primaryKey(),
  userId: uuid()
    .notNull()
    .references(() => users.id),
  createdAt: moment().notNull(),
})

/** The simulator's own books, as a gateway keeps them. */
export const simulatorSessions = pgTable('simulator_sessions', {
  id: uuid().primaryKey(),
  /** The attempt that asked for it: asked twice, it returns the same. */
  reference: uuid().notNull().unique(),
  orderId: uuid().notNull(),
  amount: integer().notNull(),
  method: text().$type<MethodId>().notNull(),
  status: simulatorStatusType().notNull(),
  payments: jsonb().$type<{ id: string; amount: number }[]>().notNull().default([]),
  expiresAt: moment().notNull(),
})
