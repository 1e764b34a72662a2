import type { PGlite } from '@electric-sql/pglite'
import type pg from 'pg'

/**
 * LISTEN and the leader's lock belong to a connection and need `directUrl` if `url` leads to a
 * pooler.
 */
export type DatabaseLink = { pglite: PGlite } | { url: string; directUrl?: string | undefined; pool: pg.Pool }
