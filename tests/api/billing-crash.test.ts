import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { LedgerEntryView, OrderView } from '#features/billing/contract.ts'
import { testPassword } from '#tests/support/seed-user.ts'
import { createServerHome, type ServerHome } from '#tests/support/server-home.ts'
import { freePort, type ServerProcess, startServerProcess } from '#tests/support/server-process.ts'
import { createXenditDouble, type DoubleSession, type XenditDouble } from '#tests/support/xendit-double.ts'

/** A process starts again in each of them, which takes seconds on a busy machine. */
const timeout = 240_000

let home: ServerHome
let double: XenditDouble
let server: ServerProcess
let env: Record<string, string>
let token: string

beforeAll(async () => {
  home = await createServerHome()
  double = await createXenditDouble({ secretKey: 'xnd_development_key', callbackToken: 'callback-token-of-the-tests' })
  const port = String(await freePort())
  env = { ...home.env, ...double.env, XENDIT_BASE_URL: double.url, PORT: port, LOG_LEVEL: 'warn' }
  server = await startServerProcess(env)
  token = await signUp()
})
afterAll(async () => {
  await server.end('SIGKILL')
  await double.close()
  await home.drop()
})

async function call(path: string, json?: unknown, headers: Record<string, string> = {}) {
  return await fetch(`${server.url}${path}`, {
    ...(json !== undefined && { method: 'POST', body: JSON.stringify(json) }),
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }), ...headers },
  })
}

async function signUp(): Promise<string> {
  const email = 'sari@contoh.id'
  await call('/api/register', { name: 'Sari', email, password: testPassword, agreeToTerms: true })
  const link = await vi.waitFor(
    () => {
      const folder = join(home.dataDir, 'outbox')
      const mail = readdirSync(folder).find((name) => name.endsWith('.eml'))
      const text = readFileSync(join(folder, mail as string), 'utf8').replaceAll('=\r\n', '')
      return /\/api\/verify_email\/[\w-]+/.exec(text)?.[0] as string
    },
    { timeout: 20_000 },
  )
  await fetch(`${server.url}${link}`, { redirect: 'manual' })
  const answer = await call('/api/login', { email, password: testPassword, remember: true })
  return ((await answer.json()) as { access_token: string }).access_token
}

async function killAndRestart(): Promise<void> {
  await server.end('SIGKILL')
  server = await startServerProcess(env)
}

/** Holds a call at the gateway, so that the server can be killed right there. */
function hold(method: 'GET' | 'POST', before: boolean) {
  const { promise: reached, resolve: arrive } = Promise.withResolvers<void>()
  const { promise: release, resolve: letGo } = Promise.withResolvers<void>()
  double.misbehave(method, { before, reached: arrive, release })
  return { reached, letGo }
}

const place = (key: string) =>
  call(
    '/api/orders',
    { packageId: 'starter', method: 'bca', acceptPrivacy: true, acceptTerms: true },
    { 'idempotency-key': key },
  )

async function orderBy(key: string): Promise<OrderView> {
  return (await (await place(key)).json()) as OrderView
}

function tell(session: DoubleSession) {
  const { headers, json } = double.webhook('payment_session.completed', session)
  return call('/api/webhooks/xendit', json, headers)
}

function sessionOf(view: OrderView): DoubleSession {
  const found = [...double.sessions.values()].find(({ payment_link_url }) => payment_link_url === view.payment?.url)
  return found as DoubleSession
}

async function expectPaidOnce(id: string) {
  const view = (await (await call(`/api/orders/${id}`)).json()) as OrderView
  expect(view.status).toBe(2)
  expect(view.history.map(({ to }) => to)).toEqual([1, 2])
  const { items } = (await (await call('/api/user/ledger?limit=50')).json()) as { items: LedgerEntryView[] }
  expect(items.filter(({ order }) => order?.id === id).map(({ kind, amount }) => [kind, amount])).toEqual([
    ['purchase', 499],
  ])
}

test.each([
  ['before the gateway takes the session', true],
  ['after the gateway has made the session, before we hear of it', false],
])('killed %s, the same key finishes the same order', { timeout }, async (_when, before) => {
  const key = randomUUID()
  const held = hold('POST', before)
  const lost = place(key).catch(() => undefined)
  await held.reached
  await killAndRestart()
  held.letGo()
  await lost
  // The claim of the process that died is let go of after a while; asking to pay again does not have to wait for it.
  const listed = (await (await call('/api/orders')).json()) as { items: OrderView[] }
  const [order] = listed.items
  expect(order).toMatchObject({ status: 1, payment: { status: 'creating' } })
  const json = { method: 'qris' }
  const headers = { 'idempotency-key': randomUUID() }
  const view = (await (await call(`/api/orders/${order?.id}/pay_again`, json, headers)).json()) as OrderView
  expect(view).toMatchObject({ id: order?.id, payment: { status: 'open' } })
  expect((await orderBy(key)).id).toBe(view.id)
  const session = double.pay(sessionOf(view).payment_session_id)
  expect((await tell(session)).status).toBe(200)
  await expectPaidOnce(view.id)
})

test('killed while it reads the session of a paid order, the next webhook grants once', { timeout }, async () => {
  const view = await orderBy(randomUUID())
  const session = double.pay(sessionOf(view).payment_session_id)
  const held = hold('GET', true)
  const lost = tell(session).catch(() => undefined)
  await held.reached
  await killAndRestart()
  held.letGo()
  await lost
  expect((await tell(session)).status).toBe(200)
  await expectPaidOnce(view.id)
})

test('killed at any moment between the gateway’s word and the answer, credits are granted once', {
  timeout,
}, async () => {
  for (const milliseconds of process.env.SOAK ? [0, 3, 6, 12, 25, 50] : [0, 12]) {
    const view = await orderBy(randomUUID())
    const session = double.pay(sessionOf(view).payment_session_id)
    const held = hold('GET', false)
    const lost = tell(session).catch(() => undefined)
    await held.reached
    // The gateway responds now, and the server dies somewhere on its way to the commit and the answer.
    held.letGo()
    await pause(milliseconds)
    await killAndRestart()
    await lost
    expect((await tell(session)).status).toBe(200)
    expect((await tell(session)).status).toBe(200)
    await expectPaidOnce(view.id)
  }
})
