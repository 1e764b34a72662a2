import { fork, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { fsyncSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq, type SQL, sql } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { ledgerEntries } from '#features/credits/server/table.ts'
import { users } from '#server/auth/table.ts'
import { ConfigError } from '#server/config-values.ts'
import { openDatabase, rows } from '#server/db/database.ts'
import { openEmbedded } from '#server/db/embedded.ts'
import { DamagedDatabase, sqlState } from '#server/db/errors.ts'
import { isUniqueViolation, transact } from '#server/db/transact.ts'
import { rateLimits } from '#server/http/rate-limit-table.ts'
import { createLog } from '#server/log.ts'
import { findLedgerProblems } from '#tests/support/audit-books.ts'
import { createServerHome } from '#tests/support/server-home.ts'
import { copyTemplateDatabase } from '#tests/support/template-database.ts'
import { createTestApp, type TestApp } from '#tests/support/test-app.ts'

const silent = createLog('silent')
let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.stop())

async function templateFolder(): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'rupa-db-'))
  await copyTemplateDatabase(dataDir)
  return dataDir
}

describe('inside a transaction', () => {
  test('the outer handle throws at once instead of waiting for itself for ever', async () => {
    const { db } = app.deps
    const inner = transact(db, async () => {
      await db.select().from(users)
    })
    await expect(inner).rejects.toSatisfy((error: Error) => String(error.cause ?? error).includes('must use its tx'))
    const nested = transact(db, () => transact(db, async () => {}))
    await expect(nested).rejects.toThrow('must use its tx')
    await expect(db.select().from(users)).resolves.toEqual([])
  })

  test.skipIf(process.env.TEST_DATABASE_URL)(
    'the embedded database refuses sending a job too: it belongs after the commit',
    async () => {
      const { db, jobs } = app.deps
      const sending = transact(db, () => jobs.send('send-mail', { id: uuid() }))
      await expect(sending).rejects.toThrow('must use its tx')
    },
  )
})

describe('a transaction', () => {
  test('is run again after a serialization failure or a deadlock, a bounded number of times', async () => {
    const { db } = app.deps
    let runs = 0
    const result = await transact(db, async (tx) => {
      runs += 1
      if (runs < 3) await tx.execute(sql`do $$ begin raise exception using errcode = '40001'; end $$`)
      return 'done'
    })
    expect([result, runs]).toEqual(['done', 3])
    runs = 0
    const hopeless = transact(db, async (tx) => {
      runs += 1
      await tx.execute(sql`do $$ begin raise exception using errcode = '40P01'; end $$`)
    })
    await expect(hopeless).rejects.toSatisfy((error) => sqlState(error) === '40P01')
    expect(runs).toBe(6)
  })

  test('that failed for another reason is not run again and leaves nothing', async () => {
    const { db } = app.deps
    let runs = 0
    const work = transact(db, async (tx) => {
      runs += 1
      await tx.insert(rateLimits).values({ key: 'left', hits: 1, resetsAt: new Date() })
      throw new Error('no')
    })
    await expect(work).rejects.toThrow('no')
    expect(runs).toBe(1)
    expect(await db.select().from(rateLimits).where(eq(rateLimits.key, 'left'))).toEqual([])
  })

  test('runs statements that are made at the same time in their order, and leaves nothing when a later one fails', async () => {
    const { db } = app.deps
    const key = `order:${uuid()}`
    const insert = sql`insert into rate_limits (key, hits, resets_at) values (${key}, 1, now())`
    const double = sql`update rate_limits set hits = 2 * hits + 1 where key = ${key} returning hits`
    const failing = transact(db, (tx) => Promise.all([insert, double, insert].map((query) => tx.execute(query))))
    await expect(failing).rejects.toSatisfy((error) => isUniqueViolation(error))
    const hits = await transact(db, async (tx) => {
      const [, first, second] = await Promise.all([insert, double, double].map((query) => rows(tx, query)))
      return [first, second]
    })
    expect(hits).toEqual([[{ hits: 3 }], [{ hits: 7 }]])
    await db.execute(sql`delete from rate_limits where key = ${key}`)
  })

  test.runIf(process.env.TEST_DATABASE_URL)('lets PostgreSQL plan repeated statements once', async () => {
    const planned = await transact(app.deps.db, async (tx) => {
      const ask = (text: SQL) => tx.execute(sql`select ${'asked'} as ${text}`)
      for (let time = 0; time < 20; time += 1) await ask(sql`often`)
      await ask(sql`rarely`)
      return rows<{ statement: string }>(tx, sql`select statement from pg_prepared_statements`)
    })
    const statements = planned.map(({ statement }) => statement)
    expect(statements).toContain('select $1 as often')
    expect(statements).not.toContain('select $1 as rarely')
  })

  test('distinguishes a unique violation from other failures, and names the key', async () => {
    const { db } = app.deps
    const row = { key: 'twice', hits: 1, resetsAt: new Date() }
    await db.insert(rateLimits).values(row)
    const error = await db
      .insert(rateLimits)
      .values(row)
      .catch((caught: unknown) => caught)
    expect([
      isUniqueViolation(error),
      isUniqueViolation(error, 'rate_limits_pkey'),
      isUniqueViolation(error, 'x'),
    ]).toEqual([true, true, false])
    expect(isUniqueViolation(new Error('23505'))).toBe(false)
  })
})

describe('the schema', () => {
  test('refuses every change, deletion and truncation of the ledger', async () => {
    const { db } = app.deps
    const person = await app.createUser()
    const mine = eq(ledgerEntries.userId, person.id)
    const attempts = [
      db.update(ledgerEntries).set({ amount: 1_000_000 }).where(mine),
      db.delete(ledgerEntries).where(mine),
      db.execute(sql`truncate ledger_entries cascade`),
    ]
    for (const attempt of attempts) {
      const error = await Promise.resolve(attempt).then(
        () => undefined,
        (caught: unknown) => caught,
      )
      expect(sqlState(error)).toBe('23001')
    }
    expect(await db.select().from(ledgerEntries).where(mine)).toHaveLength(1)
    expect(await findLedgerProblems(db)).toEqual([])
  })

  test('that a newer program has migrated is refused in one line, and each migration is logged', async () => {
    const home = await createServerHome()
    onTestFinished(() => home.drop())
    const lines: string[] = []
    const log = createLog('info', { write: (line) => void lines.push(line) })
    const open = () => openDatabase(home, log)
    const journal = sql.raw('drizzle.__drizzle_migrations')
    const first = await open()
    await first.db.execute(sql`insert into ${journal} (hash, created_at) values ('newer', 9999999999999)`)
    await first.close()
    await expect(open()).rejects.toThrow(/^The database was made by a newer version[^\n]*$/)
    expect(lines).toEqual([])

    if (home.databaseUrl) return
    const empty = mkdtempSync(join(tmpdir(), 'rupa-db-'))
    await (await openDatabase({ dataDir: empty, databaseUrl: undefined }, log)).close()
    const migrated = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg === 'migrated')
    expect(migrated.map(({ migration }) => migration)).toContain('0000_first')
  })

  test.each([
    [
      'migrations that this program does not have',
      `update drizzle.__drizzle_migrations set hash = 'joined' where id = 3`,
    ],
    ['tables without migrations', 'delete from drizzle.__drizzle_migrations'],
  ])('that has %s is refused in one line, and stays as it is', async (_, change) => {
    const home = await createServerHome()
    onTestFinished(() => home.drop())
    const log = createLog('silent')
    const first = await openDatabase(home, log)
    await first.db.execute(sql.raw(change))
    await first.close()
    const refused = openDatabase(home, log)
    await expect(refused).rejects.toBeInstanceOf(ConfigError)
    await expect(refused).rejects.toThrow(
      /^The database was made by a version whose migrations [^\n]*start the version that made it[^\n]*$/,
    )
  })

  test('equals the tables in the code once all migrations have run', async () => {
    const { generateDrizzleJson, generateMigration } = await import('drizzle-kit/api')
    const { readFileSync, readdirSync } = await import('node:fs')
    const meta = 'src/server/db/migrations/meta'
    const latest = readdirSync(meta)
      .filter((name) => name.endsWith('_snapshot.json'))
      .sort()
      .at(-1)
    const schema = await import('#server-app/schema.ts')
    const known = JSON.parse(readFileSync(join(meta, latest as string), 'utf8')) as Parameters<
      typeof generateMigration
    >[0]
    const wanted = generateDrizzleJson(schema, known.id, undefined, 'snake_case')
    expect(await generateMigration(known, wanted)).toEqual([])
  })
})

describe.skipIf(process.env.TEST_DATABASE_URL)('the embedded database', () => {
  test('syncs its log to the disk for every commit, and for none that only reads', async () => {
    let syncs = 0
    const count = (descriptor: number) => {
      syncs += 1
      fsyncSync(descriptor)
    }
    const embedded = await openEmbedded(await templateFolder(), silent, () => {}, count)
    try {
      const settings = await embedded.pglite.query<{ setting: string }>(
        `select setting from pg_settings where name in ('fsync', 'synchronous_commit', 'full_page_writes', 'wal_sync_method') order by name`,
      )
      expect(settings.rows.map(({ setting }) => setting)).toEqual(['on', 'on', 'on', 'fsync'])
      for (let commit = 0; commit < 5; commit += 1) {
        const before = syncs
        await embedded.pglite.query(`insert into rate_limits values ($1, 1, now())`, [`k${commit}`])
        expect(syncs).toBeGreaterThan(before)
      }
      const before = syncs
      await embedded.pglite.query('select * from rate_limits')
      expect(syncs).toBe(before)
      await embedded.vacuum()
      await embedded.pglite.exec('checkpoint')
    } finally {
      await embedded.close()
    }
  })

  test('without the file of its version it is refused, not replaced by an empty one', async () => {
    const dataDir = await templateFolder()
    rmSync(join(dataDir, 'database', 'PG_VERSION'))
    await expect(openEmbedded(dataDir, silent, () => {})).rejects.toThrow(DamagedDatabase)
  })

  test('with a lost table file it names the damage and the way out', async () => {
    const dataDir = await templateFolder()
    const database = await openDatabase({ dataDir, databaseUrl: undefined }, silent)
    const [file] = await rows<{ path: string }>(
      database.db,
      sql`select pg_relation_filepath('drizzle.__drizzle_migrations') as path`,
    )
    await database.close()
    rmSync(join(dataDir, 'database', file!.path))
    await expect(openDatabase({ dataDir, databaseUrl: undefined }, silent)).rejects.toThrow(
      /^DATA_DIR\/database cannot be opened \(could not open file[^\n]* npm run restore [^\n]*$/,
    )
  })

  test('does not start when syncing does nothing', async () => {
    // Plain PGlite never syncs, like a file system that ignores it.
    const { SyncedNodeFS } = await import('#server/db/embedded.ts')
    const { init } = SyncedNodeFS.prototype
    SyncedNodeFS.prototype.init = async function (pg, options) {
      return Object.getPrototypeOf(SyncedNodeFS.prototype).init.call(this, pg, options)
    }
    try {
      await expect(openEmbedded(await templateFolder(), silent, () => {})).rejects.toThrow('does not sync')
    } finally {
      SyncedNodeFS.prototype.init = init
    }
  })

  test('exits with a message when the disk refuses to sync', async () => {
    const script = new URL('../support/refused-sync.ts', import.meta.url)
    const child = fork(script, [await templateFolder()], { stdio: 'pipe' })
    const said: string[] = []
    child.stdout?.on('data', (chunk) => said.push(String(chunk)))
    const [code] = await once(child, 'exit')
    expect(said.join('')).toBe('panic\n')
    expect(code).toBe(1)
  })

  test('is made, opened and migrated in less than 500 MB, so that a small machine survives its first start', {
    tags: 'soak',
  }, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'rupa-db-'))
    const code = `
      const { openDatabase } = await import('#server/db/database.ts')
      const { pino } = await import('pino')
      const database = await openDatabase({ dataDir: process.argv[1] }, pino({ level: 'silent' }))
      for (let n = 0; n < 300; n += 1) await database.pglite.query('select $1::int + ' + n, [n])
      // Lets background compilers finish.
      await new Promise((resolve) => setTimeout(resolve, 1000))
      console.log(process.resourceUsage().maxRSS)
      await database.close()`
    const child = spawnSync(process.execPath, ['--input-type=module', '-e', code, folder], { encoding: 'utf8' })
    expect(child.stderr).toBe('')
    const kilobytes = Number(child.stdout)
    expect(kilobytes).toBeGreaterThan(100_000)
    expect(kilobytes).toBeLessThan(500_000)
  })

  test('belongs to one process; the next one gets a clear line', async () => {
    const dataDir = await templateFolder()
    const first = await openDatabase({ dataDir, databaseUrl: undefined }, silent)
    await expect(openDatabase({ dataDir, databaseUrl: undefined }, silent)).rejects.toThrow(
      /^[^\n]*is in use by another Rupa process[^\n]*$/,
    )
    await first.close()
    const second = await openDatabase({ dataDir, databaseUrl: undefined }, silent)
    await second.close()
  })

  test('keeps every acknowledged commit when its process is killed', async () => {
    const dataDir = await templateFolder()
    const script = new URL('../support/endless-commits.ts', import.meta.url)
    let acknowledged = -1
    for (let kill = 0; kill < (process.env.SOAK ? 5 : 1); kill += 1) {
      const child = fork(script, [dataDir, String(acknowledged + 1)], { stdio: 'ignore' })
      const goal = acknowledged + 20 + kill * 15
      await new Promise<void>((resolve, reject) => {
        child.on('message', (number: number) => {
          acknowledged = number
          if (number === goal) child.kill('SIGKILL')
        })
        child.on('exit', (_code, signal) => (signal === 'SIGKILL' ? resolve() : reject(new Error('ended by itself'))))
      })
      const { db, close } = await openDatabase({ dataDir, databaseUrl: undefined }, silent)
      const [found] = await rows<{ count: number }>(
        db,
        sql`select count(*)::int as count from rate_limits where hits <= ${acknowledged}`,
      )
      await close()
      expect(found?.count).toBe(acknowledged + 1)
    }
  })
})
