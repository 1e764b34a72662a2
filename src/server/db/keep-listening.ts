import type { PGlite } from '@electric-sql/pglite'
import pg from 'pg'
import type { Logger } from 'pino'

const usualTiming = {
  /** Milliseconds between liveness checks of a connection. */
  beat: 8000,
  /** Milliseconds; longer than these statements take on a healthy database. */
  answer: 5000,
}
const reconnectMilliseconds = 500
/** A vanished machine closes no connections: this detects it and frees its locks. */
const serverKeepAlive = 'set tcp_keepalives_idle = 5; set tcp_keepalives_interval = 2; set tcp_keepalives_count = 2'

interface Subscription {
  channel: string
  onNotify(payload: string): void
  /** Called after (re)connecting: notifications may have been missed. */
  onConnected(): void
  onLost?(): void
  /** Liveness check that replaces an empty query. */
  beat?(client: pg.Client): Promise<void>
  timing?: typeof usualTiming
}

/**
 * Listens on one direct connection, which is reopened when lost, even silently; the first one must
 * succeed.
 */
export async function keepListening(
  url: string,
  log: Logger,
  { channel, onNotify, onConnected, onLost, beat = ask, timing = usualTiming }: Subscription,
): Promise<{ close(): Promise<void> }> {
  let client: pg.Client | undefined
  let closed = false
  let soon: NodeJS.Timeout | undefined

  const lose = (gone: pg.Client, reason?: unknown) => {
    if (client !== gone) return
    client = undefined
    onLost?.()
    if (closed) return
    log.warn({ err: reason, channel }, 'lost the listening connection')
    soon = setTimeout(look, reconnectMilliseconds)
  }
  const connect = async (): Promise<void> => {
    const next = new pg.Client({
      connectionString: url,
      keepAlive: true,
      connectionTimeoutMillis: timing.answer,
      query_timeout: timing.answer,
    })
    next.on('notification', ({ payload }) => payload && onNotify(payload))
    next.on('error', (error) => lose(next, error))
    next.on('end', () => lose(next))
    try {
      await next.connect()
      await next.query(`${serverKeepAlive}; listen ${pg.escapeIdentifier(channel)}`)
    } catch (error) {
      drop(next)
      throw error
    }
    client = next
    onConnected()
  }
  const show = async (): Promise<void> => {
    if (!client) await connect()
    const held = client
    if (!held) return
    try {
      await beat(held)
    } catch (error) {
      drop(held)
      lose(held, error)
    }
  }
  let looking: Promise<void> = Promise.resolve()
  const look = () => {
    looking = looking.then(async () => {
      if (!closed) await show().catch((error) => log.warn({ err: error, channel }, 'could not resume listening'))
    })
  }

  await connect()
  await show()
  const timer = setInterval(look, timing.beat * (0.8 + Math.random() * 0.4)).unref()
  return {
    async close() {
      closed = true
      clearInterval(timer)
      clearTimeout(soon)
      await looking
      const last = client
      client = undefined
      onLost?.()
      await last?.end()
    },
  }
}

const ask = async (client: pg.Client) => void (await client.query('select 1'))

/** Does not wait, since a dead connection never closes gracefully. */
function drop(client: pg.Client): void {
  const { stream } = client.connection
  stream.destroy()
  client.end().catch(() => {})
}

/**
 * LISTEN and the leader's lock belong to a connection and need `directUrl` if `url` leads to a
 * pooler.
 */
export type DatabaseLink = { pglite: PGlite } | { url: string; directUrl?: string | undefined; pool: pg.Pool }
