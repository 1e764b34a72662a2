import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  index,
  integer,
  jsonb,
  pgEnum,
  pgSequence,
  pgTable,
  primaryKey,
  real,
  smallint,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import type { TaskName } from '#engine/task-types.ts'
import { storedFiles } from '#features/uploads/server/table.ts'
import { apiKeys, users } from '#server/auth/table.ts'
import { timestamptz } from '#server/db/columns.ts'
import type { ErrorCode } from '#shared/errors.ts'
import type { Facts, PhotoCheck, WarningCode } from '#tools/contract/tool.ts'
import { generationStatuses, refundRequestStatuses } from '../rules.ts'
import type { GenerationQueue } from './queues.ts'

export const generationStatusType = pgEnum('generation_status', generationStatuses)
export const refundRequestStatusType = pgEnum('claim_status', refundRequestStatuses)
export const fileRole = pgEnum('generation_file_role', [
  'input',
  'kept',
  'output',
  'thumbnail',
  'task',
  /** An input that was replaced. */
  'earlier',
  'link_picture',
])

/** Numbers every change, so that clients can resume from the last one they saw. */
export const changeSequence = pgSequence('generation_changes')

export const generations = pgTable(
  'generations',
  {
    id: uuid().primaryKey(),
    userId: uuid()
      .notNull()
      .references(() => users.id),
    tool: text().notNull(),
    params: jsonb().$type<Record<string, unknown>>().notNull(),
    status: generationStatusType().notNull().default('queued'),
    progress: real().notNull().default(0),
    credits: integer().notNull(),
    queue: text().$type<GenerationQueue>().notNull().default('run-generation'),
    /** Open generations of the owner at its creation: owners with fewer go first. */
    turn: smallint().notNull().default(0),
    /** Set when the generation ends. */
    provider: text().notNull().default('local'),
    /** First provider that failed at a task. */
    fallbackFrom: text(),
    /** Next poll of its providers; null while none is awaited. */
    waitUntil: timestamptz(),
    warnings: jsonb().$type<WarningCode[]>().notNull().default([]),
    facts: jsonb().$type<Facts>().notNull().default({}),
    errorCode: text().$type<ErrorCode>(),
    idempotencyKey: text().notNull(),
    /** Set if a program started it. */
    apiKeyId: uuid().references(() => apiKeys.id, { onDelete: 'set null' }),
    /** Free, with marked and small results. */
    test: boolean().notNull().default(false),
    engineVersion: text().notNull().default(''),
    /** SHA-256 over tool, params and files: the same key with other content is refused. */
    contentHash: text().notNull(),
    /** Content hash of the awaited free check; null if its findings were known. */
    awaitedCheck: text(),
    attempts: smallint().notNull().default(0),
    /** Positions; 0 is the paid generation's own rendering. */
    rendering: integer().notNull().default(0),
    newestRendering: integer().notNull().default(0),
    change: bigint({ mode: 'number' }).notNull().default(sql`nextval('generation_changes')`),
    createdAt: timestamptz().notNull(),
    startedAt: timestamptz(),
    finishedAt: timestamptz(),
    expiresAt: timestamptz().notNull(),
    deletedAt: timestamptz(),
  },
  (table) => [
    unique('one_generation_per_key').on(table.userId, table.idempotencyKey),
    index().on(table.userId, table.id),
    index().on(table.userId, table.change),
    // Covers all columns of the dashboard's counts, so that it reads only this index.
    index('generations_by_time').on(table.createdAt, table.status, table.tool, table.userId),
    index('generations_of_key').on(table.apiKeyId, table.createdAt).where(sql`${table.apiKeyId} is not null`),
    index('failed_generations').on(table.tool, table.id).where(sql`${table.status} = 'failed'`),
    index('open_generations').on(table.id).where(sql`${table.status} in ('queued', 'detecting', 'generating')`),
  ],
)

export const generationFiles = pgTable(
  'generation_files',
  {
    id: uuid().primaryKey(),
    generationId: uuid()
      .notNull()
      .references(() => generations.id, { onDelete: 'cascade' }),
    role: fileRole().notNull(),
    /** Name of the input, layer or output, or empty. */
    label: text().notNull().default(''),
    position: smallint().notNull().default(0),
    storageKey: text()
      .notNull()
      .unique()
      .references(() => storedFiles.storageKey),
    name: text().notNull(),
    contentType: text().notNull(),
    width: integer().notNull(),
    height: integer().notNull(),
    seconds: real().notNull().default(0),
    bytes: integer().notNull(),
    createdAt: timestamptz().notNull(),
  },
  (table) => [index().on(table.generationId)],
)

/** Earlier renderings are kept for undo. */
export const renderings = pgTable(
  'renderings',
  {
    generationId: uuid()
      .notNull()
      .references(() => generations.id, { onDelete: 'cascade' }),
    position: integer().notNull(),
    params: jsonb().$type<Record<string, unknown>>().notNull(),
    /** Ids of replaceable inputs' files. */
    files: jsonb().$type<string[]>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.generationId, table.position] })],
)

/**
 * wanted: to be sent; asked: sent without a response yet; waiting: in progress; refused: rejected
 * by the provider's safety rules, which ends the generation.
 */
export type ProviderJobState = 'wanted' | 'asked' | 'waiting' | 'done' | 'failed' | 'refused' | 'cancelled'

/**
 * Written before each request. A row of the engine (`local`) records that no provider could do the
 * task.
 */
export const providerJobs = pgTable(
  'provider_jobs',
  {
    id: uuid().primaryKey(),
    /** Null where an admin tests the provider. */
    generationId: uuid().references(() => generations.id, { onDelete: 'cascade' }),
    /** The tool's name for the task, and a number among tasks of that name. */
    taskKey: text('place').notNull(),
    task: text().$type<TaskName>().notNull(),
    provider: text().notNull(),
    /** Unique for each request; written before it is sent. */
    reference: uuid().notNull().defaultRandom(),
    /**
     * The slot takes one job at a time. A job that is sent again avoids this slot, because its
     * download failed.
     */
    slot: text('seat'),
    externalId: text(),
    state: text().$type<ProviderJobState>().notNull(),
    /** Number of times it was sent: a job is sent again only if it is certainly lost. */
    sent: smallint().notNull().default(0),
    /** Counted since the job was last sent. */
    failedDownloads: smallint().notNull().default(0),
    /** The input is too large for the provider and is sent in a smaller size. */
    smaller: boolean().notNull().default(false),
    /** Required size of its result in pixels. */
    width: integer(),
    height: integer(),
    progress: real().notNull().default(0),
    /** US dollars: an estimate while it runs, then the actual cost if reported. */
    cost: real(),
    error: text(),
    createdAt: timestamptz().notNull(),
    sentAt: timestamptz(),
    endedAt: timestamptz(),
  },
  (table) => [
    unique('one_job_per_provider').on(table.generationId, table.taskKey, table.provider),
    uniqueIndex('one_job_per_seat').on(table.slot).where(sql`${table.state} in ('asked', 'waiting')`),
    index('provider_jobs_of_sending').on(table.reference),
    index('jobs_of_provider').on(table.provider, table.createdAt),
    index('open_provider_jobs').on(table.createdAt).where(sql`${table.state} in ('wanted', 'asked', 'waiting')`),
    index('failed_provider_jobs').on(table.endedAt).where(sql`${table.state} = 'failed'`),
  ],
)

/** The newest version counts. */
export const providerOrders = pgTable(
  'provider_orders',
  {
    task: text().$type<TaskName>().notNull(),
    /** Empty for all tools without their own order. */
    tool: text().notNull().default(''),
    version: integer().notNull(),
    /** Null restores the default order. */
    providers: jsonb().$type<readonly string[]>(),
    createdAt: timestamptz().notNull(),
    createdBy: uuid().notNull(),
  },
  (table) => [primaryKey({ columns: [table.task, table.tool, table.version] })],
)

/** Admins set them; the newest version counts. */
export const providerSettings = pgTable(
  'provider_settings',
  {
    provider: text().notNull(),
    version: integer().notNull(),
    settings: jsonb().$type<object>().notNull(),
    createdAt: timestamptz().notNull(),
    createdBy: uuid().notNull(),
  },
  (table) => [primaryKey({ columns: [table.provider, table.version] })],
)

/** At most one for each generation. */
export const refundRequests = pgTable(
  'generation_claims',
  {
    generationId: uuid()
      .primaryKey()
      .references(() => generations.id),
    userId: uuid()
      .notNull()
      .references(() => users.id),
    reason: text().notNull(),
    status: refundRequestStatusType().notNull(),
    /** The admin's reason, for the user. */
    answer: text(),
    /** Refunded credits. */
    refunded: integer().notNull().default(0),
    createdAt: timestamptz().notNull(),
    decidedAt: timestamptz(),
    decidedBy: uuid(),
  },
  (table) => [index().on(table.userId, table.createdAt), index().on(table.status, table.createdAt, table.generationId)],
)

/** Not requested by the user: staff ran a failed generation again for free (`runAgain`). */
export const isRunAgain = sql<boolean>`coalesce(${refundRequests.decidedBy} is not null
  and ${refundRequests.decidedAt} = ${refundRequests.createdAt}, false)`

/** Caches findings by the content hash of tool, parameters and inputs. */
export const photoChecks = pgTable(
  'inspections',
  {
    contentHash: text().primaryKey(),
    photoCheck: jsonb('inspection').$type<PhotoCheck>().notNull(),
    createdAt: timestamptz().notNull(),
  },
  (table) => [index().on(table.createdAt)],
)

/** A tool without a row is enabled. */
export const toolSettings = pgTable('tool_settings', {
  tool: text().primaryKey(),
  enabled: boolean().notNull().default(true),
  /** Shown while the tool is off. */
  message: text().notNull().default(''),
  messageEn: text().notNull().default(''),
  /** Results show the tool's mark, whatever the user chooses. */
  markRequired: boolean().notNull().default(false),
  /** Pictures may be sent to external providers, for users who have consented. */
  remoteAllowed: boolean().notNull().default(true),
  updatedAt: timestamptz().notNull(),
})
