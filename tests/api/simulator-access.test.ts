import { randomUUID } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts'

let app: TestApp
afterEach(() => app.stop())

const order = { packageId: 'starter', method: 'bca', acceptPrivacy: true, acceptTerms: true }
const key = () => ({ 'idempotency-key': randomUUID() })

async function open(env: Record<string, string> = {}): Promise<TestUser> {
  app = await createTestApp({ env })
  return await app.createUser()
}

interface View {
  id: string
  payment: { url: string }
}

const from: [string, { headers?: Record<string, string>; from?: string }][] = [
  ['a proxy that says for whom', { headers: { 'x-forwarded-for': '203.0.113.7' } }],
  ['a proxy that says only how', { headers: { 'x-forwarded-proto': 'https' } }],
  ['a proxy by RFC 7239', { headers: { forwarded: 'for=203.0.113.7' } }],
  ['a proxy by RFC 9110', { headers: { via: '1.1 proxy' } }],
  ['another host', { headers: { host: 'rupa.example' } }],
  ['another machine', { from: '192.168.1.7' }],
  ['a page at a public address', { headers: { origin: 'https://rupa.example', 'sec-fetch-site': 'same-origin' } }],
]

test.each(from)('with PUBLIC_URL missing the simulator refuses %s, and the log warns once', async (_, given) => {
  const user = await open()
  const placed = (await (await user.request('/api/orders', { json: order, headers: key() })).json()) as View
  const pay = `${new URL(placed.payment.url).pathname}/pay`
  const elsewhere = (headers: Record<string, string> = {}) => ({
    ...(given.from !== undefined && { from: given.from }),
    headers: { ...given.headers, ...headers },
  })

  const paid = await app.request(pay, { method: 'POST', ...elsewhere() })
  expect([paid.status, await paid.json()]).toMatchObject([404, { code: 'request.not_found' }])
  expect((await app.request(pay.replace(/\/pay$/, ''), elsewhere())).status).toBe(404)
  const again = await user.request('/api/orders', { json: order, ...elsewhere(key()) })
  expect([again.status, await again.json()]).toMatchObject([422, { code: 'payment.method_unavailable' }])
  expect(await (await app.request('/api/payment_methods', elsewhere())).json()).toEqual({ items: [] })
  expect(await (await user.request('/api/user/myCredit')).json()).toMatchObject({ credits: 25 })
  const warnings = app.logged.filter(({ level, msg }) => level === 'warn' && /PUBLIC_URL/.test(String(msg)))
  expect(warnings).toHaveLength(1)
})

test('the simulator serves this machine, and with ALLOW_SIMULATOR every client', async () => {
  const pay = async (user: TestUser, headers: Record<string, string>) => {
    const placed = (await (
      await user.request('/api/orders', { json: order, headers: { ...headers, ...key() } })
    ).json()) as View
    const { pathname } = new URL(placed.payment.url)
    expect((await app.request(`${pathname}/pay`, { method: 'POST', headers })).status).toBe(200)
    expect(await (await user.request(`/api/orders/${placed.id}`)).json()).toMatchObject({ status: 2 })
  }
  await pay(await open(), { host: 'localhost:3000', origin: 'http://localhost:3000' })
  await app.stop()
  const forAll = { PUBLIC_URL: 'https://rupa.example', PAYMENTS: 'simulator', ALLOW_SIMULATOR: '1' }
  await pay(await open(forAll), { host: 'rupa.example', 'x-forwarded-for': '203.0.113.7' })
})
