import { createHash, randomUUID } from 'node:crypto'
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { openDatabase } from '#server/db/database.ts'
import { createJobQueue } from '#server/jobs/job-queue.ts'

const cache = join('node_modules', '.cache', 'rupa-template')

/** Copies an embedded database with today's schema into the folder; made once for each version of what it depends on. */
export async function copyTemplateDatabase(dataDir: string): Promise<void> {
  const sources = [
    ...globSync('src/server/db/**/*.{sql,ts}'),
    'src/server/jobs/job-queue.ts',
    'package-lock.json',
  ].sort()
  const hash = createHash('sha256')
  for (const source of sources) hash.update(source).update(readFileSync(source))
  const template = join(cache, hash.digest('hex').slice(0, 16))
  if (!existsSync(template)) await makeTemplate(template)
  cpSync(join(template, 'database'), join(dataDir, 'database'), { recursive: true })
}

async function makeTemplate(template: string): Promise<void> {
  const draft = `${template}.${randomUUID()}`
  mkdirSync(draft, { recursive: true })
  const log = pino({ level: 'silent' })
  const database = await openDatabase({ dataDir: draft, databaseUrl: undefined }, log)
  const jobs = await createJobQueue({ pglite: database.pglite! }, log)
  await jobs.stop()
  await database.close()
  try {
    renameSync(draft, template)
  } catch (error) {
    // Another test file was faster.
    if (!existsSync(template)) throw error
    rmSync(draft, { recursive: true, force: true })
  }
}
