import type { PGlite } from '@electric-sql/pglite'

/**
 * How the queue and the notifier reach the database themselves, beside Drizzle: the open embedded
 * one, or the address of a PostgreSQL.
 */
export type DatabaseLink = { pglite: PGlite } | { url: string }
