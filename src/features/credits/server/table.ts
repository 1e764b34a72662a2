import { sql } from 'drizzle-orm'
import {
  bigint,
  check,
  index,
  integer,
  jsonb,
  pgEnum,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { users } from '#server/auth/table.ts'
import { timestamptz } from '#server/db/columns.ts'
import { ledgerKinds, lotSources, type WelcomeRefusal } from '../rules.ts'

export const ledgerKindType = pgEnum('ledger_kind', ledgerKinds)
export const lotSourceType = pgEnum('grant_source', lotSources)

/** The lock that serializes a user's credit changes, and the running balance. */
export const creditAccounts = pgTable(
  'credit_accounts',
  {
    userId: uuid()
      .primaryKey()
      .references(() => users.id),
    balance: integer().notNull().default(0),
    unlimitedUntil: timestamptz(),
    welcomeRefused: text().$type<WelcomeRefusal>(),
    updatedAt: timestamptz().notNull(),
  },
  (table) => [check('balance_not_negative', sql`${table.balance} >= 0`)],
)

/**
 * A keyed hash of the address, kept when the account is deleted, so that the mailbox is not
 * welcomed again.
 */
export const welcomedMailboxes = pgTable(
  'welcomed_mailboxes',
  {
    hash: text().primaryKey(),
    /** Keyed hash; null at a public provider. */
    domain: text(),
    createdAt: timestamptz().notNull(),
  },
  (table) => [index('welcomes_by_domain').on(table.domain, table.createdAt).where(sql`${table.domain} is not null`)],
)

/** A lot: credits that are received and expire together. */
export const creditLots = pgTable(
  'credit_grants',
  {
    id: uuid().primaryKey(),
    userId: uuid()
      .notNull()
      .references(() => users.id),
    source: lotSourceType().notNull(),
    amount: integer().notNull(),
    remaining: integer().notNull(),
    createdAt: timestamptz().notNull(),
    expiresAt: timestamptz().notNull(),
    /** Null for credits that were given. */
    orderId: uuid(),
    /** The lot whose refunded credits this one keeps for a week; each is extended once. */
    lengthens: uuid(),
  },
  (table) => [
    index('open_grants').on(table.userId, table.expiresAt).where(sql`${table.remaining} > 0`),
    uniqueIndex('one_lengthening_per_lot').on(table.lengthens),
    check('remaining_in_range', sql`${table.remaining} between 0 and ${table.amount}`),
  ],
)

/** Append-only: a database trigger rejects update and delete. */
export const ledgerEntries = pgTable(
  'ledger_entries',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    userId: uuid()
      .notNull()
      .references(() => users.id),
    kind: ledgerKindType().notNull(),
    /** Positive: added; negative: taken. */
    amount: integer().notNull(),
    balanceAfter: integer().notNull(),
    /** `generation:<id>`, `refund:<id>`, `welcome:<user>`: the event cannot be applied twice. */
    uniqueKey: text().notNull().unique(),
    /** Such as a generation's or an order's id. */
    subjectId: uuid(),
    /** Frozen at the charge. */
    price: jsonb().$type<{ tool: string; unit: number; credits: number; unlimited?: true }>(),
    note: text(),
    createdAt: timestamptz().notNull(),
  },
  (table) => [
    index().on(table.userId, table.id),
    // Excludes charges, which are most of the entries.
    index('rare_entries').on(table.kind, table.id).where(sql`${table.kind} <> 'generation'`),
    index().on(table.createdAt, table.id),
  ],
)

/** The sum of an entry's moves equals its amount. */
export const lotMoves = pgTable(
  'credit_grant_moves',
  {
    entryId: bigint({ mode: 'number' })
      .notNull()
      .references(() => ledgerEntries.id),
    lotId: uuid('grant_id')
      .notNull()
      .references(() => creditLots.id),
    amount: integer().notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.entryId, table.lotId] }),
    // Includes the amounts, so that a lot's sum is read from the index alone.
    index('moves_by_lot').on(table.lotId, table.amount),
  ],
)

/** Last reconciled entry. */
export const accountProofs = pgTable('credit_account_proofs', {
  userId: uuid()
    .primaryKey()
    .references(() => users.id),
  entryId: bigint({ mode: 'number' }).notNull(),
  balance: integer().notNull(),
  provenAt: timestamptz().notNull(),
})

/** The newest row of a tool counts. */
export const toolPrices = pgTable(
  'tool_prices',
  {
    id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    tool: text().notNull(),
    unit: integer().notNull(),
    createdAt: timestamptz().notNull(),
    createdBy: uuid(),
  },
  (table) => [index().on(table.tool, table.id)],
)
