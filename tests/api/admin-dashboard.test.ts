import { afterAll, beforeAll, expect, test } from 'vitest'
import { periods } from '#features/admin/rules.ts'
import type { Dashboard } from '#features/admin/schemas.ts'
import { readDashboard } from '#features/admin/server/dashboard.ts'
import { bucketsOf, spanOf } from '#features/admin/server/figures-by-day.ts'
import { firstOpenDay, rollUp } from '#features/admin/server/roll-up.ts'
import { generations } from '#features/generations/server/table.ts'
import { adminSources } from '#server-app/registrations.ts'
import { wibDay } from '#shared/time.ts'
import { order, voucher } from '#tests/support/checkout.ts'
import { createTestApp, type TestApp, type TestUser } from '#tests/support/test-app.ts'

let app: TestApp
let user: TestUser
let admin: TestUser
beforeAll(async () => {
  app = await createTestApp({ role: 'web' })
  user = await app.createUser()
  admin = await app.createUser({ role: 'admin' })
})
afterAll(() => app.stop())

test('a period is whole days of western Indonesian time that end today, a year whole months', () => {
  const justAfterMidnight = new Date('2026-03-31T17:30:00Z')
  const week = spanOf('7d', justAfterMidnight)
  expect(bucketsOf(week)).toEqual([
    ...['2026-03-26', '2026-03-27', '2026-03-28', '2026-03-29', '2026-03-30', '2026-03-31', '2026-04-01'],
  ])
  expect(week.from.getTime() - week.before.getTime()).toBe(week.to.getTime() - week.from.getTime())
  const year = bucketsOf(spanOf('12m', justAfterMidnight))
  expect([year.length, year[0], year.at(-1)]).toEqual([12, '2025-05-01', '2026-04-01'])
})

test('the figures count payments, generations, granted and spent credits, and the curve adds up to them', async () => {
  const code = await voucher(app, { kind: 'free_credits', value: 60 })
  expect((await order(user, { voucherCode: code })).body.status).toBe(2)
  const now = app.clock.now()
  const run = (id: number, status: 'succeeded' | 'failed', seconds: number) => ({
    id: `00000000-0000-4000-8000-00000000000${id}`,
    userId: user.id,
    tool: 'test-tool',
    params: {},
    status,
    credits: 5,
    idempotencyKey: String(id),
    contentHash: '',
    createdAt: now,
    startedAt: now,
    expiresAt: now,
    finishedAt: new Date(now.getTime() + seconds * 1000),
  })
  const generated = [run(1, 'succeeded', 2), run(2, 'succeeded', 4), run(3, 'succeeded', 9), run(4, 'failed', 50)]
  await app.deps.db.insert(generations).values(generated)
  const found = await readDashboard(app.deps, adminSources, '30d')
  expect(found.now).toMatchObject({
    orders: 1,
    newUsers: 2,
    activeUsers: 1,
    generations: 4,
    failed: 1,
    creditsSold: 60,
  })
  // Within two percent: durations are kept in buckets.
  expect(found.now.medianSeconds).toBeCloseTo(4, 0)
  expect(found.before).toMatchObject({ orders: 0, generations: 0, medianSeconds: null })
  expect(found.series).toHaveLength(30)
  expect(found.series.at(-1)).toMatchObject({ generations: 4, failed: 1, creditsSold: 60, activeUsers: 1 })
  expect(found.tools).toMatchObject([{ tool: 'test-tool', generations: 4, failed: 1 }])
  expect(found.open).toMatchObject({ queued: 0, running: 0, refundRequests: 0, customEdits: 0 })
})

test('days with final counts read the same as before, and later events are added', async () => {
  app.clock.advance({ days: 40 })
  const read = async () => await Promise.all(periods.map((period) => readDashboard(app.deps, adminSources, period)))
  const before = await read()
  await rollUp(app.deps, adminSources)
  expect(await firstOpenDay(app.deps.db)).toBe(wibDay(new Date(app.clock.now().getTime() - 86_400_000)))
  expect(await read()).toEqual(before)
  await rollUp(app.deps, adminSources)
  expect(await read()).toEqual(before)
  const now = app.clock.now()
  const later = { tool: 'test-tool', params: {}, status: 'succeeded', credits: 5, contentHash: '' } as const
  const moments = { createdAt: now, startedAt: now, finishedAt: now, expiresAt: now }
  const id = '00000000-0000-4000-8000-000000000009'
  await app.deps.db.insert(generations).values({ ...later, ...moments, id, userId: admin.id, idempotencyKey: '9' })
  const [, month, , year] = await read()
  expect(month?.now).toMatchObject({ generations: 1, activeUsers: 1 })
  expect(month?.before).toMatchObject({ generations: 4, failed: 1 })
  expect(year?.now).toMatchObject({ generations: 5, activeUsers: 2, failed: 1, creditsSold: 60 })
  app.clock.advance({ days: -40 })
})

test('an impossible period is refused, and so is a user who is not an admin', async () => {
  const read = (query: string, by: TestUser) => by.request(`/api/admin/dashboard${query}`)
  expect(((await (await read('?period=7d', admin)).json()) as Dashboard).series).toHaveLength(7)
  expect((await read('?period=2d', admin)).status).toBe(422)
  expect((await read('', user)).status).toBe(403)
  expect((await read('', await app.createUser({ role: 'designer' }))).status).toBe(403)
  expect((await app.request('/api/admin/dashboard')).status).toBe(401)
})

test('revenue is sent only to staff with the permission for payments', async () => {
  const read = async (by: TestUser, path: string) =>
    (await (await by.request(`/api/admin/${path}`)).json()) as Record<string, unknown>
  const [finance, support] = [
    await app.createUser({ role: 'admin', duty: 'finance' }),
    await app.createUser({ role: 'admin', duty: 'support' }),
  ]
  for (const [who, sees] of [
    [admin, true],
    [finance, true],
    [support, false],
  ] as const) {
    expect(JSON.stringify(await read(who, 'dashboard')).includes('revenueIdr')).toBe(sees)
    expect(JSON.stringify(await read(who, 'orders/totals')).includes('Idr')).toBe(sees)
  }
  expect(await read(support, 'dashboard')).toMatchObject({ now: { orders: expect.any(Number) } })
  expect(await read(support, 'orders/totals')).toEqual({ orders: expect.any(Number) })
})
