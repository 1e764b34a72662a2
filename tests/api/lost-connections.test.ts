import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/node-postgres'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { orders } from '#features/billing/server/tables/orders.ts'
import type { GenerationView } from '#features/generations/schemas.ts'
import { resendJobs } from '#features/generations/server/execution/resend-jobs.ts'
import { type Database, rows } from '#server/db/database.ts'
import { GuardedPool } from '#server/db/pool.ts'
import { transact } from '#server/db/transact.ts'
import { findLedgerProblems } from '#tests/support/audit-books.ts'
import { order } from '#tests/support/checkout.ts'
import { createFakeEngine, gate, succeed } from '#tests/support/fake-engine.ts'
import { type LostAnswerProxy, startLostAnswerProxy } from '#tests/support/lost-answer-proxy.ts'
import { createServerHome, type ServerHome } from '#tests/support/server-home.ts'
import {
  creditsOf,
  loseHeartbeats,
  makePicture,
  reached,
  refusal,
  stopOpenGenerations,
  submit,
  submitted,
} from '#tests/support/submit.ts'
import { createTestApp, type TestApp, type TestUser } from '#tests/support/test-app.ts'
import { beginUpload } from '#tests/support/upload.ts'
import { startPostgres } from '../../src/scripts/postgres.mjs'

const soon = { timeout: 300_000, interval: 5 }
/** Logged for connections ended by an operator, a restart or a cut. */
const lost = /57P0|57014|Connection terminated|connection error|no connection to the database|ECONNRE|listening/

describe.runIf(process.env.TEST_DATABASE_URL)('a lost connection to PostgreSQL', () => {
  const engine = createFakeEngine()
  let home: ServerHome
  let proxy: LostAnswerProxy
  let operator: pg.Client
  let app: TestApp
  let user: TestUser
  let admin: TestUser

  beforeAll(async () => {
    home = await createServerHome()
    const address = new URL(home.databaseUrl as string)
    operator = new pg.Client({ connectionString: address.href })
    await operator.connect()
    proxy = await startLostAnswerProxy(Number(address.port))
    address.port = String(proxy.port)
    app = await createTestApp({
      engine,
      home: { ...home, env: { ...home.env, DATABASE_URL: address.href } },
      env: { PAYMENTS: 'manual,simulator', MANUAL_ACCOUNTS: 'bca:123 456 7890:PT Rupa Contoh' },
    })
    app.expectErrors(lost)
    admin = await app.createUser({ role: 'admin' })
    user = await app.createUser()
  })
  afterAll(async () => {
    await app.composition.stop()
    await proxy.close()
    await operator.end()
    await home.drop()
  })
  afterEach(async () => {
    await stopOpenGenerations(app)
    expect(await findLedgerProblems(app.deps.db)).toEqual([])
  })

  /**
   * Until the request is answered. Inside a transaction pg_stat_activity does not list connections
   * that were opened after the first look; pg_locks does.
   */
  async function endWhileBlocked(lock: string, call: () => Promise<Response>): Promise<Response> {
    await operator.query(`begin; ${lock}`)
    let answer: Response | undefined
    const asked = call().then((response) => {
      answer = response
    })
    await vi.waitFor(async () => {
      await operator.query(
        `select pg_terminate_backend(pid) from pg_locks where pg_backend_pid() = any(pg_blocking_pids(pid))`,
      )
      expect(answer).toBeDefined()
    }, soon)
    await asked
    await operator.query('rollback')
    return answer as Response
  }

  const endAll = () =>
    operator.query(
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
    )

  /** The transaction with that text commits without being answered. */
  async function losingCommitOf(text: string, call: () => Promise<Response>): Promise<Response> {
    const [answer] = await Promise.all([call(), proxy.loseCommitOf(text)])
    return answer
  }

  async function expectUnavailable(answer: Response): Promise<void> {
    expect(answer.headers.get('retry-after')).toBe('5')
    expect(await refusal(answer)).toEqual([503, 'server.unavailable'])
  }

  /** Retries: a busy machine may be late to open a connection. */
  const again = (call: () => Promise<Response>): Promise<Response> =>
    vi.waitFor(async () => {
      const answer = await call()
      expect(answer.status).not.toBe(503)
      return answer
    }, soon)

  const changes = (table: string) => `lock table ${table} in exclusive mode`
  const reads = (table: string) => `lock table ${table} in access exclusive mode`
  const key = randomUUID()
  const picture = makePicture()
  const cases: Record<string, { lock: string; call: () => Promise<Response>; status: number }> = {
    'reading a list': { lock: reads('generations'), call: () => user.request('/api/generations'), status: 200 },
    'the check of a session': { lock: reads('sessions'), call: () => user.request('/api/user/me'), status: 200 },
    'changing the profile': {
      lock: changes('users'),
      call: () => user.request('/api/user/me', { method: 'PATCH', json: { name: 'Sari Baru' } }),
      status: 200,
    },
    'signing in': {
      lock: changes('sessions'),
      call: () => app.request('/api/login', { json: { email: user.email, password: user.password, remember: true } }),
      status: 200,
    },
    registering: {
      lock: changes('users'),
      call: () =>
        app.request('/api/register', {
          json: { name: 'Budi', email: 'lost@contoh.id', password: user.password, agreeToTerms: true },
        }),
      status: 201,
    },
    'counting towards a limit': {
      lock: changes('rate_limits'),
      call: () => app.request('/api/forgot_password', { json: { email: 'lost@contoh.id' } }),
      status: 200,
    },
    'beginning an upload': { lock: changes('uploads'), call: () => beginUpload(user, 50), status: 201 },
    'starting a generation': {
      lock: changes('ledger_entries'),
      call: async () => submit(user, { key, image: await picture }),
      status: 201,
    },
    'placing an order': {
      lock: changes('orders'),
      call: () =>
        user.request('/api/orders', {
          headers: { 'idempotency-key': key },
          json: { acceptPrivacy: true, acceptTerms: true, packageId: 'starter', method: 'bca' },
        }),
      status: 201,
    },
    'keeping a setting': {
      lock: changes('looks'),
      call: () =>
        user.request('/api/user/looks', {
          method: 'PUT',
          json: { tool: 'background-removal', name: 'Polos', params: { format: 'png' } },
        }),
      status: 200,
    },
    'making a voucher': {
      lock: changes('vouchers'),
      call: () =>
        admin.request('/api/admin/vouchers', {
          json: { code: 'HILANG', kind: 'free_credits', value: 5, days: 30, active: true },
        }),
      status: 201,
    },
  }

  test.each(Object.entries(cases))(
    'during %s gets 503, and a retry does it once',
    async (_, { lock, call, status }) => {
      await expectUnavailable(await endWhileBlocked(lock, call))
      expect((await again(call)).status).toBe(status)
    },
  )

  test('while a mailed link is used does not report the link as invalid', async () => {
    const { email } = await app.register()
    const path = new URL((await app.mailTo(email)).link as string).pathname
    // From another address each time: every answer counts towards the rate limit of links.
    let asked = 0
    const open = () => app.request(path, { headers: { accept: 'text/html' }, from: `10.0.0.${1 + (asked++ % 250)}` })
    const locationOf = (answer: Response) => answer.headers.get('location')
    expect(locationOf(await endWhileBlocked(changes('account_tokens'), open))).toBe('/login?verified=later')
    const rarely = { ...soon, interval: 200 }
    await vi.waitFor(async () => expect(locationOf(await open())).toBe('/login?verified=1'), rarely)
  })

  test('gets 503 until a new one is available', async () => {
    proxy.cut()
    for (const path of ['/api/user/me', '/api/packages', '/api/generations']) {
      await expectUnavailable(await user.request(path))
    }
    await expectUnavailable(await cases['changing the profile']!.call())
    proxy.restore()
    expect((await again(() => user.request('/api/user/me'))).status).toBe(200)
    expect((await again(cases['changing the profile']!.call)).status).toBe(200)
  })

  test('that is idle is replaced: requests continue, and changes and jobs are received again', async () => {
    await endAll()
    expect((await again(() => user.request('/api/user/me'))).status).toBe(200)
    const { id } = await submitted(user)
    expect(await reached(user, id)).toMatchObject({ status: 'succeeded' })
  })

  test('during a running job leaves a single result and a single charge', async () => {
    const rich = await app.createUser()
    const before = await creditsOf(rich)
    const hold = gate()
    engine.behave(hold.behaviour)
    const { id, credits } = await submitted(rich)
    await reached(rich, id, 'detecting')
    await endAll()
    engine.behave(succeed)
    hold.open()
    await vi.waitFor(() => loseHeartbeats(app), soon)
    const view = await vi.waitFor(() => reached(rich, id, 'succeeded'), soon)
    expect(view.outputs).toHaveLength(1)
    expect(await creditsOf(rich)).toBe(before - credits)
  })

  test('keeps the error that rolled a transaction back, and no dead connection in the pool', async () => {
    const pool = new GuardedPool({ connectionString: home.databaseUrl, max: 1 })
    onTestFinished(() => pool.end())
    const failing = transact(drizzle(pool) as unknown as Database, async (tx) => {
      const [own] = await rows<{ pid: number }>(tx, sql`select pg_backend_pid() as pid`)
      await operator.query('select pg_terminate_backend($1)', [own?.pid])
      throw new Error('the reason')
    })
    await expect(failing).rejects.toThrow('the reason')
    expect(pool.totalCount).toBe(0)
  })

  test('to a server that became a standby is replaced', async () => {
    const { rows: found } = await operator.query('select current_database() as name')
    const database = pg.escapeIdentifier(found[0].name)
    await operator.query(`alter database ${database} set default_transaction_read_only = on`)
    await endAll()
    await vi.waitFor(async () => expect((await user.request('/api/user/me')).status).toBe(200), soon)
    await expectUnavailable(await cases['changing the profile']!.call())
    await operator.query(`alter database ${database} reset default_transaction_read_only`)
    await vi.waitFor(async () => expect((await cases['changing the profile']!.call()).status).toBe(200), soon)
  })

  describe('after a commit whose confirmation is lost', () => {
    test('charges a generation once, and keeps its picture', async () => {
      const buyer = await app.createUser()
      const [before, key, image] = [await creditsOf(buyer), randomUUID(), await makePicture('#206080')]
      const start = () => submit(buyer, { key, image })
      await expectUnavailable(await losingCommitOf('insert into "generations"', start))
      const answer = await again(start)
      expect(answer.status).toBe(200)
      const { id, credits } = (await answer.json()) as GenerationView
      await resendJobs({ ...app.deps, clock: () => new Date(app.clock.now().getTime() + 60_000) })
      const view = await reached(buyer, id)
      expect((await app.request(view.inputs[0]?.url as string)).status).toBe(200)
      expect(await creditsOf(buyer)).toBe(before - credits)
    })

    test('keeps the picture of a rendering, and renders it once more', async () => {
      const buyer = await app.createUser()
      const { id } = await submitted(buyer)
      await reached(buyer, id, 'succeeded')
      const form = new FormData()
      form.set('params', JSON.stringify({ background: { type: 'image' } }))
      form.set('background', new Blob([await makePicture('#2040c0')]), 'latar.png')
      const draw = () => buyer.request(`/api/generations/${id}/render`, { method: 'POST', body: form })
      const answer = await losingCommitOf('update "generations" set "params"', draw)
      expect(answer.status).toBe(200)
      const view = (await answer.json()) as GenerationView
      expect(view.rendering).toMatchObject({ position: 1, newest: 1 })
      expect(view.inputs).toHaveLength(2)
      for (const { url } of [...view.inputs, ...view.outputs]) {
        expect((await app.request(url as string)).status).toBe(200)
      }
    })

    test('keeps the proof of a reported transfer', async () => {
      const { body } = await order(user, { packageId: 'starter', method: 'bca' })
      const form = new FormData()
      form.set('proof', new Blob([await picture]), 'bukti.png')
      const report = () => user.request(`/api/orders/${body.id}/report_transfer`, { method: 'POST', body: form })
      await expectUnavailable(await losingCommitOf('"proof_key" = $', report))
      const [row] = await app.deps.db.select().from(orders).where(eq(orders.id, body.id))
      expect(existsSync(join(app.config.dataDir, 'files', row?.proofKey as string))).toBe(true)
    })
  })

  test('by a restart of the whole server does not end the process, which continues once it is back', async () => {
    const postgres = await startPostgres({ durable: false })
    if (!postgres) throw new Error('there is no PostgreSQL to start')
    onTestFinished(() => postgres.stop())
    const other = await createTestApp({
      engine: createFakeEngine(),
      home: { ...home, databaseUrl: postgres.url, env: { DATA_DIR: home.dataDir, DATABASE_URL: postgres.url } },
    })
    onTestFinished(() => other.composition.stop())
    other.expectErrors(lost)
    const buyer = await other.createUser()
    const statuses = new Set<number>()
    const ask = async () => {
      const answer = await buyer.request('/api/user/me')
      statuses.add(answer.status)
      return answer.status
    }
    const restarted = postgres.restart({ mode: 'fast' })
    await vi.waitFor(async () => expect(await ask()).toBe(503), soon)
    await restarted
    await vi.waitFor(async () => expect(await ask()).toBe(200), soon)
    expect([...statuses].filter((status) => status !== 200 && status !== 503)).toEqual([])
    const { id } = await submitted(buyer)
    expect(await reached(buyer, id)).toMatchObject({ status: 'succeeded' })
    expect(await findLedgerProblems(other.deps.db)).toEqual([])
  })
})
