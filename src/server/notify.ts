import { type SQL, type SQLWrapper, sql } from 'drizzle-orm'
import type { Logger } from 'pino'
import type { ErrorCode } from '#shared/errors.ts'
import type { Executor } from './db/database.ts'
import { type DatabaseLink, keepListening } from './db/keep-listening.ts'
import type { OutboxQueue } from './jobs/queue.ts'

/** NOTIFY carries at most 8000 bytes. */
export type Notification =
  | { kind: 'generation'; userId: string; generationId: string; change: number }
  | { kind: 'credits'; userId: string }
  | { kind: 'order'; userId: string; orderId: string }
  | { kind: 'custom_edits'; userId: string }
  /** A message waits in an outbox. */
  | { kind: 'outbox'; queue: OutboxQueue; id: string; owner?: string }
  | { kind: 'cancel'; generationId: string }
  | { kind: 'session_revoked'; userId: string }
  /** Outcome of a check or a re-rendering, for the request that waits for it. */
  | { kind: 'job_done'; jobId: string; error: ErrorCode | null }
  /** The listening connection was lost and is back; notifications in between were missed. */
  | { kind: 'resync' }

/** NOTIFY/LISTEN of PostgreSQL, the same in the embedded database. */
export interface Notifier {
  subscribe(listener: (notification: Notification) => void): () => void
  stop(): Promise<void>
}

const channel = 'rupa_changes'

/** Notifies every process once the transaction commits, in one round trip. */
export async function publish(
  executor: Executor,
  ...notifications: Exclude<Notification, { kind: 'resync' }>[]
): Promise<void> {
  const payloads = notifications.map((notification) => JSON.stringify(notification))
  await executor.execute(
    sql`select pg_notify(${channel}, payload) from unnest(array[${sql.join(
      payloads.map((payload) => sql`${payload}::text`),
      sql`, `,
    )}]) as payload`,
  )
}

/** RETURNING clause that notifies of each changed generation. */
export function notificationOf({ id, userId, change }: Record<'id' | 'userId' | 'change', SQLWrapper>): SQL {
  return sql`pg_notify(${channel},
    json_build_object('kind', 'generation', 'userId', ${userId}, 'generationId', ${id}, 'change', ${change})::text)`
}

/** RETURNING clause that wakes the sender of an outbox (outbox.ts). */
export function wakeOutbox(queue: OutboxQueue, id: SQLWrapper, owner?: SQLWrapper): SQL {
  const ofOwner = owner ? sql`, 'owner', ${owner}` : sql``
  return sql`pg_notify(${channel},
    json_build_object('kind', 'outbox', 'queue', ${queue}::text, 'id', ${id}${ofOwner})::text)`
}

/** A lost connection is reopened; listeners then get `resync`. */
export async function createNotifier(link: DatabaseLink, log: Logger): Promise<Notifier> {
  const listeners = new Set<(notification: Notification) => void>()
  const deliver = (notification: Notification) => {
    for (const listener of [...listeners]) {
      try {
        listener(notification)
      } catch (error) {
        log.error({ err: error }, 'a listener for changes failed')
      }
    }
  }
  const receive = (payload: string) => deliver(JSON.parse(payload) as Notification)
  const listen = async ({ url, directUrl = url }: Extract<DatabaseLink, { url: string }>) => {
    let first = true
    const onConnected = () => {
      if (!first) deliver({ kind: 'resync' })
      first = false
    }
    const { close } = await keepListening(directUrl, log, { channel, onNotify: receive, onConnected })
    return close
  }
  const close = 'pglite' in link ? await link.pglite.listen(channel, receive) : await listen(link)
  return {
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    async stop() {
      listeners.clear()
      await close()
    },
  }
}
