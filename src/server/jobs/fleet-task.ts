import { createHash } from 'node:crypto'
import pg from 'pg'
import type { DatabaseLink } from './database-link.ts'

/** Runs tasks that at most one process of the fleet may be running at a time. */
export interface FleetLock {
  /** Runs the task, or does nothing while another process is at it. */
  run(name: string, task: () => Promise<void>): Promise<void>
  close(): Promise<void>
}

/** The embedded database belongs to one process, so there nothing needs a lock; PostgreSQL keeps an advisory lock while the task runs. */
export function createFleetLock(link: DatabaseLink): FleetLock {
  if ('pglite' in link) return { run: (_name, task) => task(), close: async () => {} }
  const pool = new pg.Pool({ connectionString: link.url, max: 2, idleTimeoutMillis: 5000, allowExitOnIdle: true })
  // An idle connection that breaks is replaced by the pool; the error itself has no reader.
  pool.on('error', () => {})
  return {
    async run(name, task) {
      const key = createHash('sha256').update(`every:${name}`).digest().readBigInt64BE().toString()
      const client = await pool.connect()
      let broken: Error | undefined
      try {
        const { rows } = await client.query('select pg_try_advisory_lock($1) as mine', [key])
        if (!rows[0].mine) return
        try {
          await task()
        } finally {
          await client.query('select pg_advisory_unlock($1)', [key]).catch((error: Error) => {
            broken = error
          })
        }
      } finally {
        client.release(broken)
      }
    },
    close: () => pool.end(),
  }
}
