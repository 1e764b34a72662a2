// A charge, a history page, an hour's audit and a start with ten million ledger entries, as ratios
// to ten thousand.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { pino } from 'pino'
import { listAllLedger, listLedger } from '#features/billing/server/ledger/list-ledger.ts'
import { reconcileLedger } from '#features/billing/server/reconciliation/reconcile-ledger.ts'
import { credits } from '#features/credits/server/credits.ts'
import { type OpenDatabase, openDatabase, rows } from '#server/db/database.ts'
import { transact } from '#server/db/transact.ts'
import { startPostgres } from '../../src/scripts/postgres.mjs'

const entriesEach = 10
const sizes = { few: 10_000, many: Number(process.env.ENTRIES ?? 10_000_000) }
const batch = 500_000
const rounds = 5
/** An audit looks back at the hour before, so only the third one is typical. */
const warmUps = 2
const log = pino({ level: 'silent' })
const accountId = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`

/** One lot each, credited once and debited repeatedly. */
async function fill({ db }: OpenDatabase, entries: number): Promise<number> {
  const accounts = entries / entriesEach
  const id = sql.raw(`('00000000-0000-4000-8000-' || lpad(n::text, 12, '0'))::uuid`)
  for (let from = 0; from < accounts; from += batch / entriesEach) {
    const to = Math.min(accounts, from + batch / entriesEach)
    const numbers = sql`generate_series(${sql.raw(String(from + 1))}, ${sql.raw(String(to))}) n`
    await db.transaction(async (tx) => {
      // Skips foreign keys and triggers.
      await tx.execute(sql`set local session_replication_role = replica`)
      await tx.execute(sql`set local synchronous_commit = off`)
      await tx.execute(sql`insert into users (id, name, email, created_at)
        select ${id}, 'bench', n || '@contoh.id', now() from ${numbers}`)
      await tx.execute(sql`insert into credit_accounts (user_id, balance, updated_at)
        select ${id}, 1000000 - ${entriesEach - 1}::int, now() from ${numbers}`)
      await tx.execute(sql`insert into credit_grants (id, user_id, source, amount, remaining, created_at, expires_at)
        select ${id}, ${id}, 'adjustment', 1000000, 1000000 - ${entriesEach - 1}::int, now(), now() + interval '90 days'
        from ${numbers}`)
      await tx.execute(sql`with made as (
          insert into ledger_entries (user_id, kind, amount, balance_after, unique_key, created_at)
          select ${id}, 'adjustment', case when k = 1 then 1000000 else -1 end, 1000001 - k, 'bench:' || n || ':' || k, now()
          from ${numbers}, generate_series(1, ${entriesEach}::int) k returning id, user_id, amount)
        insert into credit_grant_moves (entry_id, grant_id, amount) select id, user_id, amount from made`)
    })
  }
  // A ledger of that age has been reconciled up to its last entry.
  await db.execute(sql`insert into credit_account_proofs (user_id, entry_id, balance, proven_at)
    select user_id, max(id), sum(amount), now() from ledger_entries group by user_id`)
  await db.execute(sql`insert into billing_checks ("check", started_at, finished_at, position)
    select 'books', now(), now(), jsonb_build_object('entries', jsonb_build_object('before', max(id), 'seen', max(id)),
      'history', jsonb_build_object('before', 0, 'seen', 0), 'receipts', 0, 'turn', '') from ledger_entries`)
  // As autovacuum leaves them.
  await db.execute(sql`vacuum (analyze)`)
  await db.execute(sql`checkpoint`)
  return accounts
}

async function milliseconds(action: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await action()
  return performance.now() - began
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] as number
}

const anybody = (accounts: number) => accountId(1 + Math.floor(Math.random() * accounts))
const perHour = 200
/** Accounts that the next audit reads from their first entry. */
const advisoryLock = 300

/** Each hour has different accounts, without those due for a full audit. */
function createHours(accounts: number): () => string[] {
  const chosen = new Set<number>()
  const many = Math.min(accounts - advisoryLock, perHour * (rounds + warmUps))
  while (chosen.size < many) chosen.add(advisoryLock + 1 + Math.floor(Math.random() * (accounts - advisoryLock)))
  const ids = [...chosen].map(accountId)
  const hours = Math.floor(ids.length / perHour)
  let hour = 0
  return () => {
    const start = (hour++ % hours) * perHour
    return ids.slice(start, start + perHour)
  }
}

async function charge({ db }: OpenDatabase, userId: string): Promise<void> {
  const generationId = crypto.randomUUID()
  const now = new Date()
  await transact(db, async (tx) => {
    await credits.charge(tx, { userId, generationId, tool: 'background-removal', unit: 5, credits: 5, now })
    // The audit requires a generation for each charge.
    await tx.execute(sql`insert into generations (id, user_id, tool, params, credits, idempotency_key, content_hash, created_at, expires_at)
      values (${generationId}, ${userId}, 'background-removal', '{}', 5, ${generationId}, '', now(), now())`)
  })
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}

async function start(databaseUrl: string): Promise<number> {
  const port = await freePort()
  const dataDir = mkdtempSync(join(tmpdir(), 'rupa-bench-'))
  const env = { ...process.env, PORT: String(port), DATA_DIR: dataDir, DATABASE_URL: databaseUrl, LOG_LEVEL: 'silent' }
  const began = performance.now()
  const child = spawn(process.execPath, ['src/server-app/main.ts'], { stdio: 'ignore', env })
  const ended = new Promise((resolve) => child.once('exit', resolve))
  while (!(await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined))?.ok) {
    if (child.exitCode !== null) throw new Error(`the server ended with exit code ${child.exitCode}`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  const took = performance.now() - began
  child.kill('SIGTERM')
  await ended
  rmSync(dataDir, { recursive: true, force: true })
  return took
}

type Measured = Record<'charge' | 'statement page' | 'admin ledger page' | 'audit, an hour' | 'start', number[]>

interface Ledger {
  database: OpenDatabase
  url: string
  accounts: number
  nextHour: () => string[]
  measured: Measured
}

async function measure({ database, accounts, nextHour }: Ledger, into: Measured): Promise<void> {
  const { db } = database
  const busy = nextHour()
  const deps = { db, clock: () => new Date(), log } as unknown as Parameters<typeof reconcileLedger>[0]
  const firstPage = { cursor: undefined, limit: 20 }
  into.charge.push(
    await milliseconds(async () => {
      for (const userId of busy) await charge(database, userId)
    }),
  )
  into['statement page'].push(
    await milliseconds(async () => {
      for (let n = 0; n < 50; n += 1) await listLedger(deps, { userId: anybody(accounts), sessionId: '' }, firstPage)
    }),
  )
  into['admin ledger page'].push(
    await milliseconds(async () => {
      for (let n = 0; n < 50; n += 1) await listAllLedger({ db }, { kind: 'adjustment', limit: 50 })
    }),
  )
  // Ten thousand entries have too few accounts to go on.
  await db.execute(sql`update billing_checks set position = jsonb_set(position, '{turn}', '""')`)
  let found = 0
  into['audit, an hour'].push(
    await milliseconds(async () => {
      found = (await reconcileLedger(deps)).length
    }),
  )
  if (found > 0) throw new Error(`reconciliation found ${found} differences in a ledger that is right`)
}

const postgres = await startPostgres()
if (!postgres) {
  console.log('PostgreSQL was not found; there is nothing to measure')
  process.exit(0)
}
try {
  const opened: Ledger[] = []
  for (const [name, entries] of Object.entries(sizes)) {
    const url = new URL(postgres.url)
    const admin = await openDatabase({ dataDir: '', databaseUrl: postgres.url }, log)
    await admin.db.execute(sql.raw(`create database ledger_${name}`))
    await admin.close()
    url.pathname = `/ledger_${name}`
    const database = await openDatabase({ dataDir: '', databaseUrl: url.href }, log)
    const took = await milliseconds(() => fill(database, entries))
    console.log(`${entries} entries written in ${(took / 1000).toFixed(0)} s`)
    const measured = { charge: [], 'statement page': [], 'admin ledger page': [], 'audit, an hour': [], start: [] }
    const accounts = entries / entriesEach
    opened.push({ database, url: url.href, accounts, nextHour: createHours(accounts), measured })
  }
  // Side by side, since the machine's load varies.
  for (let round = -warmUps; round < rounds; round += 1) {
    for (const ledger of opened) await measure(ledger, round < 0 ? structuredClone(ledger.measured) : ledger.measured)
  }
  for (let round = 0; round < 3; round += 1) {
    for (const { url, measured } of opened) measured.start.push(await start(url))
  }
  const [few, many] = opened.map(({ measured }) => measured) as [Measured, Measured]
  for (const what of Object.keys(few) as (keyof Measured)[]) {
    const [small, large] = [median(few[what]), median(many[what])]
    console.log(
      `${what.padEnd(18)} ${small.toFixed(0).padStart(6)} ms → ${large.toFixed(0).padStart(6)} ms, × ${(large / small).toFixed(2)} (aim ≤ 1.5)`,
    )
  }
  for (const { database } of opened) {
    const [size] = await rows<{ size: string }>(
      database.db,
      sql`select pg_size_pretty(pg_database_size(current_database())) as size`,
    )
    console.log(`size on disk: ${size?.size}`)
    await database.close()
  }
} finally {
  postgres.stop()
}
