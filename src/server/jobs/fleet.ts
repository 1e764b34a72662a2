import type { Logger } from 'pino'
import { keepListening } from '../db/keep-listening.ts'
import type { DatabaseLink } from './database-link.ts'

/** Advisory lock of the leader; an arbitrary unused number. */
const leaderLock = 7_282_032

/** This process among all processes on the same database. */
export interface Fleet {
  /** Signal of the leading process, which does repeated tasks; aborted when it loses the lead. */
  leading(): AbortSignal | undefined
  close(): Promise<void>
}

interface Hears {
  /** Channel whose notifications name a queue with a waiting job. */
  channel: string
  onNotify(queue: string): void
  /** Called after (re)connecting: notifications may have been missed. */
  onConnected(): void
  onLeading(): void
}

/**
 * Joins the fleet by one direct connection, which listens and, in one process, holds the leader's
 * advisory lock. The embedded database has a single process, which leads.
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
      lead?.abort(new Error('another process may be the leader now'))
      lead = undefined
    },
    async beat(client) {
      // The leader queries its own lock, which proves that it is still connected.
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
