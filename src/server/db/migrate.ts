import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { ConfigError } from '../config.ts'

const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url))

interface Journal {
  entries: { tag: string; when: number }[]
}

const { entries } = JSON.parse(readFileSync(`${migrationsFolder}/meta/_journal.json`, 'utf8')) as Journal

/** Number of the newest migration that this program knows, from 1. */
export const schemaVersion = entries.length

/**
 * Brings the schema up to date and logs each migration that it applies; throws a ConfigError for a
 * database that a newer program has migrated. `upTo`: only the first so many migrations.
 */
export async function migrateSchema(
  query: (text: string) => Promise<unknown[]>,
  migrate: (folder: string) => Promise<void>,
  log: Logger,
  upTo = schemaVersion,
): Promise<void> {
  const applied = async (): Promise<number> => {
    const [found] = (await query(`select to_regclass('drizzle.__drizzle_migrations') is not null as found`)) as {
      found: boolean
    }[]
    if (!found?.found) return 0
    const [newest] = (await query('select max(created_at)::text as newest from drizzle.__drizzle_migrations')) as {
      newest: string | null
    }[]
    return Number(newest?.newest ?? 0)
  }
  const before = await applied()
  if (before > (entries.at(-1)?.when ?? 0)) {
    throw new ConfigError(
      'The database was made by a newer version of this program; start that one, or restore a backup from before the upgrade',
    )
  }
  const started = performance.now()
  if (upTo === schemaVersion) await migrate(migrationsFolder)
  else await withMigrations(upTo, migrate)
  const ms = Math.round(performance.now() - started)
  for (const { tag } of entries.slice(0, upTo).filter(({ when }) => when > before))
    log.info({ migration: tag, ms }, 'migrated')
}

/** Drizzle applies all migrations of a folder: one with the first of them. */
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
