import pg from 'pg'
import type { Logger } from 'pino'
import type { DatabaseLink } from './database-link.ts'

/** One process at a time holds it; any number that nobody else uses. */
const leaderLock = 7_282_032
/** How often the others try whether the leader is gone, and everybody to connect again. */
const tryMilliseconds = 5000
/** Longer than any of these statements takes on a database that is well. */
const statementMilliseconds = 10_000

/** This process among those on the same database. */
export interface Fleet {
  /**
   * Of the one process that does what has to be done once for all; aborted when it is so no more.
   */
  leading(): AbortSignal | undefined
  close(): Promise<void>
}

interface Hears {
  /** A notification on it names a queue in which a job waits. */
  channel: string
  onNotify(queue: string): void
  /** Anything may have happened, for nobody listened. */
  onConnected(): void
  onLeading(): void
}

/**
 * Joins the fleet by one direct connection, which listens and, in one process, holds the advisory
 * lock of the leader; the embedded database has one process, which leads.
 */
export async function joinFleet(link: DatabaseLink, log: Logger, hears: Hears): Promise<Fleet> {
  if ('pglite' in link) {
    const unlisten = await link.pglite.listen(hears.channel, hears.onNotify)
    const lead = new AbortController()
    return { leading: () => lead.signal, close: () => unlisten() }
  }
  let client: pg.Client | undefined
  let lead: AbortController | undefined
  let closed = false

  const lose = () => {
    client = undefined
    lead?.abort(new Error('another process may lead now'))
    lead = undefined
  }
  const connect = async (): Promise<void> => {
    const next = new pg.Client({
      connectionString: link.directUrl ?? link.url,
      keepAlive: true,
      connectionTimeoutMillis: statementMilliseconds,
      query_timeout: statementMilliseconds,
    })
    next.on('notification', ({ payload }) => payload && hears.onNotify(payload))
    next.on('error', (error) => log.warn({ err: error }, 'the connection to the fleet broke'))
    next.on('end', () => next === client && lose())
    try {
      await next.connect()
      await next.query(`listen ${pg.escapeIdentifier(hears.channel)}`)
    } catch (error) {
      await next.end().catch(() => {})
      throw error
    }
    client = next
    hears.onConnected()
  }
  const tryToLead = async (): Promise<void> => {
    if (lead || !client) return
    const { rows } = await client.query<{ mine: boolean }>('select pg_try_advisory_lock($1) as mine', [leaderLock])
    if (!rows[0]?.mine || closed) return
    lead = new AbortController()
    hears.onLeading()
  }
  const beat = async (): Promise<void> => {
    try {
      if (!client) await connect()
      await tryToLead()
    } catch (error) {
      if (!closed) log.warn({ err: error }, 'the fleet cannot be joined')
    }
  }

  await connect()
  await tryToLead()
  let beating: Promise<void> = Promise.resolve()
  const timer = setInterval(() => {
    beating = beating.then(beat)
  }, tryMilliseconds).unref()
  return {
    leading: () => lead?.signal,
    async close() {
      closed = true
      clearInterval(timer)
      await beating
      const last = client
      lose()
      await last?.end()
    },
  }
}
