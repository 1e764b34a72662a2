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
import type { ErrorCode } from '#contract/errors.ts'
import type { TaskName } from '#engine/task-types.ts'
import { users } from '#features/account/server/table.ts'
import { storedFiles } from '#features/uploads/server/table.ts'
import { moment } from '#server/db/columns.ts'
import type { Facts, PhotoCheck, WarningCode } from '#tools/contract/tool.ts'
import { generationStatuses, refundRequestStatuses } from '../rules.ts'
import type { RunQueue } from './queues.ts'

export const generationStatusType = pgEnum('generation_status', generationStatuses)
export const refundRequestStatusType = pgEnum('claim_status', refundRequestStatuses)
export const fileRole = pgEnum('generation_file_role', [
  'input',
  'kept',
  'output',
  'thumbnail',
  'task',
  /** Was an input, before it was given anew. */
  'earlier',
  'link_picture',
])

/** Numbers every change of a generation, so that a client can resume from the last one it saw. */
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
    queue: text().$type<RunQueue>().notNull().default('run-generation'),
    /** Open runs that its owner had when it was created: whoever waits with fewer goes first. */
    turn: smallint().notNull().default(0),
    /** Who did the work, when it is done. */
    provider: text().notNull().default('local'),
    /** Who was to do some of it and could not. */
    fallbackFrom: text(),
    /** When its providers are asked again how they are; null while nobody is waited for. */
    waitUntil: moment(),
    warnings: jsonb().$type<WarningCode[]>().notNull().default([]),
    facts: jsonb().$type<Facts>().notNull().default({}),
    errorCode: text().$type<ErrorCode>(),
    idempotencyKey: text().notNull(),
    /** SHA-256 over tool, params and files: the same key with another content is refused. */
    contentHash: text().notNull(),
    /** Of the free check that the run has to wait for; null where its findings were known. */
    awaitedCheck: text(),
    attempts: smallint().notNull().default(0),
    /** Which of its renderings is shown, and the newest: 0 is the run's own. */
    rendering: integer().notNull().default(0),
    newestRendering: integer().notNull().default(0),
    change: bigint({ mode: 'number' }).notNull().default(sql`nextval('generation_changes')`),
    createdAt: moment().notNull(),
    startedAt: moment(),
    finishedAt: moment(),
    expiresAt: moment().notNull(),
    deletedAt: moment(),
  },
  (table) => [
    unique('one_generation_per_key').on(table.userId, table.idempotencyKey),
    index().on(table.userId, table.id),
    index().on(table.userId, table.change),
    // All that the dashboard counts, so that it reads nothing else.
    index('generations_by_time').on(table.createdAt, table.status, table.tool, table.userId),
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
    /** The input's, layer's or output's name, or empty. */
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
    createdAt: moment().notNull(),
  },
  (table) => [index().on(table.generationId)],
)

/** What results were rendered with before, so that somebody can go back to it. */
export const renderings = pgTable(
  'renderings',
  {
    generationId: uuid()
      .notNull()
      .references(() => generations.id, { onDelete: 'cascade' }),
    position: integer().notNull(),
    params: jsonb().$type<Record<string, unknown>>().notNull(),
    /** Files of the inputs that can be given anew. */
    files: jsonb().$type<string[]>().notNull(),
  },
  (table) => [primaryKey({ columns: [table.generationId, table.position] })],
)

/**
 * How a job is: to be sent, sent without an answer yet, under way, or at its end; `refused` by the
 * provider's safety rules, which ends the generation.
 */
export type ProviderJobState = 'wanted' | 'asked' | 'waiting' | 'done' | 'failed' | 'refused' | 'cancelled'

/**
 * What providers are asked to do for generations, written before they hear of it. The engine's own
 * row (`local`) says that nobody else could.
 */
export const providerJobs = pgTable(
  'provider_jobs',
  {
    id: uuid().primaryKey(),
    /** Null where an admin tries the provider. */
    generationId: uuid().references(() => generations.id, { onDelete: 'cascade' }),
    /** The tool's name for the task, and its number among those of that name. */
    place: text().notNull(),
    task: text().$type<TaskName>().notNull(),
    provider: text().notNull(),
    /** Names its last sending; written before that. */
    reference: uuid().notNull().defaultRandom(),
    /**
     * Where its provider does it, one at a time; of one that is sent again, the seat to avoid
     * because its result could not be downloaded from there.
     */
    seat: text(),
    externalId: text(),
    state: text().$type<ProviderJobState>().notNull(),
    /** How often it was sent; only what is certainly lost is sent again. */
    sent: smallint().notNull().default(0),
    /** How often its result could not be downloaded since it was sent. */
    failedDownloads: smallint().notNull().default(0),
    /** Whether it was too large for its provider, and is sent smaller. */
    smaller: boolean().notNull().default(false),
    /** Pixels that its result has to have. */
    width: integer(),
    height: integer(),
    progress: real().notNull().default(0),
    /** US dollars: what is expected while it runs, then as far as the provider tells. */
    cost: real(),
    error: text(),
    createdAt: moment().notNull(),
    sentAt: moment(),
    endedAt: moment(),
  },
  (table) => [
    unique('one_job_per_provider').on(table.generationId, table.place, table.provider),
    uniqueIndex('one_job_per_seat').on(table.seat).where(sql`${table.state} in ('asked', 'waiting')`),
    index('provider_jobs_of_sending').on(table.reference),
    index('jobs_of_provider').on(table.provider, table.createdAt),
    index('open_provider_jobs').on(table.createdAt).where(sql`${table.state} in ('wanted', 'asked', 'waiting')`),
    index('failed_provider_jobs').on(table.endedAt).where(sql`${table.state} = 'failed'`),
  ],
)

/** In which order providers are asked for a task; the newest version counts. */
export const providerOrders = pgTable(
  'provider_orders',
  {
    task: text().$type<TaskName>().notNull(),
    /** Of this tool alone; empty for all that have no order of their own. */
    tool: text().notNull().default(''),
    version: integer().notNull(),
    /** Null: as it is without admins. */
    providers: jsonb().$type<readonly string[]>(),
    createdAt: moment().notNull(),
    createdBy: uuid().notNull(),
  },
  (table) => [primaryKey({ columns: [table.task, table.tool, table.version] })],
)

/** What admins set of a provider; the newest version counts. */
export const providerSettings = pgTable(
  'provider_settings',
  {
    provider: text().notNull(),
    version: integer().notNull(),
    settings: jsonb().$type<object>().notNull(),
    createdAt: moment().notNull(),
    createdBy: uuid().notNull(),
  },
  (table) => [primaryKey({ columns: [table.provider, table.version] })],
)

/** "Not good": at most one a generation, refunded at once or waiting for an admin. */
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
    /** What the admin who decided it tells the person. */
    answer: text(),
    /** Credits that came back. */
    refunded: integer().notNull().default(0),
    createdAt: moment().notNull(),
    decidedAt: moment(),
    decidedBy: uuid(),
  },
  (table) => [index().on(table.userId, table.createdAt), index().on(table.status, table.createdAt, table.generationId)],
)

/** Nobody asked for it: it notes that staff had a failed run go again for nothing (`runAgain`). */
export const isRunAgain = sql<boolean>`coalesce(${refundRequests.decidedBy} is not null
  and ${refundRequests.decidedAt} = ${refundRequests.createdAt}, false)`

/**
 * What free checks found, by the content hash of tool, parameters and inputs, so that nothing is
 * checked twice.
 */
export const photoChecks = pgTable(
  'inspections',
  {
    contentHash: text().primaryKey(),
    photoCheck: jsonb('inspection').$type<PhotoCheck>().notNull(),
    createdAt: moment().notNull(),
  },
  (table) => [index().on(table.createdAt)],
)

/** How admins have set a tool; one without a row is on. */
export const toolSettings = pgTable('tool_settings', {
  tool: text().primaryKey(),
  enabled: boolean().notNull().default(true),
  /** What people are told while it is off. */
  message: text().notNull().default(''),
  messageEn: text().notNull().default(''),
  /** Every result shows the tool's mark, whatever people choose. */
  markRequired: boolean().notNull().default(false),
  /** Whether its pictures may leave the operator's machines, of those who have agreed. */
  remoteAllowed: boolean().notNull().default(true),
  updatedAt: moment().notNull(),
})
