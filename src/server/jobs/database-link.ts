import type { PGlite } from '@electric-sql/pglite'
import type pg from 'pg'

/**
 * Access of the queue and the notifier to the database, beside Drizzle: the open embedded database,
 * or the address of a PostgreSQL and the pool of connections to it. LISTEN and the lock of the
 * leader belong to a connection, and need `directUrl` if `url` leads to a pooler.
 */
export type DatabaseLink = { pglite: PGlite } | { url: string; directUrl?: string | undefined; pool: pg.Pool }
