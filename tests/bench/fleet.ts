// Queries of an idle fleet, throughput of eight workers against one, and the cost of a generation
// beside the engine.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { inArray } from 'drizzle-orm'
import { pino } from 'pino'
import { openStatuses } from '#features/generations/rules.ts'
import { generations } from '#features/generations/server/table.ts'
import { openDatabase } from '#server/db/database.ts'
import { startPostgres } from '../../src/scripts/postgres.mjs'
import { serverOptions } from '../../src/scripts/run.mjs'
import { makePicture, submitted } from '../support/submit.ts'
import { createPostgresDatabase } from '../support/template-database.ts'
import { createTestApp } from '../support/test-app.ts'

const idleWorkers = 20
const idleSeconds = 30
const people = 24
/** All workers are busy for several seconds. */
const generationsEach = { 1: 5, 8: 20 }

const postgres = await startPostgres()
if (!postgres) {
  console.log('PostgreSQL was not found; there can be no fleet')
  process.exit(0)
}
const folder = mkdtempSync(join(tmpdir(), 'rupa-bench-'))
process.env.TEST_DATABASE_URL = postgres.url
const log = pino({ level: 'silent' })

function environment(url: string): Record<string, string> {
  return {
    DATABASE_URL: url,
    DATA_DIR: folder,
    PUBLIC_URL: 'http://localhost:3000',
    ENGINE_THREADS: '1',
    JWT_SECRET: 'j'.repeat(32),
    FILE_SIGNING_KEY: 'f'.repeat(32),
  }
}

interface Used {
  queries: number
  processorSeconds: number
}

const workerEntry = join(import.meta.dirname, 'support', 'fleet-worker.ts')

async function startWorkers(count: number, url: string): Promise<ChildProcess[]> {
  const env = { ...process.env, ...environment(url), ROLE: 'worker' }
  const workers = Array.from({ length: count }, () => fork(workerEntry, { env, execArgv: serverOptions }))
  await Promise.all(workers.map((worker) => once(worker, 'message')))
  return workers
}

async function usedBy(workers: ChildProcess[]): Promise<Used> {
  const each = workers.map(async (worker) => {
    worker.send('used')
    const [used] = (await once(worker, 'message')) as [Used]
    return used
  })
  return (await Promise.all(each)).reduce((sum, used) => ({
    queries: sum.queries + used.queries,
    processorSeconds: sum.processorSeconds + used.processorSeconds,
  }))
}

async function stopAll(workers: ChildProcess[]): Promise<void> {
  for (const worker of workers) worker.send('stop')
  await Promise.all(workers.map((worker) => once(worker, 'exit')))
}

async function idle(): Promise<void> {
  const database = await createPostgresDatabase(postgres!.url)
  const workers = await startWorkers(idleWorkers, database.url)
  await pause(5000)
  const before = await usedBy(workers)
  await pause(idleSeconds * 1000)
  const queries = (await usedBy(workers)).queries - before.queries
  console.log(
    `${idleWorkers} idle workers ask ${(queries / idleSeconds).toFixed(1)} queries a second together (limit 20)`,
  )
  await stopAll(workers)
  await database.drop()
}

async function throughput(count: 1 | 8): Promise<number> {
  const database = await createPostgresDatabase(postgres!.url)
  const env = { ...environment(database.url), ROLE: 'web', WELCOME_CREDITS: '1000' }
  const home = { dataDir: folder, databaseUrl: database.url, env, drop: async () => {} }
  const web = await createTestApp({ home })
  const image = await makePicture()
  const total = people * generationsEach[count]
  for (let index = 0; index < people; index += 1) {
    const user = await web.createUser()
    for (let sent = 0; sent < generationsEach[count]; sent += 1) await submitted(user, { image })
  }
  await web.stop()
  const workers = await startWorkers(count, database.url)
  const watched = await openDatabase({ dataDir: folder, databaseUrl: database.url }, log)
  const open = () => watched.db.$count(generations, inArray(generations.status, [...openStatuses]))
  const first = { open: await open(), used: await usedBy(workers), at: performance.now() }
  while ((await open()) > 0) await pause(100)
  const seconds = (performance.now() - first.at) / 1000
  const used = await usedBy(workers)
  const each = (name: keyof Used) => (used[name] - first.used[name]) / first.open
  console.log(
    `${count} at work: ${total} generations, each ${each('queries').toFixed(1)} queries and ${(each('processorSeconds') * 1000).toFixed(1)} ms of the workers' processor`,
  )
  await watched.close()
  await stopAll(workers)
  await database.drop()
  return first.open / seconds
}

try {
  await idle()
  const one = await throughput(1)
  const eight = await throughput(8)
  console.log(`generations of 100 ms: 1 worker ${one.toFixed(1)}, 8 workers ${eight.toFixed(1)} a second`)
  console.log(`8 workers ÷ 1 worker: ${(eight / one).toFixed(2)} (aim ≥ 6.5)`)
} finally {
  postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
