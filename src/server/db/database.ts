import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import type * as schema from './schema.ts'

/** Drizzle over the embedded or the outside PostgreSQL; use cases cannot tell which. */
export type Database = PgDatabase<PgQueryResultHKT, typeof schema>

/** What a transaction's body works with. Inside a transaction everything must go through it: on the embedded database the outer handle would wait for it for ever. */
export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0]

/** Either; for reads that may stand alone or inside a transaction. */
export type Executor = Database | Transaction
