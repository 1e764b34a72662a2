// A hanging gateway: duration of generations, mails and order expiry before and during ten minutes
// (HANG_MINUTES), on PostgreSQL with hundreds of due sessions.

import { randomUUID } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { orderStatus } from '#features/billing/rules.ts'
import { startServerProcess } from '#tests/support/server-process.ts'
import { createXenditDouble } from '#tests/support/xendit-double/server.ts'
import { startPostgres } from '../../src/scripts/postgres.mjs'

const minutes = Number(process.env.HANG_MINUTES ?? 10)
const baselineMinutes = Math.min(2, minutes / 2)
const dueSessions = 300
const overdueOrders = 100
const everySeconds = 10
const password = 'Rahasia-sekali-12!'

const postgres = await startPostgres()
if (!postgres) {
  console.log('PostgreSQL was not found; there is nothing to measure')
  process.exit(0)
}
const dataDir = mkdtempSync(join(tmpdir(), 'rupa-bench-'))
const double = await createXenditDouble({
  secretKey: 'xnd_development_key',
  callbackToken: 'callback-token-of-the-bench',
})
const db = new pg.Client({ connectionString: postgres.url })
const server = await startServerProcess({
  ...double.env,
  PAYMENTS: 'manual,xendit',
  MANUAL_ACCOUNTS: 'bsi:7123456789:PT Rupa Contoh',
  XENDIT_BASE_URL: double.url,
  DATABASE_URL: postgres.url,
  DATA_DIR: dataDir,
  WELCOME_CREDITS: '100000',
  TRUSTED_PROXIES: '127.0.0.1',
})

let people = 0
/** Own addresses, so that no limit counts them together. */
const from = () => ({ 'x-forwarded-for': `10.${(people >> 16) & 255}.${(people >> 8) & 255}.${people & 255}` })

async function call(path: string, { token, json, headers }: { token?: string; json?: unknown; headers?: object } = {}) {
  const response = await fetch(`${server.url}${path}`, {
    ...(json !== undefined && { method: 'POST', body: JSON.stringify(json) }),
    headers: {
      'content-type': 'application/json',
      ...(token && { authorization: `Bearer ${token}` }),
      ...from(),
      ...headers,
    },
    redirect: 'manual',
  })
  if (response.status >= 400) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return response
}

async function until<Found>(look: () => Promise<Found | undefined> | Found | undefined): Promise<Found> {
  for (;;) {
    const found = await look()
    if (found !== undefined) return found
    await pause(25)
  }
}

async function seconds(action: () => Promise<unknown>): Promise<number> {
  const began = performance.now()
  await action()
  return (performance.now() - began) / 1000
}

function mailTo(email: string): string | undefined {
  const folder = join(dataDir, 'outbox')
  const name = (existsSync(folder) ? readdirSync(folder) : []).find(
    (one) => one.endsWith('.eml') && one.includes(email),
  )
  return name && readFileSync(join(folder, name), 'utf8').replaceAll('=\r\n', '')
}

async function register(): Promise<{ email: string; link: () => Promise<string> }> {
  people += 1
  const email = `${randomUUID().slice(0, 8)}@contoh.id`
  await call('/api/register', { json: { name: 'Sari', email, password, agreeToTerms: true, birthYear: 1990 } })
  return { email, link: () => until(() => /\/api\/verify_email\/[\w-]+/.exec(mailTo(email) ?? '')?.[0]) }
}

async function signUp(): Promise<string> {
  const { email, link } = await register()
  await call(await link())
  const response = await call('/api/login', { json: { email, password, remember: true } })
  return ((await response.json()) as { access_token: string }).access_token
}

const consent = { acceptPrivacy: true, acceptTerms: true }
async function placeOrder(token: string, method: string): Promise<string> {
  const json = { packageId: 'starter', method, ...consent }
  const response = await call('/api/orders', { token, json, headers: { 'idempotency-key': randomUUID() } })
  return ((await response.json()) as { id: string }).id
}

const photo = readFileSync(join(import.meta.dirname, '..', 'fixtures', 'photos', 'chelsea.jpg'))

async function generate(token: string): Promise<void> {
  const form = new FormData()
  form.set('tool', 'background-removal')
  form.set('image', new Blob([new Uint8Array(photo)]), 'foto.jpg')
  const headers = { authorization: `Bearer ${token}`, 'idempotency-key': randomUUID(), ...from() }
  const response = await fetch(`${server.url}/api/generations`, { method: 'POST', body: form, headers })
  if (response.status !== 201) throw new Error(`a generation was refused: ${await response.text()}`)
  const { id } = (await response.json()) as { id: string }
  await until(async () => {
    const { status } = (await (await call(`/api/generations/${id}`, { token })).json()) as { status: string }
    return status === 'succeeded' || status === 'failed' ? status : undefined
  })
}

/** Gives the gateway many orders to be polled for. */
async function crowd(orderId: string): Promise<void> {
  const columns = async (table: string, without: string[]) => {
    const { rows } = await db.query(
      'select column_name as name from information_schema.columns where table_schema = $1 and table_name = $2',
      ['public', table],
    )
    return rows
      .map(({ name }) => name as string)
      .filter((name) => !without.includes(name))
      .join(', ')
  }
  const order = await columns('orders', ['id', 'idempotency_key', 'expires_at'])
  const attempt = await columns('payment_attempts', ['id', 'order_id', 'session_id', 'request_id', 'read_at'])
  await db.query(
    `with many as (select gen_random_uuid() as id, n from generate_series(1, ${dueSessions}) n),
      placed as (insert into orders (id, idempotency_key, expires_at, ${order})
        select many.id, many.id, case when n <= ${overdueOrders} then now() else now() + interval '1 day' end, ${order}
        from orders, many where orders.id = $1 returning id)
     insert into payment_attempts (id, order_id, session_id, request_id, read_at, ${attempt})
       select gen_random_uuid(), placed.id, 'ps-' || placed.id, null, now(), ${attempt}
       from payment_attempts, placed where order_id = $1`,
    [orderId],
  )
}

type Delays = Record<'generation' | 'mail' | 'end of an order', number[]>

async function measureFor(howLong: number): Promise<Delays> {
  const delays: Delays = { generation: [], mail: [], 'end of an order': [] }
  const token = await signUp()
  const end = performance.now() + howLong * 60_000
  while (performance.now() < end) {
    const next = performance.now() + everySeconds * 1000
    const buyer = await signUp()
    const id = await placeOrder(buyer, 'bsi')
    await Promise.all([
      seconds(() => generate(token)).then((took) => delays.generation.push(took)),
      seconds(async () => (await register()).link()).then((took) => delays.mail.push(took)),
      seconds(async () => {
        await db.query('update orders set expires_at = now() where id = $1', [id])
        await until(async () => {
          const { rows } = await db.query('select status from orders where id = $1', [id])
          return rows[0]?.status === orderStatus.cancelled ? true : undefined
        })
      }).then((took) => delays['end of an order'].push(took)),
    ])
    await pause(Math.max(0, next - performance.now()))
  }
  return delays
}

const sorted = (values: number[]) => values.toSorted((a, b) => a - b)
const show = (values: number[]) => {
  const all = sorted(values)
  return `${all[Math.floor(all.length / 2)]?.toFixed(1)} s, at most ${all.at(-1)?.toFixed(1)} s (${all.length} times)`
}

try {
  await db.connect()
  const before = await measureFor(baselineMinutes)
  const orderId = await placeOrder(await signUp(), 'dana')
  const letGo = double.hang()
  await crowd(orderId)
  const calls = double.calls.length
  const during = await measureFor(minutes)
  console.log(`the gateway hung for ${minutes} minutes, and was called ${double.calls.length - calls} times`)
  for (const what of Object.keys(before) as (keyof Delays)[]) {
    console.log(`${what.padEnd(16)} before: ${show(before[what])}; while it hung: ${show(during[what])}`)
  }
  letGo()
} finally {
  await server.end('SIGKILL')
  await db.end()
  await double.close()
  postgres.stop()
  rmSync(dataDir, { recursive: true, force: true })
}
