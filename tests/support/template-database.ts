import { createHash, randomUUID } from 'node:crypto'
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'

const cache = join('node_modules', '.cache', 'rupa-template')
/** Test files that start together make the template in turn. */
const templateLock = 7_282_032

export async function copyTemplateDatabase(dataDir: string): Promise<void> {
  const template = await ensureEmbeddedTemplate()
  cpSync(join(template, 'database'), join(dataDir, 'database'), { recursive: true })
}

export async function ensureEmbeddedTemplate(): Promise<string> {
  const template = join(cache, version())
  if (!existsSync(template)) await makeEmbeddedTemplate(template)
  return template
}

export async function createPostgresDatabase(server: string): Promise<{ url: string; drop(): Promise<void> }> {
  const template = await ensurePostgresTemplate(server)
  const name = `rupa_test_${randomUUID().replaceAll('-', '')}`
  // Copying files takes half the time of writing them through the log.
  await administer(server, (client) => client.query(`create database ${name} template ${template} strategy file_copy`))
  return {
    url: databaseAt(server, name),
    drop: () => administer(server, async (client) => void (await client.query(dropped(name)))),
  }
}

let knownVersion: string | undefined

function version(): string {
  if (knownVersion) return knownVersion
  const sources = [
    ...globSync('src/server/db/**/*.{sql,ts}'),
    ...globSync('src/server/jobs/*.ts'),
    'package-lock.json',
  ].sort()
  const hash = createHash('sha256')
  for (const source of sources) hash.update(source).update(readFileSync(source))
  knownVersion = hash.digest('hex').slice(0, 16)
  return knownVersion
}

async function makeEmbeddedTemplate(template: string): Promise<void> {
  const draft = `${template}.${randomUUID()}`
  mkdirSync(draft, { recursive: true })
  await prepare({ dataDir: draft, databaseUrl: undefined })
  try {
    renameSync(draft, template)
  } catch (error) {
    if (!existsSync(template)) throw error
    rmSync(draft, { recursive: true, force: true })
  }
}

async function ensurePostgresTemplate(server: string): Promise<string> {
  const name = `rupa_template_${version()}`
  await administer(server, async (client) => {
    const exists = async () =>
      (await client.query('select from pg_database where datname = $1 and datistemplate', [name])).rowCount === 1
    if (await exists()) return
    await client.query('select pg_advisory_lock($1)', [templateLock])
    if (await exists()) return
    // A killed run's database is incomplete.
    await client.query(dropped(name))
    await client.query(`create database ${name}`)
    await prepare({ dataDir: '', databaseUrl: databaseAt(server, name) })
    await client.query(`alter database ${name} with is_template true allow_connections false`)
  })
  return name
}

async function prepare(config: { dataDir: string; databaseUrl: string | undefined }): Promise<void> {
  // Imports the whole server, which a copy does not need.
  const { prepareDatabase } = await import('./prepare-database.ts')
  await prepareDatabase(config)
}

const dropped = (name: string) => `drop database if exists ${name} with (force)`

function databaseAt(server: string, name: string): string {
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

async function administer<Result>(server: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client({ connectionString: server })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
