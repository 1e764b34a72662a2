import { and, asc, eq, gte, inArray, lt, lte, or, type SQL, sql } from 'drizzle-orm'
import { type PgColumn, type PgTable, smallint, uuid } from 'drizzle-orm/pg-core'
import { addTime } from '#shared/time.ts'
import { timestamptz } from './db/columns.ts'
import type { Deps } from './deps.ts'
import type { OutboxQueue, QueueOptions, WorkOptions } from './jobs/queue.ts'
import { wakeOutbox } from './notify.ts'

// A transaction inserts the message, its commit wakes a sender, and the sweeper sends again what a
// dead process or a failed attempt left. So each message of a committed transaction is sent at
// least once, and none of a transaction that was rolled back.

/** Columns of every outbox table, which also needs an index on `nextAttemptAt`. */
export const outboxColumns = {
  id: uuid().primaryKey(),
  createdAt: timestamptz().notNull(),
  /** Counted before each attempt, so that a message that crashes the process is given up too. */
  attempts: smallint().notNull().default(0),
  /** Time from which on the sweeper sends the message again. */
  nextAttemptAt: timestamptz().notNull().defaultNow(),
}

export interface Outbox {
  queue: OutboxQueue
  table: PgTable & Record<keyof typeof outboxColumns, PgColumn>
  maxAttempts: number
  /** Each pause between attempts is three times as long as the one before. */
  pauseSeconds: { first: number; max: number }
  /** Older messages are dropped. */
  maxAgeSeconds?: number
  /** For a limit of attempts at the same time of one owner's messages (`WorkOptions`). */
  owner?: PgColumn
  /** Rows stay as a log: condition of those to be sent, and columns of one that is given up. */
  log?: { pending: SQL; givenUp: Record<string, unknown> }
}

export const outboxQueue = {
  expireInSeconds: 120,
  countsAttempts: true,
  // Only for jobs of dead processes.
  retryLimit: 2,
  deleteAfterSeconds: 600,
} as const satisfies QueueOptions

const graceSeconds = 10
const sweepSeconds = 15
/** Seconds until the sweeper queues a queued message again; other messages go first meanwhile. */
const claimSeconds = 300
const batch = 500

/** The sender woken by the commit gets time to finish before the sweeper wakes another. */
export const outboxTimes = (now: Date) => ({ createdAt: now, nextAttemptAt: addTime(now, { seconds: graceSeconds }) })

/** RETURNING clause that wakes the sender when the transaction commits. */
export const wakesSender = ({ queue, table, owner }: Outbox) => ({ woken: wakeOutbox(queue, table.id, owner) })

/** Sets the time of the next attempt; false if the message is sent, or had all its attempts. */
export async function beginAttempt(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { table, maxAttempts, pauseSeconds: { first, max }, log }: Outbox,
  id: string,
): Promise<boolean> {
  const pause = sql`least(${max}::int, ${first}::int * 3 ^ ${table.attempts})`
  const begun = await db
    .update(table)
    .set({
      attempts: sql`${table.attempts} + 1`,
      nextAttemptAt: sql`${clock().toISOString()}::timestamptz + ${pause} * interval '1 second'`,
    })
    .where(and(eq(table.id, id), lt(table.attempts, maxAttempts), log?.pending))
    .returning({ id: table.id })
  return begun.length > 0
}

/** `send` begins an attempt, and rejects if a later one may succeed. */
export async function workOutbox(
  deps: Pick<Deps, 'db' | 'jobs' | 'clock' | 'log' | 'notifier'>,
  outbox: Outbox,
  concurrency: WorkOptions | number,
  send: (id: string) => Promise<void>,
): Promise<void> {
  const { jobs, notifier, log } = deps
  const { queue } = outbox
  await jobs.work(queue, concurrency, ({ id }) => send(id))
  await jobs.every(`sweep-${queue}`, sweepSeconds, () => sweepOutbox(deps, outbox))
  notifier.subscribe((notification) => {
    if (notification.kind !== 'outbox' || notification.queue !== queue) return
    // If this fails, the sweeper sends the message.
    jobs
      .send(queue, { id: notification.id }, notification.owner ? { owner: notification.owner } : {})
      .catch((error) => log.warn({ err: error, queue }, 'a message could not be queued'))
  })
}

/**
 * Queues due messages, longest waiting first, and drops those that are too old or had all their
 * attempts. A queued message goes to the end of the line, so that failing ones never fill every
 * batch; in the job queue messages with fewer failures go first.
 */
export async function sweepOutbox(
  { db, jobs, clock, log }: Pick<Deps, 'db' | 'jobs' | 'clock' | 'log'>,
  { queue, table, maxAttempts, maxAgeSeconds, owner, log: kept }: Outbox,
): Promise<void> {
  const now = clock()
  const isDue = and(lte(table.nextAttemptAt, now), kept?.pending)
  const tooOld =
    maxAgeSeconds === undefined ? undefined : lt(table.createdAt, addTime(now, { seconds: -maxAgeSeconds }))
  const isHopeless = and(isDue, or(gte(table.attempts, maxAttempts), tooOld))
  const dropped = kept
    ? await db.update(table).set(kept.givenUp).where(isHopeless).returning({ id: table.id })
    : await db.delete(table).where(isHopeless).returning({ id: table.id })
  if (dropped.length > 0) log.warn({ queue, messages: dropped.length }, 'gave up sending messages')
  const due = db
    .select({ id: table.id })
    .from(table)
    .where(isDue)
    .orderBy(asc(table.nextAttemptAt), asc(table.id))
    .limit(batch)
  const pending = await db
    .update(table)
    .set({ nextAttemptAt: addTime(now, { seconds: claimSeconds }) })
    .where(and(inArray(table.id, due), isDue))
    .returning({ id: table.id, attempts: table.attempts, owner: owner ?? sql`null` })
  await jobs.sendAll(
    queue,
    pending.map(({ id, attempts, owner }) => ({
      data: { id: String(id) },
      options: { priority: -Number(attempts), ...(owner != null && { owner: String(owner) }) },
    })),
  )
}
