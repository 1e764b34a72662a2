import type { PGlite } from '@electric-sql/pglite'
import { type SQL, sql } from 'drizzle-orm'
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core'
import type pg from 'pg'
import type { Logger } from 'pino'
import type { Config } from '../config.ts'
import { ConfigError } from '../config-values.ts'
import { nameDamage } from './errors.ts'
import { migrateSchema } from './migrate.ts'

/** Drizzle over the embedded or an external PostgreSQL; use cases cannot tell which. */
export type Database = PgDatabase<PgQueryResultHKT>

/** Inside a transaction all queries must use this handle; the outer one throws. */
export type Transaction = Parameters<Parameters<Database['transaction']>[0]>[0]

export type Executor = Database | Transaction

export type OpenDatabase = {
  db: Database
  close(): Promise<void>
} & ({ pglite: PGlite; pool?: undefined } | { pglite?: undefined; pool: pg.Pool })

const casing = 'snake_case'
const leastVersion = 150_000
/** Required by search indexes; the database owner may add it. */
const addTrigrams = 'create extension if not exists pg_trgm'
/** Connections in the pool. With those of the notifier and the fleet, a process has eight. */
const poolSize = 6
/** Arbitrary number that no other lock uses; processes that start together migrate in turn. */
const migrationLock = 7_282_031

/** Migrates, at most `upTo` migrations. `fsync` replaces the embedded database's. */
export async function openDatabase(
  config: Pick<Config, 'dataDir' | 'databaseUrl' | 'databaseDirectUrl'>,
  log: Logger,
  fsync?: (descriptor: number) => void,
  upTo?: number,
): Promise<OpenDatabase> {
  const { databaseUrl: url, databaseDirectUrl } = config
  return url
    ? openPostgres({ url, directUrl: databaseDirectUrl }, log, upTo)
    : openPglite(config.dataDir, log, fsync, upTo)
}

// Loaded on demand, since the unused driver would cost memory.
async function openPglite(
  dataDir: string,
  log: Logger,
  fsync: ((descriptor: number) => void) | undefined,
  upTo: number | undefined,
): Promise<OpenDatabase> {
  const [{ drizzle }, { migrate }, { openEmbedded }] = await Promise.all([
    import('drizzle-orm/pglite'),
    import('drizzle-orm/pglite/migrator'),
    import('./embedded.ts'),
  ])
  const onPanic = (error: Error) => {
    log.fatal({ err: error }, 'the database gave up; the next start recovers')
    process.exit(1)
  }
  const embedded = await openEmbedded(dataDir, log, onPanic, fsync)
  try {
    const db = drizzle(embedded.pglite, { casing })
    const { pglite } = embedded
    const query = async (text: string) => (await pglite.query(text)).rows
    await query(addTrigrams)
    await migrateSchema(query, (migrationsFolder) => migrate(db, { migrationsFolder }), log, upTo)
    // The drivers' types differ only in the result of a raw query; see `rows`.
    return { db: db as unknown as Database, pglite, close: embedded.close }
  } catch (error) {
    const failure = nameDamage(error)
    // A damaged database may also fail to close.
    await embedded.close().catch(() => undefined)
    throw failure
  }
}

/** Throws a ConfigError that names the variable to check. */
async function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect()
  } catch (error) {
    const { cause } = error as Error
    // With several hosts in the address, each has its own error.
    const [first] = cause instanceof AggregateError ? cause.errors : [cause]
    throw new ConfigError(`DATABASE_URL: ${first instanceof Error ? first.message : String(first)}`)
  }
}

async function openPostgres(
  { url, directUrl }: { url: string; directUrl: string | undefined },
  log: Logger,
  upTo: number | undefined,
): Promise<OpenDatabase> {
  const [{ drizzle }, { migrate }, { GuardedPool }] = await Promise.all([
    import('drizzle-orm/node-postgres'),
    import('drizzle-orm/node-postgres/migrator'),
    import('./pool.ts'),
  ])
  const pool = new GuardedPool({
    connectionString: url,
    max: poolSize,
    connectionTimeoutMillis: 5_000,
    application_name: 'rupa',
    unnamed: directUrl !== undefined,
    // A pooler rejects these parameters; there the role must have them as settings.
    ...(directUrl === undefined && {
      idle_in_transaction_session_timeout: 60_000,
      statement_timeout: 60_000,
      // PostgreSQL takes longer to compile a report than to run it.
      options: '-c jit=off',
    }),
  })
  pool.on('error', (error) => log.warn({ err: error }, 'a database connection was lost'))
  try {
    const migrating = directUrl === undefined ? pool : new GuardedPool({ connectionString: directUrl, max: 1 })
    const client = await connect(migrating)
    try {
      const found = await client.query<{ version: string }>(`select current_setting('server_version_num') as version`)
      const version = Number(found.rows[0]?.version)
      if (version < leastVersion) throw new ConfigError('DATABASE_URL must name PostgreSQL 15 or newer')
      await client.query('set statement_timeout = 0')
      await client.query('select pg_advisory_lock($1)', [migrationLock])
      const query = async (text: string) => (await client.query(text)).rows
      await query(addTrigrams).catch(({ message }: Error) => {
        throw new ConfigError(`DATABASE_URL: ${message}; add it as the owner: ${addTrigrams}`)
      })
      await migrateSchema(
        query,
        (migrationsFolder) => migrate(drizzle(client, { casing }), { migrationsFolder }),
        log,
        upTo,
      )
    } finally {
      // Destroys the connection, which releases the lock and resets the setting.
      client.release(true)
      if (migrating !== pool) await migrating.end()
    }
    const db = drizzle(pool, { casing })
    return { db: db as unknown as Database, pool, close: () => pool.end() }
  } catch (error) {
    await pool.end()
    throw error
  }
}

/**
 * Rows of a raw query, with either driver. Columns have the driver's types: `bigint` and moments
 * may be text.
 */
export async function rows<Row extends Record<string, unknown>>(executor: Executor, query: SQL): Promise<Row[]> {
  const result = (await executor.execute(query)) as { rows: Row[] }
  return result.rows
}

/** Throws when the database does not respond. */
export async function checkDatabase(db: Database): Promise<void> {
  await db.execute(sql`select 1`)
}
