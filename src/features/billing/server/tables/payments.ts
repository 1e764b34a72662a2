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
import { moment } from '#server/db/columns.ts'
import type { MethodId } from '../../methods.ts'
import { paymentProblems } from '../../rules.ts'
import { orders, paymentDriverType } from './orders.ts'

export const attemptStatuses = ['creating', 'open', 'failed', 'paid', 'expired', 'cancelled'] as const
export const attemptStatusType = pgEnum('payment_attempt_status', attemptStatuses)
export const paymentProblemType = pgEnum('payment_problem', paymentProblems)
export const simulatorStatuses = ['ACTIVE', 'COMPLETED', 'EXPIRED', 'CANCELED'] as const
export const simulatorStatusType = pgEnum('simulator_status', simulatorStatuses)

/**
 * A try to have an order paid; written before the gateway hears of it, so that no payment comes as
 * a surprise.
 */
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
    /**
     * What the gateway was sent; kept until the outcome is known, so that a retry sends the very
     * same.
     */
    request: jsonb().$type<Record<string, unknown>>(),
    /**
     * Nobody shall pay this session any more; the gateway is asked until it is known to be closed.
     */
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

/**
 * Money that arrived, each time once. With a problem it paid for nothing yet, and an admin has to
 * decide.
 */
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
    index('money_outside').on(table.receivedAt).where(sql`${table.problem} is not null`),
    index('problem_payments').on(table.id).where(sql`${table.problem} is not null and ${table.settledAt} is null`),
  ],
)

/** Money that went back to a buyer; whoever sent it says by which transfer. */
export const orderRefunds = pgTable(
  'order_refunds',
  {
    id: uuid().primaryKey(),
    orderId: uuid()
      .notNull()
      .references(() => orders.id),
    idempotencyKey: text().notNull(),
    amountIdr: integer().notNull(),
    /** Credits that were taken back with it. */
    credits: integer().notNull(),
    /** The days of an unlimited package ended with it. */
    endsUnlimited: boolean().notNull(),
    /** The bank's name of the transfer. */
    reference: text().notNull(),
    /** What the buyer is told. */
    reason: text().notNull(),
    createdAt: moment().notNull(),
    createdBy: uuid().notNull(),
  },
  (table) => [
    uniqueIndex('one_refund_per_key').on(table.orderId, table.idempotencyKey),
    index().on(table.createdAt),
    check('refund_is_money', sql`${table.amountIdr} > 0 and ${table.credits} >= 0`),
  ],
)

/** The simulator's own records, as a gateway keeps them. */
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
