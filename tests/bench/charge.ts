import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import { pino } from 'pino'
import { chargeStatement } from '../../src/features/credits/server/charge.ts'
import { credits } from '../../src/features/credits/server/credits.ts'
import { lockStatement } from '../../src/features/credits/server/lock-account.ts'
import { startPostgres } from '../../src/scripts/postgres.mjs'
import { users } from '../../src/server/auth/table.ts'
import { type OpenDatabase, openDatabase } from '../../src/server/db/database.ts'
import { transact } from '../../src/server/db/transact.ts'

/** Concurrent connections on different accounts. */
const clients = 8
const seconds = 5
const rounds = 3
const now = new Date()
const log = pino({ level: 'silent' })

async function openAccounts({ db }: OpenDatabase): Promise<string[]> {
  const ids = Array.from({ length: clients }, () => randomUUID())
  for (const id of ids) {
    await db.insert(users).values({ id, name: 'bench', email: `${id}@contoh.id`, birthYear: 1990, createdAt: now })
    for (const days of [10, 20, 30]) {
      await transact(db, (tx) =>
        credits.grant(tx, {
          userId: id,
          kind: 'purchase',
          source: 'package',
          amount: 50_000_000,
          expiresAt: new Date(now.getTime() + days * 86_400_000),
          uniqueKey: randomUUID(),
          now,
        }),
      )
    }
  }
  return ids
}

async function charges({ db }: OpenDatabase, accounts: string[]): Promise<number> {
  const end = performance.now() + seconds * 1000
  let done = 0
  await Promise.all(
    accounts.map(async (userId) => {
      while (performance.now() < end) {
        await transact(db, (tx) =>
          credits.charge(tx, {
            userId,
            generationId: randomUUID(),
            tool: 'background-removal',
            unit: 5,
            credits: 5,
            now,
          }),
        )
        done += 1
      }
    }),
  )
  return done / seconds
}

/** The same statements, prepared. */
function pgbenchScript(accounts: string[]): string {
  const user = `'00000000-0000-0000-0000-' || lpad((:client_id + 1)::text, 12, '0')`
  const moment = `'${now.toISOString()}'`
  const values = [
    `(${user})`,
    moment,
    '5',
    `'generation:' || :x || '-' || :y || '-' || :z`,
    'gen_random_uuid()',
    `'{"tool":"background-removal","unit":5,"credits":5}'`,
    'false',
  ]
  const fill = (text: string) =>
    text.replace(/\$(\d)/g, (_, number) => `(${values[Number(number) - 1]})`).replace(/\s+/g, ' ')
  if (accounts.length !== clients) throw new Error('one account a client')
  return [
    '\\set x random(1, 2000000000)',
    '\\set y random(1, 2000000000)',
    '\\set z random(1, 2000000000)',
    'begin;',
    `${fill(lockStatement)};`,
    `${fill(chargeStatement)};`,
    'commit;',
  ].join('\n')
}

function pgbench(programs: string, url: string, script: string): number {
  const said = execFileSync(
    join(programs, 'pgbench'),
    ['-n', '-M', 'prepared', '-c', String(clients), '-j', '2', '-T', String(seconds), '-f', script, url],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
  )
  return Number(/tps = ([\d.]+)/.exec(said)?.[1])
}

const postgres = await startPostgres({ needs: ['pgbench'] })
if (!postgres) {
  console.log('PostgreSQL with pgbench was not found; nothing to compare with')
  process.exit(0)
}
const folder = mkdtempSync(join(tmpdir(), 'rupa-bench-'))
chmodSync(folder, 0o755)
try {
  const database = await openDatabase({ dataDir: folder, databaseUrl: postgres.url }, log)
  const accounts = await openAccounts(database)
  // pgbench can name its accounts only by number.
  const numbered = accounts.map((_, index) => `00000000-0000-0000-0000-${String(index + 1).padStart(12, '0')}`)
  for (const [index, id] of accounts.entries()) {
    await database.db.execute(sql`
      insert into users (id, name, email, created_at) values (${numbered[index]}::uuid, 'bench', ${`${index}@contoh.id`}, now())`)
    await database.db.execute(sql`
      insert into credit_accounts (user_id, balance, updated_at)
      select ${numbered[index]}::uuid, balance, updated_at from credit_accounts where user_id = ${id}`)
    await database.db.execute(sql`
      insert into credit_grants (id, user_id, source, amount, remaining, created_at, expires_at)
      select gen_random_uuid(), ${numbered[index]}::uuid, source, amount, remaining, created_at, expires_at from credit_grants where user_id = ${id}`)
  }
  const script = join(folder, 'charge.sql')
  writeFileSync(script, pgbenchScript(accounts))

  const shares: number[] = []
  let ours = 0
  let theirs = 0
  for (let round = 0; round < rounds; round += 1) {
    theirs = pgbench(postgres.programs, postgres.url, script)
    ours = await charges(database, accounts)
    shares.push(ours / theirs)
  }
  await database.close()
  const share = shares.toSorted((a, b) => a - b)[Math.floor(rounds / 2)] as number
  console.log(
    `Charges a second with ${clients} connections (last of ${rounds} rounds): ours ${ours.toFixed(0)}, pgbench ${theirs.toFixed(0)}`,
  )
  console.log(`ours ÷ pgbench, the same SQL, median of ${rounds} rounds: ${share.toFixed(2)} (aim ≥ 0.7)`)
} finally {
  postgres.stop()
  rmSync(folder, { recursive: true, force: true })
}
