import type { Logger } from 'pino'
import { keepListening } from '../db/keep-listening.ts'
import type { DatabaseLink } from './database-link.ts'

/** One process at a time holds it; any number that nobody else uses. */
const leaderLock = 7_282_032

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
  let lead: AbortController | undefined
  let closed = false
  const connection = await keepListening(link.directUrl ?? link.url, log, {
    ...hears,
    onLost() {
      lead?.abort(new Error('another process may lead now'))
      lead = undefined
    },
    async beat(client) {
      // Whoever leads asks for what it has, which shows that it can still be heard.
      const asked = lead ? 'select true as mine' : 'select pg_try_advisory_lock($1) as mine'
      const { rows } = await client.query<{ mine: boolean }>(asked, lead ? [] : [leaderLock])
      if (lead || closed || !rows[0]?.mine) return
      lead = new AbortController()
      hears.onLeading()
    },
  })
  return {
    leading: () => lead?.signal,
    close() {
      closed = true
      return connection.close()
    },
  }
}
