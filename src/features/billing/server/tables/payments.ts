import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  index,
  integer,
  jsonb,
  pgEnum,
  pgTable,
  text,
  timestamp,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { timestamptz } from '#server/db/columns.ts'
import type { MethodId } from '../../payment-methods.ts'
import { attemptStatuses, paymentProblems } from '../../rules.ts'
import { orders, paymentDriverType } from './orders.ts'

export const attemptStatusType = pgEnum('payment_attempt_status', attemptStatuses)
export const paymentProblemType = pgEnum('payment_problem', paymentProblems)
export const simulatorStatuses = ['ACTIVE', 'COMPLETED', 'EXPIRED', 'CANCELED'] as const
export const simulatorStatusType = pgEnum('simulator_status', simulatorStatuses)

/** Stored before the gateway is called, so that every payment finds its attempt. */
export const paymentAttempts = pgTable(
  'payment_attempts',
  {
    /** Reference and idempotency key at the gateway. */
    id: uuid().primaryKey(),
    orderId: uuid()
      .notNull()
      .references(() => orders.id),
    driver: paymentDriverType().notNull(),
    method: text().$type<MethodId>().notNull(),
    amountIdr: integer().notNull(),
    status: attemptStatusType().notNull(),
    /** The gateway's id. */
    sessionId: text(),
    /** The gateway's id of the payment request, once known. */
    requestId: text(),
    url: text(),
    vaNumber: text(),
    qrContent: text(),
    account: jsonb().$type<{ bank: string; number: string; holder: string }>(),
    createdAt: timestamptz().notNull(),
    /** Start of the lease for creating the session at the gateway; null without a lease. */
    leasedAt: timestamp('claimed_at', { withTimezone: true }),
    /** Kept until the outcome is known, so that a retry sends exactly the same request. */
    request: jsonb().$type<Record<string, unknown>>(),
    /** Must not be paid any more; the server keeps closing it until the gateway confirms that. */
    closing: boolean().notNull().default(false),
    expiresAt: timestamptz().notNull(),
    /** Time of the next reading if no webhook arrives. */
    readAt: timestamptz(),
    reads: integer().notNull().default(0),
  },
  (table) => [
    index().on(table.orderId),
    uniqueIndex('one_attempt_per_session').on(table.driver, table.sessionId),
    uniqueIndex('one_attempt_per_request').on(table.driver, table.requestId),
    index('attempts_to_read').on(table.readAt).where(sql`${table.status} in ('creating', 'open')`),
  ],
)

/** Each payment once. A payment with a problem pays for nothing; an admin must decide. */
export const payments = pgTable(
  'payments',
  {
    id: uuid().primaryKey(),
    orderId: uuid()
      .notNull()
      .references(() => orders.id),
    attemptId: uuid().references(() => paymentAttempts.id),
    driver: paymentDriverType().notNull(),
    /** The gateway's id. */
    paymentId: text().notNull(),
    amount: integer().notNull(),
    currency: text().notNull(),
    problem: paymentProblemType(),
    receivedAt: timestamptz().notNull(),
    /** Time at which an admin settled the problem. */
    settledAt: timestamptz(),
    settledBy: uuid(),
    settlement: text(),
  },
  (table) => [
    uniqueIndex('one_row_per_payment').on(table.driver, table.paymentId),
    index().on(table.orderId),
    index('money_outside').on(table.receivedAt).where(sql`${table.problem} is not null`),
    index('problem_payments').on(table.id).where(sql`${table.problem} is not null and ${table.settledAt} is null`),
  ],
)

export const orderRefunds = pgTable(
  'order_refunds',
  {
    id: uuid().primaryKey(),
    orderId: uuid()
      .notNull()
      .references(() => orders.id),
    idempotencyKey: text().notNull(),
    amountIdr: integer().notNull(),
    /** PPN contained in the amount. */
    ppnIdr: integer().notNull().default(0),
    /** Credits taken back. */
    credits: integer().notNull(),
    /** The refund ended the days of an unlimited package. */
    endsUnlimited: boolean().notNull(),
    /** The bank's reference of the transfer. */
    reference: text().notNull(),
    /** Shown to the buyer. */
    reason: text().notNull(),
    createdAt: timestamptz().notNull(),
    createdBy: uuid().notNull(),
  },
  (table) => [
    uniqueIndex('one_refund_per_key').on(table.orderId, table.idempotencyKey),
    index().on(table.createdAt),
    check('refund_is_money', sql`${table.amountIdr} > 0 and ${table.credits} >= 0`),
  ],
)

export const gatewayRefundStatuses = ['sending', 'sent', 'failed'] as const
export const gatewayRefundStatusType = pgEnum('gateway_refund_status', gatewayRefundStatuses)

/** Refunds that the gateway sends; once sent, they are rows of `order_refunds` too. */
export const gatewayRefunds = pgTable(
  'gateway_refunds',
  {
    /** Reference and idempotency key at the gateway. */
    id: uuid().primaryKey(),
    orderId: uuid()
      .notNull()
      .references(() => orders.id),
    idempotencyKey: text().notNull(),
    amountIdr: integer().notNull(),
    reason: text().notNull(),
    takeCredits: boolean().notNull(),
    status: gatewayRefundStatusType().notNull(),
    /** The gateway's id, once known. */
    refundId: text(),
    failure: text(),
    createdAt: timestamptz().notNull(),
    createdBy: uuid().notNull(),
    readAt: timestamptz().notNull(),
  },
  (table) => [
    uniqueIndex('one_gateway_refund_per_key').on(table.orderId, table.idempotencyKey),
    index('gateway_refunds_to_read').on(table.readAt).where(sql`${table.status} = 'sending'`),
    check('gateway_refund_is_money', sql`${table.amountIdr} > 0`),
  ],
)

/** Like a gateway's own records. */
export const simulatorSessions = pgTable('simulator_sessions', {
  id: uuid().primaryKey(),
  /** Repeating the attempt's request returns the same session. */
  reference: uuid().notNull().unique(),
  orderId: uuid().notNull(),
  amount: integer().notNull(),
  method: text().$type<MethodId>().notNull(),
  status: simulatorStatusType().notNull(),
  payments: jsonb().$type<{ id: string; amount: number }[]>().notNull().default([]),
  expiresAt: timestamptz().notNull(),
})
