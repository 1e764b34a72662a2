import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PriceHistory, VoucherView } from '#features/billing/admin/schemas.ts'
import { orderStatus } from '#features/billing/rules.ts'
import type { ToolPriceView } from '#features/credits/schemas.ts'
import type { AdminRefundRequest, Failures } from '#features/generations/schemas.ts'
import { generationFiles, refundRequests } from '#features/generations/server/table.ts'
import { auditLog } from '#server/audit/table.ts'
import { auditedBooks, order, orderOf, voucher } from '#tests/support/checkout.ts'
import { createFakeEngine, fail, succeed } from '#tests/support/fake-engine.ts'
import { creditsOf, reached, refusal, submit, submitted } from '#tests/support/submit.ts'
import { createTestApp, type TestApp, type TestUser } from '#tests/support/test-app.ts'

const engine = createFakeEngine()
let app: TestApp
let user: TestUser
let admin: TestUser
let designer: TestUser

beforeAll(async () => {
  app = await createTestApp({ engine })
  user = await app.createUser()
  admin = await app.createUser({ role: 'admin' })
  designer = await app.createUser({ role: 'designer' })
  engine.behave(succeed)
})
afterAll(async () => {
  expect(await auditedBooks(app)).toEqual([])
  await app.stop()
})

const audited = async (action: string) => {
  const entries = await app.deps.db.select().from(auditLog).where(eq(auditLog.action, action))
  return entries.map(({ actorId, subjectId }) => [actorId, subjectId])
}
const call = (by: TestUser | null, method: string, path: string, json?: object) => {
  const headers = { 'idempotency-key': 'replayed' }
  return app.request(path, { method, json, headers, ...(by && { token: by.token }) })
}

test('a failed generation is listed with its reason and restarts for free, once', async () => {
  const before = await creditsOf(user)
  engine.behave(fail('engine.failed'), succeed)
  const { id } = await submitted(user)
  expect(await reached(user, id)).toMatchObject({ status: 'failed' })
  const path = '/api/admin/tools/background-removal/failures'
  const { items } = (await (await call(admin, 'GET', path)).json()) as Failures
  const why = { code: 'engine.failed', msg: expect.stringMatching(/\w+ \w+/) }
  expect(items[0]).toMatchObject({ id, userId: user.id, ...why, again: true })
  const again = (by: TestUser) => call(by, 'POST', `/api/admin/generations/${id}/run_again`)
  expect((await again(user)).status).toBe(403)
  const both = await Promise.all([again(admin), again(admin)])
  expect(both.map(({ status }) => status).sort()).toEqual([204, 409])
  expect(await reached(user, id)).toMatchObject({ status: 'succeeded', refundRequest: { status: 'refunded' } })
  expect(await creditsOf(user)).toBe(before)
  expect(await refusal(await again(admin))).toEqual([409, 'generation.ran_again'])
  expect(await audited('generation.run_again')).toEqual([[admin.id, id]])
  // The user had requested nothing.
  const read = async (to: string) => (await call(admin, 'GET', `/api/admin/${to}`)).json()
  const told = (kind: string) => read(`users/${user.id}/timeline?kind=${kind}`)
  expect(await told('staff')).toMatchObject({ items: [{ what: 'generation.run_again', subject: id }] })
  expect(await told('claim')).toEqual({ items: [], nextCursor: null })
  expect(await read('claims?status=refunded')).toMatchObject({ items: [] })
  expect(await read(`users/${user.id}/summary`)).toMatchObject({ refundRequests: 0 })
})

test('a failed generation whose photos are deleted cannot be restarted, and is listed as such', async () => {
  engine.behave(fail('engine.failed'), succeed)
  const { id } = await submitted(user)
  await reached(user, id)
  await app.deps.db.delete(generationFiles).where(eq(generationFiles.generationId, id))
  const failures = await call(admin, 'GET', '/api/admin/tools/background-removal/failures')
  const { items } = (await failures.json()) as Failures
  expect(items[0]).toMatchObject({ id, again: false })
  const answer = await call(admin, 'POST', `/api/admin/generations/${id}/run_again`)
  expect(await refusal(answer)).toEqual([409, 'generation.inputs_gone'])
})

test('only admins open the picture of a refund request, and every time is recorded', async () => {
  const { id } = await submitted(user)
  await reached(user, id)
  const request = { generationId: id, userId: user.id, reason: 'Tepinya kasar', status: 'waiting' as const }
  await app.deps.db.insert(refundRequests).values({ ...request, createdAt: app.clock.now() })
  const { items } = (await (await call(admin, 'GET', '/api/admin/claims')).json()) as { items: AdminRefundRequest[] }
  const found = items.find((claim) => claim.id === id)
  expect(found).toMatchObject({ user: { name: user.name }, credits: 5, reason: 'Tepinya kasar' })
  expect(found?.files.map(({ role }) => role).sort()).toEqual(['input', 'output'])
  const path = `/api/admin/claims/${id}/files/${found?.files[0]?.id}`
  for (const by of [user, designer]) expect((await call(by, 'GET', path)).status).toBe(403)
  const response = await call(admin, 'GET', path)
  expect([response.status, response.headers.get('cache-control')]).toEqual([200, 'private, no-store'])
  expect((await response.arrayBuffer()).byteLength).toBeGreaterThan(0)
  expect(await audited('claim.picture_opened')).toEqual([[admin.id, id]])
  expect(
    (await call(admin, 'POST', `/api/admin/claims/${id}`, { accept: false, reason: 'Sudah dilihat' })).status,
  ).toBe(204)
  expect(await refusal(await call(admin, 'GET', path))).toEqual([404, 'file.not_found'])
  expect(await audited('claim.declined')).toEqual([[admin.id, id]])
})

test('prices and packages keep their history, and refuse impossible prices', async () => {
  const read = async () => (await (await call(admin, 'GET', '/api/admin/packages')).json()) as PriceHistory
  const before = await read()
  const starter = before.items.find(({ id }) => id === 'starter')?.versions
  const given = { name: 'STARTER', cents: 1100, credits: 499, days: 30, position: 1 }
  expect((await call(admin, 'PUT', '/api/admin/packages/starter', given)).status).toBe(200)
  const after = (await read()).items.find(({ id }) => id === 'starter')?.versions
  expect(after?.length).toBe((starter?.length ?? 0) + 1)
  expect(after?.[0]).toMatchObject({ cents: 1100, by: admin.id })
  expect(after?.[1]).toEqual(starter?.[0])
  for (const cents of [0, -1, 1_000_001, 0.5]) {
    expect((await call(admin, 'PUT', '/api/admin/packages/starter', { ...given, cents })).status).toBe(422)
  }
  const price = (unit: unknown) => call(admin, 'PUT', '/api/admin/tool_prices/background-removal', { unit } as object)
  for (const unit of [-1, 100_001, 1.5, null, 'free']) expect((await price(unit)).status).toBe(422)
  expect((await price(0)).status).toBe(200)
  expect((await submit(user)).headers.get('x-credits-charged')).toBe('0')
  expect((await price(5)).status).toBe(200)
  expect((await read()).items.find(({ id }) => id === 'starter')?.versions).toEqual(after)
})

describe('errors are explained, and nothing is half done', () => {
  test('a voucher whose code exists, or that ends before it begins', async () => {
    const code = await voucher(app, { kind: 'free_credits', value: 5 })
    const make = (json: object) =>
      call(admin, 'POST', '/api/admin/vouchers', { kind: 'free_credits', value: 5, ...json })
    const taken = await make({ code: code.toLowerCase() })
    expect([taken.status, ((await taken.json()) as { details: object }).details]).toEqual([
      422,
      { code: 'voucher.codeTaken' },
    ])
    const dates = { code: 'TERBALIK', validFrom: '2027-02-01', validUntil: '2027-01-01' }
    expect((await make(dates)).status).toBe(422)
    const found = await call(admin, 'GET', '/api/admin/vouchers?code=TERBALIK')
    expect(((await found.json()) as { items: VoucherView[] }).items).toEqual([])
  })

  test('taking more credits than there are', async () => {
    const before = await creditsOf(user)
    const json = { userId: user.id, amount: -1_000_000, reason: 'Salah' }
    expect(await refusal(await call(admin, 'POST', '/api/admin/credit_adjustments', json))).toEqual([
      402,
      'credits.insufficient',
    ])
    expect(await creditsOf(user)).toBe(before)
  })

  test.each([0, 1_000_000.01, -5, 'banyak'])('a price of %j', async (dollars) => {
    const cents = typeof dollars === 'number' ? dollars * 100 : dollars
    const given = { name: 'STARTER', cents, credits: 499, days: 30, position: 1 }
    const response = await call(admin, 'PUT', '/api/admin/packages/starter', given)
    const body = (await response.json()) as { details: object }
    expect([response.status, Object.keys(body.details)]).toEqual([422, ['cents']])
  })

  test('a dashboard of an impossible period', async () => {
    const response = await call(admin, 'GET', '/api/admin/dashboard?period=13d')
    expect([response.status, ((await response.json()) as { details: object }).details]).toEqual([
      422,
      { period: 'form.invalid' },
    ])
  })

  test('two admins who change the same price, package, rate or voucher', async () => {
    const code = await voucher(app, { kind: 'free_credits', value: 5 })
    const vouchers = await call(admin, 'GET', `/api/admin/vouchers?code=${code}`)
    const [made] = ((await vouchers.json()) as { items: VoucherView[] }).items
    const prices = (await (await call(admin, 'GET', '/api/admin/packages')).json()) as PriceHistory
    const tools = (await (await call(admin, 'GET', '/api/admin/tool_prices')).json()) as { items: ToolPriceView[] }
    const pack = prices.items[0]?.versions[0]
    const tool = tools.items.find(({ tool: id }) => id === 'colorizer')
    const changes: [string, string, (n: number) => object][] = [
      ['PATCH', `/api/admin/vouchers/${made?.id}`, (n) => ({ limitTotal: n, version: made?.version })],
      ['PUT', '/api/admin/tool_prices/colorizer', (n) => ({ unit: n, version: tool?.version })],
      ['PUT', '/api/admin/idr_rate', (n) => ({ idrPerUsd: 16_000 + n, version: prices.rateVersion })],
      [
        'PUT',
        `/api/admin/packages/${prices.items[0]?.id}`,
        (n) => ({ name: pack?.name, cents: 1000 + n, credits: 499, days: 30, position: 1, version: pack?.version }),
      ],
    ]
    for (const [method, path, json] of changes) {
      const entries = await app.deps.db.$count(auditLog)
      const both = await Promise.all([call(admin, method, path, json(7)), call(admin, method, path, json(8))])
      expect(both.map(({ status }) => status).sort(), path).toEqual([200, 409])
      const late = both.find(({ status }) => status === 409) as Response
      expect(await refusal(late)).toEqual([409, 'change.outdated'])
      expect(await app.deps.db.$count(auditLog)).toBe(entries + 1)
    }
  })

  test('an order that another admin cancelled meanwhile', async () => {
    const { body } = await order(user, { packageId: 'starter', method: 'bca' })
    const decide = (verb: string, json: object) => call(admin, 'POST', `/api/admin/orders/${body.id}/${verb}`, json)
    expect((await decide('cancel', { reason: 'Salah paket', status: orderStatus.unpaid })).status).toBe(204)
    const late = await decide('confirm', { reason: 'Uangnya masuk', status: orderStatus.unpaid })
    expect(await refusal(late)).toEqual([409, 'change.outdated'])
    expect((await orderOf(user, body.id)).status).toBe(3)
    expect((await decide('confirm', { reason: 'Uangnya masuk', status: 3 })).status).toBe(204)
    expect((await orderOf(user, body.id)).status).toBe(2)
  })

  test('two admins who decide about an order at the same moment', async () => {
    const { body } = await order(user, { packageId: 'starter', method: 'bca' })
    const other = await app.createUser({ role: 'admin' })
    const decide = (by: TestUser, verb: string) =>
      call(by, 'POST', `/api/admin/orders/${body.id}/${verb}`, { reason: 'Sudah dicek' })
    const responses = await Promise.all([decide(admin, 'confirm'), decide(other, 'cancel')])
    const { status, history } = await orderOf(user, body.id)
    // Money that arrived is honoured: confirmed after the cancellation it is paid; a cancellation
    // after the confirmation is refused.
    expect(responses[0].status).toBe(204)
    expect(status).toBe(2)
    expect(history.filter(({ to }) => to === 2)).toHaveLength(1)
    const cancelled = history.filter(({ to }) => to === 3)
    if (cancelled.length === 1) expect(responses[1].status).toBe(204)
    else expect(await refusal(responses[1])).toEqual([409, 'order.final'])
  })
})
