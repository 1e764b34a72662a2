import type { Logger } from 'pino'
import { keepListening } from '../db/keep-listening.ts'
import type { DatabaseLink } from './database-link.ts'

/** Advisory lock of the leader; an arbitrary unused number. */
const leaderLock = 7_282_032

export interface Fleet {
  /**
   * Signal for repeated tasks of the leader, aborted when it loses the lead; undefined elsewhere.
   */
  leading(): AbortSignal | undefined
  close(): Promise<void>
}

interface FleetListener {
  /** Channel whose notifications name a queue with a waiting job. */
  channel: string
  onNotify(queue: string): void
  /** Notifications may have been missed. */
  onConnected(): void
  onLeading(): void
}

/**
 * Listens on one direct connection, and holds the leader's advisory lock in one process. The
 * embedded database has a single process, which leads.
 */
export async function joinFleet(link: DatabaseLink, log: Logger, listener: FleetListener): Promise<Fleet> {
  if ('pglite' in link) {
    const unlisten = await link.pglite.listen(listener.channel, listener.onNotify)
    const lead = new AbortController()
    return { leading: () => lead.signal, close: () => unlisten() }
  }
  let lead: AbortController | undefined
  let closed = false
  const connection = await keepListening(link.directUrl ?? link.url, log, {
    ...listener,
    onLost() {
      lead?.abort(new Error('another process may be the leader now'))
      lead = undefined
    },
    async beat(client) {
      // Querying its own lock proves that the leader is still connected.
      const asked = lead ? 'select true as mine' : 'select pg_try_advisory_lock($1) as mine'
      const { rows } = await client.query<{ mine: boolean }>(asked, lead ? [] : [leaderLock])
      if (lead || closed || !rows[0]?.mine) return
      lead = new AbortController()
      listener.onLeading()
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
