import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import {
  bigint,
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
  unique,
  uuid,
} from 'drizzle-orm/pg-core'
import { storedFiles } from '#features/uploads/server/table.ts'
import { languageType, users } from '#server/auth/table.ts'
import { timestamptz } from '#server/db/columns.ts'
import type { MethodId } from '../../payment-methods.ts'
import { driverIds, type InvoiceBuyer, type OrderStatus, orderActors, orderStatus } from '../../rules.ts'
import type { Seller } from '../payments/payment-config.ts'
import { voucherKindType, vouchers } from './catalogue.ts'

const bytes = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' })

export const paymentDriverType = pgEnum('payment_driver', driverIds)
export const orderActorType = pgEnum('order_actor', orderActors)

/** Literals, since indexes and checks accept no parameters. */
const literal = {
  awaiting: sql.raw(String(orderStatus.awaiting)),
  unpaid: sql.raw(String(orderStatus.unpaid)),
  paid: sql.raw(String(orderStatus.paid)),
  cancelled: sql.raw(String(orderStatus.cancelled)),
}

/** Neither paid nor cancelled, written exactly as in the partial indexes. */
export const isOpen = ({ status }: { status: SQLWrapper }): SQL =>
  sql`${status} in (${literal.awaiting}, ${literal.unpaid})`

export interface ReceiptParties {
  buyer: string
  seller: Seller
}

/** All terms agreed when the order was placed are frozen in it. */
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
    /** Null without a package and for an unlimited one. */
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
    /** Part of the discount: rupiah that make the total of a manual transfer unique. */
    transferDigits: integer().notNull().default(0),
    totalIdr: integer().notNull(),
    /** Rate in effect when the order was placed; null without PPN. */
    ppnPercent: smallint(),
    /** Contained in the total. */
    ppnIdr: integer().notNull().default(0),
    method: text().$type<MethodId>(),
    driver: paymentDriverType(),
    idempotencyKey: text().notNull(),
    /** Hash of the request: the same key with another content is refused. */
    contentHash: text().notNull(),
    /** Time at which the buyer accepted the privacy policy and the terms. */
    acceptedAt: timestamptz().notNull(),
    /** For wallets, as `+62…`. */
    mobileNumber: text(),
    proofKey: text().references(() => storedFiles.storageKey),
    proofType: text(),
    createdAt: timestamptz().notNull(),
    expiresAt: timestamptz(),
    paidAt: timestamptz(),
    /** Without gaps, in the order of payment. */
    receipt: integer().unique(),
    /** Frozen at the time of payment. */
    receiptParties: jsonb().$type<ReceiptParties>(),
    /** Changeable until the payment. */
    invoiceBuyer: jsonb().$type<InvoiceBuyer>(),
    /** In western Indonesian time. Null for Rp 0 and for payments before invoices existed. */
    invoiceYear: smallint(),
    /** Without gaps in its year. */
    invoiceNumber: integer(),
  },
  (table) => [
    unique('one_order_per_key').on(table.userId, table.idempotencyKey),
    index().on(table.userId, table.id),
    index('open_orders').on(table.expiresAt, table.id).where(isOpen(table)),
    index('open_orders_by_user').on(table.userId).where(isOpen(table)),
    index().on(table.paidAt),
    index().on(table.createdAt),
    index().on(table.totalIdr, table.id),
    index('orders_with_proof').on(table.proofKey).where(sql`${table.proofKey} is not null`),
    index().on(table.status, table.id),
    index().on(table.driver, table.id),
    index().on(table.method, table.id),
    unique('one_order_per_invoice').on(table.invoiceYear, table.invoiceNumber),
    check('order_status_known', sql`${table.status} between ${literal.awaiting} and ${literal.cancelled}`),
    check(
      'paid_is_complete',
      sql`(${table.status} = ${literal.paid}) = (${table.paidAt} is not null and ${table.receipt} is not null)`,
    ),
    check(
      'order_adds_up',
      sql`${table.totalIdr} = ${table.subtotalIdr} - ${table.discountIdr} and ${table.totalIdr} >= 0`,
    ),
    check(
      'ppn_in_total',
      sql`${table.ppnIdr} between 0 and ${table.totalIdr} and (${table.ppnPercent} is not null or ${table.ppnIdr} = 0)`,
    ),
    check(
      'invoice_is_complete',
      sql`(${table.invoiceYear} is null) = (${table.invoiceNumber} is null)
        and (${table.invoiceYear} is null or ${table.status} = ${literal.paid})`,
    ),
  ],
)

/** Append-only. */
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
    createdAt: timestamptz().notNull(),
  },
  (table) => [index().on(table.orderId, table.id)],
)

/** Released if the order is cancelled without payment. */
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
    createdAt: timestamptz().notNull(),
    releasedAt: timestamptz(),
  },
  (table) => [index('held_vouchers').on(table.voucherId, table.userId).where(sql`${table.releasedAt} is null`)],
)

/** A single row with the last receipt number; its lock keeps numbers without gaps. */
export const receiptCounter = pgTable('receipt_counter', {
  id: smallint().primaryKey(),
  last: integer().notNull(),
})

/** A row per year with its last invoice number; its lock keeps numbers without gaps. */
export const invoiceCounters = pgTable('invoice_counters', {
  year: smallint().primaryKey(),
  last: integer().notNull(),
})

/** As first issued: the bytes never change, one per language. */
export const receipts = pgTable(
  'receipts',
  {
    orderId: uuid()
      .notNull()
      .references(() => orders.id),
    language: languageType().notNull(),
    bytes: bytes().notNull(),
    createdAt: timestamptz().notNull(),
  },
  (table) => [primaryKey({ columns: [table.orderId, table.language] })],
)
