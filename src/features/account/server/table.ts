import { index, pgEnum, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { users } from '#server/auth/table.ts'
import { timestamptz } from '#server/db/columns.ts'
import { providers } from '../rules.ts'

export const providerType = pgEnum('provider', providers)

/** Only the provider's permanent id counts, never an address. */
export const identities = pgTable(
  'identities',
  {
    provider: providerType().notNull(),
    subject: text().notNull(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: timestamptz().notNull(),
  },
  (table) => [primaryKey({ columns: [table.provider, table.subject] }), index().on(table.userId)],
)

/** By the SHA-256 of each device's cookie. */
export const knownDevices = pgTable(
  'known_devices',
  {
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    hash: text().notNull(),
    lastSeenAt: timestamptz().notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.hash] })],
)

/** Keyed hashes. */
export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    hash: text().notNull(),
    usedAt: timestamptz(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.hash] })],
)

/** By SHA-256; removed by the first response. */
export const passkeyChallenges = pgTable('passkey_challenges', {
  hash: text().primaryKey(),
  /** User who may respond by adding a passkey; null for a sign-in. */
  userId: uuid().references(() => users.id, { onDelete: 'cascade' }),
  expiresAt: timestamptz().notNull(),
})
