import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgEnum, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core'
import { timestamptz } from '#server/db/columns.ts'
import { trigramIndex } from '#server/db/trigram-search.ts'
import type { ClosingReason } from '#shared/age.ts'
import type { ApiKeyMode, ApiKeyScope } from '#shared/api-key.ts'
import { consentKinds } from '#shared/consent.ts'
import { languages } from '#shared/language.ts'
import { duties, roles } from '#shared/roles.ts'
import type { Theme } from '#shared/theme.ts'

export const roleType = pgEnum('role', roles)
export const dutyType = pgEnum('duty', duties)
export const languageType = pgEnum('language', languages)
export const accountTokenPurpose = pgEnum('account_token_purpose', [
  'verify_email',
  'reset_password',
  'change_email',
  'confirm',
  'sign_in',
  'second_factor',
  'first_factor',
  'keep_factors',
  'registered',
  'guardian_consent',
  'guardian_revocation',
])
export const consentKind = pgEnum('consent_kind', consentKinds)

export const users = pgTable(
  'users',
  {
    id: uuid().primaryKey(),
    name: text().notNull(),
    /** Trimmed and lower case; for a deleted account a value that is not a valid address. */
    email: text().notNull().unique(),
    passwordHash: text(),
    role: roleType().notNull().default('user'),
    duty: dutyType(),
    language: languageType().notNull().default('id'),
    theme: jsonb().$type<Theme>(),
    emailVerifiedAt: timestamptz(),
    /** The user must change the generated password before anything else. */
    passwordChangeDue: boolean().notNull().default(false),
    disabledAt: timestamptz(),
    /** Note and tags by staff. */
    note: text().notNull().default(''),
    tags: text().array().notNull().default([]),
    /** Null: not told yet. */
    birthYear: integer(),
    /** Without a birth year nothing new can be started from then on. */
    birthYearDueAt: timestamptz().notNull().default(sql`now() + interval '14 days'`),
    /** Decided: the account is disabled, and its data are erased at once or by the sweeper. */
    closing: text().$type<ClosingReason>(),
    /** The row stays without personal data, since the ledger refers to it. */
    deletedAt: timestamptz(),
    createdAt: timestamptz().notNull(),
  },
  (table) => [
    index().on(table.createdAt),
    index().on(table.name, table.id),
    index('users_by_parts').using('gin', trigramIndex(table.name, table.email)),
    index('staff').on(table.role, table.id).where(sql`${table.role} <> 'user'`),
    index('unverified_users').on(table.id).where(sql`${table.emailVerifiedAt} is null`),
    index('users_by_tag').using('gin', table.tags),
    index('closing_users').on(table.id).where(sql`${table.closing} is not null and ${table.deletedAt} is null`),
    index('disabled_users').on(table.id).where(sql`${table.disabledAt} is not null`),
  ],
)

export const sessions = pgTable(
  'sessions',
  {
    id: uuid().primaryKey(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    remember: boolean().notNull(),
    userAgent: text(),
    createdAt: timestamptz().notNull(),
    /** Accurate to some minutes; null until its first use. */
    lastSeenAt: timestamptz(),
    expiresAt: timestamptz().notNull(),
    secondFactorAt: timestamptz(),
    /**
     * A mailed link was opened in this session; the account's first factor may be added until then.
     */
    mayEnrolUntil: timestamptz(),
    revokedAt: timestamptz(),
    /** The ended device deletes the user's data. */
    signedOutElsewhere: boolean().notNull().default(false),
  },
  (table) => [index().on(table.userId)],
)

/** Only the token's SHA-256 is kept. */
export const accountTokens = pgTable(
  'account_tokens',
  {
    hash: text().primaryKey(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    purpose: accountTokenPurpose().notNull(),
    /** New address for `change_email`. */
    email: text(),
    /** For a sign-in that continues: true for a session of 30 days. */
    remember: boolean(),
    /** Keyed hash of a code that does the same as the link, on the device of the registration. */
    codeHash: text(),
    createdAt: timestamptz().notNull(),
    expiresAt: timestamptz().notNull(),
    usedAt: timestamptz(),
  },
  (table) => [index().on(table.userId)],
)

/** Withdrawing keeps the row, which proves the time before. */
export const consents = pgTable(
  'consents',
  {
    id: uuid().primaryKey(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    kind: consentKind().notNull(),
    version: text().notNull(),
    givenAt: timestamptz().notNull(),
    withdrawnAt: timestamptz(),
  },
  (table) => [index().on(table.userId)],
)

/**
 * A minor waits for a guardian's consent in a row without `givenAt`. Rows with an older version of
 * the text stay as proof of the time before.
 */
export const guardianConsents = pgTable(
  'guardian_consents',
  {
    id: uuid().primaryKey(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** Null until the minor has named a guardian. */
    guardianEmail: text(),
    createdAt: timestamptz().notNull(),
    /** The age became known, or the latest guardian was named. */
    waitingSince: timestamptz().notNull(),
    remindedAt: timestamptz(),
    givenAt: timestamptz(),
    /** Version of the text that the guardian agreed to. */
    version: text(),
    /** Network address of the guardian, as evidence. */
    givenFrom: text(),
  },
  (table) => [
    index().on(table.userId),
    uniqueIndex('one_open_guardian_consent').on(table.userId).where(sql`${table.givenAt} is null`),
    index('open_guardian_consents').on(table.waitingSince).where(sql`${table.givenAt} is null`),
  ],
)

/** Encrypted; effective once confirmed. */
export const totpSecrets = pgTable(
  'totp_secrets',
  {
    userId: uuid()
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
    secret: text().notNull(),
    /** Period of the last used code; each code counts once. */
    lastStep: integer(),
    /** Since the last notice, including recovery codes. */
    wrongCodes: integer().notNull().default(0),
    createdAt: timestamptz().notNull(),
    confirmedAt: timestamptz(),
    removalDueAt: timestamptz(),
  },
  (table) => [index('due_totp_removals').on(table.removalDueAt).where(sql`${table.removalDueAt} is not null`)],
)

/** WebAuthn Level 3. */
export const passkeys = pgTable(
  'passkeys',
  {
    /** Base64url. */
    id: text().primaryKey(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** COSE, base64url. */
    publicKey: text().notNull(),
    counter: integer().notNull(),
    transports: jsonb().$type<string[]>().notNull(),
    name: text(),
    createdAt: timestamptz().notNull(),
    lastUsedAt: timestamptz(),
    removalDueAt: timestamptz(),
  },
  (table) => [
    index().on(table.userId),
    index('due_passkey_removals').on(table.removalDueAt).where(sql`${table.removalDueAt} is not null`),
  ],
)

/** Credentials of programs that act for the user. */
export const apiKeys = pgTable(
  'api_keys',
  {
    id: uuid().primaryKey(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    mode: text().$type<ApiKeyMode>().notNull(),
    scopes: text().array().$type<ApiKeyScope[]>().notNull(),
    /** SHA-256, hexadecimal: 256 random bits need no slow hash. */
    hash: text().notNull().unique(),
    /** The first characters, by which users tell their keys apart. */
    hint: text().notNull(),
    /** Credits that the key may spend in a day of Jakarta; null: no limit. */
    dailyCredits: integer(),
    createdAt: timestamptz().notNull(),
    expiresAt: timestamptz(),
    /** Accurate to a minute; null until its first use. */
    lastUsedAt: timestamptz(),
    revokedAt: timestamptz(),
  },
  (table) => [index().on(table.userId)],
)
