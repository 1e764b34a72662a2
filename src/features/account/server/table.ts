import { boolean, index, jsonb, pgEnum, pgTable, primaryKey, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { languages } from '#contract/language.ts'
import { roles } from '#contract/roles.ts'
import { consentKinds, providers, type Theme } from '../contract.ts'

const moment = () => timestamp({ withTimezone: true })

export const roleType = pgEnum('role', roles)
export const languageType = pgEnum('language', languages)
export const accountTokenPurpose = pgEnum('account_token_purpose', [
  'verify_email',
  'reset_password',
  'change_email',
  'confirm',
])
export const providerType = pgEnum('provider', providers)
export const consentKind = pgEnum('consent_kind', consentKinds)

export const users = pgTable('users', {
  id: uuid().primaryKey(),
  name: text().notNull(),
  /** Trimmed and lower case; for a deleted account something that no address looks like. */
  email: text().notNull().unique(),
  passwordHash: text(),
  role: roleType().notNull().default('user'),
  language: languageType().notNull().default('id'),
  theme: jsonb().$type<Theme>(),
  emailVerifiedAt: moment(),
  disabledAt: moment(),
  /** The row stays without its person, for the books refer to it. */
  deletedAt: moment(),
  createdAt: moment().notNull(),
})

export const sessions = pgTable(
  'sessions',
  {
    id: uuid().primaryKey(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    remember: boolean().notNull(),
    userAgent: text(),
    createdAt: moment().notNull(),
    /** To within some minutes; null until its first use. */
    lastSeenAt: moment(),
    expiresAt: moment().notNull(),
    revokedAt: moment(),
  },
  (table) => [index().on(table.userId)],
)

/** Single-use links sent by mail; only the token's SHA-256 is kept. */
export const accountTokens = pgTable(
  'account_tokens',
  {
    hash: text().primaryKey(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    purpose: accountTokenPurpose().notNull(),
    /** The new address, where it is to be changed. */
    email: text(),
    createdAt: moment().notNull(),
    expiresAt: moment().notNull(),
    usedAt: moment(),
  },
  (table) => [index().on(table.userId)],
)

/** Accounts elsewhere that open this one; only the provider's own name of the person counts, never an address. */
export const identities = pgTable(
  'identities',
  {
    provider: providerType().notNull(),
    subject: text().notNull(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    createdAt: moment().notNull(),
  },
  (table) => [primaryKey({ columns: [table.provider, table.subject] }), index().on(table.userId)],
)

/** What somebody agreed to, apart from the terms; withdrawing keeps the row, for it proves the time before. */
export const consents = pgTable(
  'consents',
  {
    id: uuid().primaryKey(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    kind: consentKind().notNull(),
    version: text().notNull(),
    givenAt: moment().notNull(),
    withdrawnAt: moment(),
  },
  (table) => [index().on(table.userId)],
)

/** Devices on which somebody has signed in before, by the SHA-256 of the cookie each of them keeps. */
export const knownDevices = pgTable(
  'known_devices',
  {
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    hash: text().notNull(),
    lastSeenAt: moment().notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.hash] })],
)
