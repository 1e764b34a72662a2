import { randomInt, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { pino } from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import { openStatuses } from '#features/generations/rules.ts'
import type { GenerationCreated, GenerationView } from '#features/generations/schemas.ts'
import { openDatabase } from '#server/db/database.ts'
import { readConfig } from '#server-app/config.ts'
import type { Page } from '#shared/paging.ts'
import { findLedgerProblems } from '#tests/support/audit-books.ts'
import { seedUser } from '#tests/support/seed-user.ts'
import { createServerHome } from '#tests/support/server-home.ts'
import { startServerProcess } from '#tests/support/server-process.ts'
import { damagedPicture, formOf, makePicture, type Submission } from '../support/submit.ts'

const soak = Boolean(process.env.SOAK)
const terminations = soak ? 30 : 4
const users = soak ? 6 : 2

test.runIf(process.env.TEST_DATABASE_URL)(
  `${terminations} connections ended by PostgreSQL under load end no process, cause no 500, and lose and double nothing`,
  async () => {
    const home = await createServerHome()
    onTestFinished(() => home.drop())
    const shared = { JWT_SECRET: 'j'.repeat(32), WELCOME_CREDITS: '400', PAYMENTS: 'simulator' }
    const env = { ...home.env, ...shared }
    const open = () => openDatabase({ dataDir: '', databaseUrl: home.databaseUrl }, pino({ level: 'silent' }))
    const server = await startServerProcess(env)
    onTestFinished(async () => void (await server.end('SIGKILL')))
    const seeding = await open()
    const config = readConfig(env)
    const tokens: string[] = []
    for (let user = 0; user < users; user += 1) {
      tokens.push((await seedUser({ db: seeding.db, config, clock: () => new Date() }, {})).token)
    }
    await seeding.close()
    const operator = new pg.Client({ connectionString: home.databaseUrl, application_name: 'operator' })
    await operator.connect()
    onTestFinished(() => operator.end())

    const statuses = new Map<number, number>()
    const ask = async (token: string, path: string, init: RequestInit = {}): Promise<Response> => {
      const answer = await fetch(`${server.url}${path}`, {
        ...init,
        headers: { authorization: `Bearer ${token}`, ...init.headers },
      })
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
      if (answer.status === 503) expect(answer.headers.get('retry-after')).not.toBeNull()
      return answer
    }
    /** Retries with one key, as the app does. */
    const send = async <Body>(token: string, path: string, init: () => Promise<RequestInit>): Promise<Body> => {
      const key = randomUUID()
      for (;;) {
        const given = await init()
        const answer = await ask(token, path, { ...given, headers: { ...given.headers, 'idempotency-key': key } })
        if (answer.ok) return (await answer.json()) as Body
        expect({ status: answer.status, ...((await answer.json()) as object) }).toMatchObject({ status: 503 })
        await pause(20 + randomInt(50))
      }
    }
    const layout = await makePicture('#306090', 64, 64)
    const samples: Submission[] = [
      { image: damagedPicture() },
      { tool: 'photo-layout', image: [layout, layout, layout, layout] },
    ]
    const order = { packageId: 'starter', method: 'qris', acceptPrivacy: true, acceptTerms: true }
    const headers = { 'content-type': 'application/json' }

    let ended = 0
    const created = new Map<string, string>()
    const orders = new Set<string>()
    const load = tokens.map(async (token) => {
      for (let round = 0; ended < terminations || round < samples.length; round += 1) {
        const sample = samples[round % samples.length] as Submission
        const generation = await send<GenerationCreated>(token, '/api/generations', async () => {
          return { method: 'POST', body: await formOf(sample) }
        })
        expect(created.has(generation.id)).toBe(false)
        created.set(generation.id, token)
        await Promise.all(['/api/user/me', '/api/generations', '/api/user/ledger'].map((path) => ask(token, path)))
        const body = JSON.stringify(order)
        const { id } = await send<{ id: string }>(token, '/api/orders', async () => ({ method: 'POST', body, headers }))
        orders.add(id)
      }
    })
    const terminate = async () => {
      while (ended < terminations) {
        // Mostly a busy connection; sometimes any, including listeners.
        const { rowCount } = await operator.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and pid <> pg_backend_pid()
           order by $1::bool and state = 'idle', random() limit 1`,
          [ended % 4 !== 3],
        )
        ended += rowCount ?? 0
        await pause(randomInt(soak ? 300 : 100))
      }
    }
    await Promise.all([terminate(), ...load])

    for (const token of tokens) {
      const mine = [...created].filter(([, owner]) => owner === token).map(([id]) => id)
      const views = await vi.waitFor(
        async () => {
          const found: GenerationView[] = []
          for (let cursor: string | null = ''; cursor !== null; ) {
            const answer = await ask(token, `/api/generations?limit=50${cursor && `&cursor=${cursor}`}`)
            const page = (await answer.json()) as Page<GenerationView>
            found.push(...page.items)
            cursor = page.nextCursor
          }
          expect(found.filter(({ status }) => (openStatuses as readonly string[]).includes(status))).toEqual([])
          return found
        },
        { timeout: 300_000, interval: 200 },
      )
      expect(views.map(({ id }) => id).sort()).toEqual(mine.sort())
      for (const file of views.filter(({ status }) => status === 'succeeded').flatMap(({ outputs }) => outputs)) {
        expect((await (await fetch(`${server.url}${file.url}`)).arrayBuffer()).byteLength).toBe(file.bytes)
      }
    }
    // The same terms give the same unpaid order.
    expect(orders.size).toBe(users)
    expect([...statuses.keys()].filter((status) => status >= 500 && status !== 503)).toEqual([])
    expect(server.child.exitCode).toBeNull()
    const books = await open()
    onTestFinished(() => books.close())
    expect(await findLedgerProblems(books.db)).toEqual([])
    expect(await server.end('SIGTERM')).toBe(0)
  },
)
