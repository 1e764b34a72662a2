import { boolean, index, pgEnum, pgTable, text, timestamp, uuid } from 'drizzle-orm/pg-core'
import { languages } from '#contract/language.ts'
import { roles } from '#contract/roles.ts'

const moment = () => timestamp({ withTimezone: true })

export const roleType = pgEnum('role', roles)
export const languageType = pgEnum('language', languages)
export const accountTokenPurpose = pgEnum('account_token_purpose', ['verify_email', 'reset_password'])

export const users = pgTable('users', {
  id: uuid().primaryKey(),
  name: text().notNull(),
  /** Trimmed and lower case. */
  email: text().notNull().unique(),
  passwordHash: text(),
  role: roleType().notNull().default('user'),
  language: languageType().notNull().default('id'),
  emailVerifiedAt: moment(),
  disabledAt: moment(),
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
    createdAt: moment().notNull(),
    expiresAt: moment().notNull(),
    usedAt: moment(),
  },
  (table) => [index().on(table.userId)],
)
