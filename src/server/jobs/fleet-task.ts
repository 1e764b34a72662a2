import { createHash } from 'node:crypto'
import pg from 'pg'
import type { DatabaseLink } from './database-link.ts'

/** Longer than any lock statement takes on a database that is well. */
const statementMilliseconds = 10_000

/** Runs tasks that at most one process of the fleet may be running at a time. */
export interface FleetLock {
  /**
   * Runs the task, or does nothing while another process is running it. Tasks of different names
   * never wait for each other.
   */
  run(name: string, task: () => Promise<void>): Promise<void>
  close(): Promise<void>
}

/**
 * The embedded database belongs to one process, so there nothing needs a lock; PostgreSQL keeps an
 * advisory lock while the task runs.
 */
export function createFleetLock(link: DatabaseLink): FleetLock {
  if ('pglite' in link) return { run: (_name, task) => task(), close: async () => {} }
  // One connection holds the locks of all tasks, so that a slow task takes no connection from the
  // others.
  let connection: Promise<pg.Client> | undefined

  const connect = (): Promise<pg.Client> => {
    if (connection) return connection
    const client = new pg.Client({
      connectionString: link.url,
      keepAlive: true,
      connectionTimeoutMillis: statementMilliseconds,
      query_timeout: statementMilliseconds,
    })
    const forget = () => {
      if (connection === opened) connection = undefined
    }
    // A connection that breaks loses its locks; the next task opens another one.
    client.on('error', forget)
    client.on('end', forget)
    const opened = client.connect().then(
      () => client,
      (error: unknown) => {
        forget()
        throw error
      },
    )
    connection = opened
    return opened
  }

  let last: Promise<unknown> = Promise.resolve()
  /** One statement after the other, as the connection wants it. */
  const ask = (client: pg.Client, query: string, key: string): Promise<{ mine: boolean }> => {
    const answer = last.then(async () => (await client.query<{ mine: boolean }>(query, [key])).rows[0])
    last = answer.catch(() => {})
    return answer.then((row) => row ?? { mine: false })
  }

  return {
    async run(name, task) {
      const key = createHash('sha256').update(`every:${name}`).digest().readBigInt64BE().toString()
      const client = await connect()
      const { mine } = await ask(client, 'select pg_try_advisory_lock($1) as mine', key)
      if (!mine) return
      try {
        await task()
      } finally {
        // A lock that cannot be given back goes with its connection.
        await ask(client, 'select pg_advisory_unlock($1) as mine', key).catch(() => client.end().catch(() => {}))
      }
    },
    async close() {
      const client = await connection?.catch(() => undefined)
      await last
      await client?.end()
    },
  }
}
