import { createHash } from 'node:crypto'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { ConfigError } from '../config-values.ts'
import { sqlState } from './errors.ts'

const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url))

interface Journal {
  entries: { tag: string; when: number }[]
}

const { entries } = JSON.parse(readFileSync(`${migrationsFolder}/meta/_journal.json`, 'utf8')) as Journal

/** Number of the newest migration that this program knows, from 1. */
export const schemaVersion = entries.length

/** SHA-256 of each migration in hexadecimal, as the database records it. */
export const migrationDigests: readonly string[] = entries.map(({ tag }) =>
  createHash('sha256')
    .update(readFileSync(`${migrationsFolder}/${tag}.sql`))
    .digest('hex'),
)

/** `known`: the first ones of this program's migrations; `newer`: more than all of them. */
export function compareMigrations(applied: readonly string[]): 'known' | 'newer' | 'other' {
  const unknown = applied.findIndex((digest, index) => digest !== migrationDigests[index])
  if (unknown === -1) return 'known'
  return unknown === migrationDigests.length ? 'newer' : 'other'
}

const refusals = {
  newer:
    'The database was made by a newer version of this program; start that one, or restore a backup from before the upgrade',
  other:
    'The database was made by a version whose migrations this one does not have, as from before the first release, and cannot be upgraded; start the version that made it, or give this one an empty DATA_DIR or database',
}

/** SQL states for an existing table, column, type or function. */
const alreadyThere = new Set(['42P07', '42701', '42710', '42723'])

/**
 * Brings the schema up to date, or to `upTo` migrations. Throws a ConfigError for migrations of a
 * newer or another program.
 */
export async function migrateSchema(
  query: (text: string) => Promise<unknown[]>,
  migrate: (folder: string) => Promise<void>,
  log: Logger,
  upTo = schemaVersion,
): Promise<void> {
  const applied = await appliedMigrations(query)
  const compared = compareMigrations(applied)
  if (compared !== 'known') throw new ConfigError(refusals[compared])
  const started = performance.now()
  try {
    if (upTo === schemaVersion) await migrate(migrationsFolder)
    else await withMigrations(upTo, migrate)
  } catch (error) {
    if (alreadyThere.has(sqlState(error) ?? '')) throw new ConfigError(refusals.other)
    throw error
  }
  const ms = Math.round(performance.now() - started)
  for (const { tag } of entries.slice(applied.length, upTo)) log.info({ migration: tag, ms }, 'migrated')
}

async function appliedMigrations(query: (text: string) => Promise<unknown[]>): Promise<string[]> {
  const [table] = (await query(`select to_regclass('drizzle.__drizzle_migrations') is not null as found`)) as {
    found: boolean
  }[]
  if (!table?.found) return []
  const found = (await query('select hash from drizzle.__drizzle_migrations order by created_at, id')) as {
    hash: string
  }[]
  return found.map(({ hash }) => hash)
}

/** Drizzle applies all migrations of a folder, so this makes one with the first ones. */
async function withMigrations(count: number, use: (folder: string) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'rupa-migrations-'))
  try {
    cpSync(migrationsFolder, folder, { recursive: true })
    const journal = JSON.parse(readFileSync(`${migrationsFolder}/meta/_journal.json`, 'utf8')) as Journal
    writeFileSync(
      join(folder, 'meta', '_journal.json'),
      JSON.stringify({ ...journal, entries: journal.entries.slice(0, count) }),
    )
    await use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
