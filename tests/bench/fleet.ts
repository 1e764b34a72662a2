// Many processes on one PostgreSQL: how much an idle fleet asks, and how many more runs eight
// workers do than one. The engine only waits, so that the machine's cores do not count.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { inArray } from 'drizzle-orm'
import pg from 'pg'
import { pino } from 'pino'
import { openStatuses } from '#features/generations/rules.ts'
import { generations } from '#features/generations/server/table.ts'
import { type Composition, compose } from '#main/compose.ts'
import { readConfig } from '#main/config.ts'
import { startPostgres } from '../../src/dev/postgres.mjs'
import { createFakeEngine, succeed } from '../support/fake-engine.ts'
import { makePicture, submitted } from '../support/submit.ts'
import { createPostgresDatabase } from '../support/template-database.ts'
import { createTestApp } from '../support/test-app.ts'

const idleWorkers = 20
const idleSeconds = 30
const people = 24
const runsEach = 5
const log = pino({ level: 'silent' })

let queries = 0
const { query } = pg.Client.prototype as { query: (...args: unknown[]) => unknown }
pg.Client.prototype.query = function counted(this: pg.Client, ...args: unknown[]) {
  queries += 1
  return query.apply(this, args)
} as never

const postgres = await startPostgres()
if (!postgres) {
  console.log('PostgreSQL was not found; there can be no fleet')
  process.exit(0)
}
const folder = mkdtempSync(join(tmpdir(), 'rupa-bench-'))
process.env.TEST_DATABASE_URL = postgres.url

function environment(url: string): Record<string, string> {
  return {
    ...{ DATABASE_URL: url, DATA_DIR: folder, PUBLIC_URL: 'http://localhost:3000', ENGINE_THREADS: '1' },
    ...{ JWT_SECRET: 'j'.repeat(32), FILE_SIGNING_KEY: 'f'.repeat(32) },
  }
}

async function startWorkers(count: number, url: string): Promise<Composition[]> {
  const config = readConfig({ ...environment(url), ROLE: 'worker' })
  const workers: Composition[] = []
  for (let index = 0; index < count; index += 1) {
    const engine = createFakeEngine()
    engine.behave(async (task, options) => {
      await pause(100)
      return succeed(task, options)
    })
    workers.push(await compose(config, log, { engine, mailer: { send: async () => {} } }))
  }
  return workers
}

const stopAll = (workers: Composition[]) => Promise.all(workers.map((worker) => worker.stop()))

async function idle(): Promise<void> {
  const database = await createPostgresDatabase(postgres!.url)
  const workers = await startWorkers(idleWorkers, database.url)
  await pause(5000)
  queries = 0
  await pause(idleSeconds * 1000)
  console.log(
    `${idleWorkers} idle workers ask ${(queries / idleSeconds).toFixed(1)} queries a second together (limit 20)`,
  )
  await stopAll(workers)
  await database.drop()
}

/** Runs a second, once they wait, by so many workers of one run at a time. */
async function throughput(count: number): Promise<number> {
  const database = await createPostgresDatabase(postgres!.url)
  const env = { ...environment(database.url), ROLE: 'web', WELCOME_CREDITS: '1000' }
  const home = { dataDir: folder, databaseUrl: database.url, env, drop: async () => {} }
  const web = await createTestApp({ home })
  const image = await makePicture()
  for (let index = 0; index < people; index += 1) {
    const user = await web.createUser()
    for (let run = 0; run < runsEach; run += 1) await submitted(user, { image })
  }
  const workers = await startWorkers(count, database.url)
  queries = 0
  const started = performance.now()
  const open = () => web.deps.db.$count(generations, inArray(generations.status, [...openStatuses]))
  while ((await open()) > 0) await pause(50)
  const seconds = (performance.now() - started) / 1000
  console.log(`${count} at work: ${(queries / people / runsEach).toFixed(1)} queries a run`)
  await stopAll(workers)
  await web.stop()
  await database.drop()
  return (people * runsEach) / seconds
}

try {
  await idle()
  const one = await throughput(1)
  const eight = await throughput(8)
  console.log(`runs of 100 ms: 1 worker ${one.toFixed(1)}, 8 workers ${eight.toFixed(1)} a second`)
  console.log(`8 workers ÷ 1 worker: ${(eight / one).toFixed(2)} (aim ≥ 6.5)`)
} finally {
  postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
