import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { copyTemplateDatabase, createPostgresDatabase } from './template-database.ts'

export interface ServerHome {
  dataDir: string
  databaseUrl: string | undefined
  env: Record<string, string>
  drop(): Promise<void>
}

export async function createServerHome(): Promise<ServerHome> {
  const dataDir = mkdtempSync(join(tmpdir(), 'rupa-test-'))
  const server = process.env.TEST_DATABASE_URL
  const postgres = server ? await createPostgresDatabase(server) : undefined
  if (!postgres) await copyTemplateDatabase(dataDir)
  return {
    dataDir,
    databaseUrl: postgres?.url,
    // Addresses of tests share one domain.
    env: { WELCOMES_PER_DOMAIN: '0', DATA_DIR: dataDir, ...(postgres && { DATABASE_URL: postgres.url }) },
    async drop() {
      await postgres?.drop()
      rmSync(dataDir, { recursive: true, force: true })
    },
  }
}
