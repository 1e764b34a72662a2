import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { LedgerEntryView, OrderView } from '#features/billing/schemas.ts'
import { testPassword } from '#tests/support/seed-user.ts'
import { createServerHome, type ServerHome } from '#tests/support/server-home.ts'
import { freePort, type ServerProcess, startServerProcess } from '#tests/support/server-process.ts'
import { createXenditDouble, type XenditDouble } from '#tests/support/xendit-double/server.ts'

let home: ServerHome
let double: XenditDouble
let server: ServerProcess
let env: Record<string, string>
let token: string

beforeAll(async () => {
  home = await createServerHome()
  double = await createXenditDouble({ secretKey: 'xnd_development_key', callbackToken: 'callback-token-of-the-tests' })
  const port = String(await freePort())
  env = { ...home.env, ...double.env, XENDIT_BASE_URL: double.url, PORT: port }
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
  await call('/api/register', { name: 'Sari', email, password: testPassword, agreeToTerms: true, birthYear: 1990 })
  const link = await vi.waitFor(
    () => {
      const folder = join(home.dataDir, 'outbox')
      const mail = readdirSync(folder).find((name) => name.endsWith('.eml'))
      const text = readFileSync(join(folder, mail as string), 'utf8').replaceAll('=\r\n', '')
      return /\/api\/verify_email\/[\w-]+/.exec(text)?.[0] as string
    },
    { timeout: 300_000 },
  )
  await fetch(`${server.url}${link}`, { redirect: 'manual' })
  const answer = await call('/api/login', { email, password: testPassword, remember: true })
  return ((await answer.json()) as { access_token: string }).access_token
}

async function killAndRestart(): Promise<void> {
  await server.end('SIGKILL')
  server = await startServerProcess(env)
}

/** One on our own page, one on the gateway's. Each kill uses one of them, the soak both. */
type Method = 'bca' | 'dana'
const soak = Boolean(process.env.SOAK)

const credits = { starter: 499, basic: 1499 }
/** Two at a time, because an unpaid order of the same package is used again. */
type Bought = keyof typeof credits

const placeOrder = (key: string, packageId: Bought, method: Method) =>
  call('/api/orders', { packageId, method, acceptPrivacy: true, acceptTerms: true }, { 'idempotency-key': key })

async function orderBy(key: string, packageId: Bought, method: Method): Promise<OrderView> {
  return (await (await placeOrder(key, packageId, method)).json()) as OrderView
}

/** Pays, and returns the gateway's webhook, which may be repeated. */
function pay({ payment }: OrderView): () => Promise<Response> {
  const session = [...double.sessions.values()].find(({ payment_link_url }) => payment_link_url === payment?.url)
  const shown = payment?.vaNumber ?? payment?.qrContent
  const request = [...double.requests.values()].find(({ actions }) => actions[0]?.value === shown)
  const { headers, json } = session
    ? double.webhook('payment_session.completed', double.pay(session.payment_session_id))
    : double.webhook('payment.capture', double.payRequest(request?.payment_request_id as string))
  return () => call('/api/webhooks/xendit', json, headers)
}

async function expectPaidOnce(id: string, bought: Bought) {
  const view = (await (await call(`/api/orders/${id}`)).json()) as OrderView
  expect(view.status).toBe(2)
  expect(view.history.map(({ to }) => to)).toEqual([1, 2])
  const { items } = (await (await call('/api/user/ledger?limit=50')).json()) as { items: LedgerEntryView[] }
  expect(items.filter(({ order }) => order?.id === id).map(({ kind, amount }) => [kind, amount])).toEqual([
    ['purchase', credits[bought]],
  ])
}

interface Death {
  when: string
  reach(): Promise<void>
  survive(): Promise<void>
}

/** Before or after the gateway takes the order. */
function whileCreating(method: Method, before: boolean): Death {
  const key = randomUUID()
  let lost: Promise<unknown>
  let held: ReturnType<XenditDouble['hold']>
  return {
    when: `${before ? 'before the gateway takes' : 'before it hears that the gateway took'} an order (${method})`,
    async reach() {
      held = double.hold('POST', { before })
      lost = placeOrder(key, 'starter', method).catch(() => undefined)
      await held.reached
    },
    async survive() {
      held.letGo()
      await lost
      // A new payment attempt does not wait for the dead process's lease.
      const listed = (await (await call('/api/orders')).json()) as { items: OrderView[] }
      const order = listed.items.find(({ payment }) => payment?.status === 'creating')
      expect(order).toMatchObject({ status: 1, payment: { status: 'creating' } })
      const json = { method: 'qris' }
      const headers = { 'idempotency-key': randomUUID() }
      const view = (await (await call(`/api/orders/${order?.id}/pay_again`, json, headers)).json()) as OrderView
      expect(view).toMatchObject({ id: order?.id, payment: { status: 'open' } })
      expect((await orderBy(key, 'starter', method)).id).toBe(view.id)
      const tell = pay(view)
      expect((await tell()).status).toBe(200)
      await expectPaidOnce(view.id, 'starter')
    },
  }
}

/** While it reads that an order is paid, or that many milliseconds later. */
function whilePaying(method: Method, milliseconds?: number): Death {
  let tell: () => Promise<Response>
  let lost: Promise<unknown>
  let held: ReturnType<XenditDouble['hold']>
  let id: string
  const reading = milliseconds === undefined
  return {
    when: `${reading ? 'while it reads' : `${milliseconds} ms after the gateway says`} that one is paid (${method})`,
    async reach() {
      const view = await orderBy(randomUUID(), 'basic', method)
      id = view.id
      tell = pay(view)
      held = double.hold('GET', { before: reading })
      lost = tell().catch(() => undefined)
      await held.reached
      if (reading) return
      // The server dies between the gateway's response and the commit.
      held.letGo()
      await pause(milliseconds)
    },
    async survive() {
      held.letGo()
      await lost
      expect((await tell()).status).toBe(200)
      expect((await tell()).status).toBe(200)
      await expectPaidOnce(id, 'basic')
    },
  }
}

const creating = [whileCreating('dana', true), whileCreating('bca', false)]
const paying = [whilePaying('dana'), whilePaying('bca', 3)]
if (soak) {
  creating.push(whileCreating('bca', true), whileCreating('dana', false))
  paying.push(whilePaying('bca'), whilePaying('dana', 3))
  for (const milliseconds of [0, 6, 12, 25, 50]) {
    for (const method of ['bca', 'dana'] as const) paying.push(whilePaying(method, milliseconds))
  }
}
// Each kill covers two orders, because the second moment is a matter of milliseconds.
const deaths = paying.map((paid, index) => [creating[index], paid].filter((death) => death !== undefined))

test.each(deaths.map((orders) => [orders.map(({ when }) => when).join(' and '), orders] as const))(
  'killed %s, the same key finishes the same order, and webhooks grant once',
  async (_when, orders) => {
    for (const order of orders) await order.reach()
    await killAndRestart()
    for (const order of orders) await order.survive()
  },
)

test('no kill left a gap in the invoice numbers', async () => {
  const { items } = (await (await call('/api/orders?limit=50')).json()) as { items: OrderView[] }
  const numbers = items.flatMap(({ invoiceNumber }) => invoiceNumber?.slice(-6) ?? []).sort()
  expect(numbers).toHaveLength(creating.length + paying.length)
  expect(numbers).toEqual(numbers.map((_, index) => String(index + 1).padStart(6, '0')))
})
