import { sql } from 'drizzle-orm'
import { boolean, index, integer, jsonb, pgEnum, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core'
import { languages } from '#contract/language.ts'
import { duties, roles } from '#contract/roles.ts'
import { moment } from '#server/db/columns.ts'
import { partsOf } from '#server/db/parts.ts'
import { consentKinds, providers } from '../rules.ts'
import type { Theme } from '../types.ts'

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
])
export const providerType = pgEnum('provider', providers)
export const consentKind = pgEnum('consent_kind', consentKinds)

export const users = pgTable(
  'users',
  {
    id: uuid().primaryKey(),
    name: text().notNull(),
    /** Trimmed and lower case; for a deleted account something that no address looks like. */
    email: text().notNull().unique(),
    passwordHash: text(),
    role: roleType().notNull().default('user'),
    /** What an admin is kept to; null for everything. */
    duty: dutyType(),
    language: languageType().notNull().default('id'),
    theme: jsonb().$type<Theme>(),
    emailVerifiedAt: moment(),
    /** Somebody else made the password; nothing else can be done before it is changed. */
    passwordChangeDue: boolean().notNull().default(false),
    disabledAt: moment(),
    /** What staff wrote down about the person, and words by which they find such people again. */
    note: text().notNull().default(''),
    tags: text().array().notNull().default([]),
    /** The row stays without its person, for the ledger refers to it. */
    deletedAt: moment(),
    createdAt: moment().notNull(),
  },
  (table) => [
    index().on(table.createdAt),
    index().on(table.name, table.id),
    index('users_by_parts').using('gin', partsOf(table.name, table.email)),
    index('staff').on(table.role, table.id).where(sql`${table.role} <> 'user'`),
    index('unverified_users').on(table.id).where(sql`${table.emailVerifiedAt} is null`),
    index('users_by_tag').using('gin', table.tags),
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
    createdAt: moment().notNull(),
    /** To within some minutes; null until its first use. */
    lastSeenAt: moment(),
    expiresAt: moment().notNull(),
    /** When a second factor or a passkey was shown in it. */
    secondFactorAt: moment(),
    /** Until when the account's first factor may be added in it: a mailed link was opened here. */
    mayEnrolUntil: moment(),
    revokedAt: moment(),
    /**
     * Ended from elsewhere on purpose: the device is told to forget what it holds of the person.
     */
    signedOutElsewhere: boolean().notNull().default(false),
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
    /** For a sign-in that goes on: whether its session is to last 30 days. */
    remember: boolean(),
    /** The keyed hash of the code that does what the link does, where the device registered. */
    codeHash: text(),
    createdAt: moment().notNull(),
    expiresAt: moment().notNull(),
    usedAt: moment(),
  },
  (table) => [index().on(table.userId)],
)

/**
 * Accounts elsewhere that open this one; only the provider's own name of the person counts, never
 * an address.
 */
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

/**
 * What somebody agreed to, apart from the terms; withdrawing keeps the row, for it proves the time
 * before.
 */
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

/**
 * Devices on which somebody has signed in before, by the SHA-256 of the cookie each of them keeps.
 */
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

/**
 * The secret that an account shares with an authenticator app, sealed; it counts once confirmed.
 */
export const totpSecrets = pgTable(
  'totp_secrets',
  {
    userId: uuid()
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
    secret: text().notNull(),
    /** The period of the last code that was used; each counts once. */
    lastStep: integer(),
    /** Since the last notice of them; recovery codes too. */
    wrongCodes: integer().notNull().default(0),
    createdAt: moment().notNull(),
    confirmedAt: moment(),
    /** When it goes, unless it is used before: asked for with a link that resets the password. */
    removalDueAt: moment(),
  },
  (table) => [index('due_totp_removals').on(table.removalDueAt).where(sql`${table.removalDueAt} is not null`)],
)

/** Single-use codes for somebody without their authenticator app, by their keyed hash. */
export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    hash: text().notNull(),
    usedAt: moment(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.hash] })],
)

/** Public keys of passkeys (WebAuthn Level 3) that open an account. */
export const passkeys = pgTable(
  'passkeys',
  {
    /** The credential's id, base64url. */
    id: text().primaryKey(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** COSE, base64url. */
    publicKey: text().notNull(),
    counter: integer().notNull(),
    transports: jsonb().$type<string[]>().notNull(),
    /** The device on which it was made, as a person would name it. */
    name: text(),
    createdAt: moment().notNull(),
    lastUsedAt: moment(),
    /** As that of an authenticator app. */
    removalDueAt: moment(),
  },
  (table) => [
    index().on(table.userId),
    index('due_passkey_removals').on(table.removalDueAt).where(sql`${table.removalDueAt} is not null`),
  ],
)

/**
 * Challenges that a passkey may still respond to, by their SHA-256; each is removed by its first
 * response.
 */
export const passkeyChallenges = pgTable('passkey_challenges', {
  hash: text().primaryKey(),
  /** Who may respond by adding a passkey; null for a sign-in. */
  userId: uuid().references(() => users.id, { onDelete: 'cascade' }),
  expiresAt: moment().notNull(),
})
