import type { PGlite } from '@electric-sql/pglite'
import type pg from 'pg'

/**
 * How the queue and the notifier reach the database themselves, beside Drizzle: the open embedded
 * one, or the address of a PostgreSQL. What belongs to a connection (LISTEN, locks of a process)
 * needs `directUrl` where `url` leads to a pooler.
 */
export type DatabaseLink =
  | { pglite: PGlite }
  | { url: string; directUrl?: string | undefined; pool?: pg.Pool | undefined }
