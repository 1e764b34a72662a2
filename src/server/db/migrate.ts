import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { ConfigError } from '../config.ts'

export const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url))

interface Journal {
  entries: { tag: string; when: number }[]
}

const { entries } = JSON.parse(readFileSync(`${migrationsFolder}/meta/_journal.json`, 'utf8')) as Journal

/** Number of the newest migration that this program knows, from 1. */
export const schemaVersion = entries.length

/**
 * Brings the schema up to date and logs each migration that it applies; throws a ConfigError for a
 * database that a newer program has migrated.
 */
export async function migrateSchema(
  query: (text: string) => Promise<unknown[]>,
  migrate: () => Promise<void>,
  log: Logger,
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
  await migrate()
  const ms = Math.round(performance.now() - started)
  for (const { tag } of entries.filter(({ when }) => when > before)) log.info({ migration: tag, ms }, 'migrated')
}
