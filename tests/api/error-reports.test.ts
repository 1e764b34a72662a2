import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { ErrorReports } from '#features/error-reports/schemas.ts'
import { recordErrorReport, reportLimits, sweepErrors } from '#features/error-reports/server/error-reports.ts'
import { errorReportNetworks, errorReports } from '#features/error-reports/server/table.ts'
import { rateLimits } from '#server/http/rate-limit-table.ts'
import { refusal } from '../support/submit.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.stop())

afterEach(async () => {
  await app.deps.db.delete(errorReports)
  await app.deps.db.delete(rateLimits)
})

const report = (json: object, from = '203.0.113.7') => app.request('/api/error_reports', { json, from })
const listed = async () => {
  const admin = await app.createUser({ role: 'admin' })
  return ((await (await admin.request('/api/admin/error_reports')).json()) as ErrorReports).items
}

test('errors of devices are counted by kind and position, without possible content', async () => {
  const fault = {
    part: 'page',
    message:
      'TypeError: "Foto liburan" of sari@contoh.id at https://rupa.test/reset-password/abc is undefined 12345678',
    place: 'at secret (https://rupa.test/assets/main-Ab1.js:3:14) at https://rupa.test/history?q=sari',
  }
  for (let n = 0; n < 3; n += 1) expect((await report(fault)).status).toBe(204)
  await report({ ...fault, part: 'worker' })
  const items = await listed()
  expect(items.map(({ part, count }) => [part, count]).sort()).toEqual([
    ['page', 3],
    ['worker', 1],
  ])
  expect(items[0]).toMatchObject({ place: 'main-Ab1.js:3:14', version: expect.stringMatching(/^\d+\.\d+\.\d+$/) })
  for (const word of ['liburan', 'sari', 'reset-password', '12345678'])
    expect(JSON.stringify(items)).not.toContain(word)
})

test('reports from one address are limited, and the rest is dropped silently', async () => {
  for (let n = 0; n < 30; n += 1) {
    const { status } = await report({ part: 'page', message: `Error: number ${n}`, place: '' }, '203.0.113.8')
    expect(status).toBe(204)
  }
  expect(await listed()).toMatchObject([{ message: 'Error: number 0', count: 20, networks: 1 }])
})

test('an error counts the networks that report it within a week, of IPv4 by /24 and of IPv6 by /48', async () => {
  const fault = { part: 'page', message: 'Error: nothing to draw', place: '' }
  for (const from of ['203.0.113.1', '203.0.113.200', '198.51.100.1', '2001:db8:7:1::1', '2001:db8:7:2::1'])
    await report(fault, from)
  expect(await listed()).toMatchObject([{ count: 5, networks: 3 }])
  // No stored value names a network.
  expect(JSON.stringify(await app.deps.db.select().from(errorReportNetworks))).not.toMatch(/203|198\.51|2001/)
  app.clock.advance({ days: 8 })
  await report(fault, '192.0.2.1')
  await sweepErrors(app.deps)
  expect(await listed()).toMatchObject([{ count: 6, networks: 1 }])
  app.clock.advance({ days: 31 })
  await sweepErrors(app.deps)
  expect(await app.deps.db.select().from(errorReports)).toEqual([])
})

describe('a flood of invented errors', () => {
  /** A word without digits for each number. */
  const word = (n: number) =>
    n.toString(26).replace(/./g, (digit) => String.fromCharCode(97 + Number.parseInt(digit, 26)))
  const invented = (n: number) => ({ part: 'page' as const, message: `Error: invented ${word(n)}`, place: '' })
  const real = { part: 'page' as const, message: 'TypeError: the canvas is lost', place: 'main-Ab1.js:3:14' }
  /** Reports that the rate limit lets through. */
  const note = (fault: typeof real, from: string) => recordErrorReport(app.deps, fault, from)
  const attacker = (network: number) => `10.${network >> 8}.${network % 256}.1`
  const messages = async () => (await app.deps.db.select().from(errorReports)).map(({ message }) => message)

  test('from one network takes no more than its share', async () => {
    await note(real, '203.0.113.1')
    for (let n = 0; n < 60; n += 1) await note(invented(n), `198.51.100.${n}`)
    expect(await messages()).toHaveLength(reportLimits.perNetwork + 1)
    expect(await messages()).toContain(real.message)
    // An attacker's newest remain.
    expect(await messages()).toContain(invented(59).message)
  })

  test('from many networks displaces neither a rare error of a single network, nor one of several', async () => {
    const shared = { ...real, message: 'TypeError: the queue is gone' }
    for (const from of ['203.0.113.1', '198.51.100.1', '192.0.2.1']) await note(shared, from)
    await note(real, '203.0.113.1')
    let n = 0
    for (let network = 0; network < 11; network += 1)
      for (let of = 0; of < reportLimits.perNetwork; of += 1) await note(invented(n++), attacker(network))
    const left = await messages()
    expect(left).toHaveLength(reportLimits.solo + 1)
    expect(left).toContain(real.message)
    expect(left).toContain(shared.message)
    expect((await listed())[0]).toMatchObject({ message: shared.message, networks: 3 })
    // A new error is counted, too.
    const later = { ...real, message: 'RangeError: too deep' }
    await note(later, '203.0.113.1')
    await note(later, '198.51.100.1')
    expect((await listed())[1]).toMatchObject({ message: later.message, networks: 2 })
  })

  test('that networks report together displaces no error reported by more networks', async () => {
    for (const from of ['203.0.113.1', '198.51.100.1', '192.0.2.1', '192.0.3.1']) await note(real, from)
    // More than the shared list holds, each of three networks.
    const rows = Array.from({ length: reportLimits.shared + 5 }, (_, n) => ({
      fingerprint: `invented-${n}`,
      ...invented(n),
      version: '1',
      count: 900,
      firstAt: app.clock.now(),
      lastAt: app.clock.now(),
    }))
    await app.deps.db.insert(errorReports).values(rows)
    const networks = rows.flatMap(({ fingerprint, lastAt }, n) =>
      [0, 1, 2].map((of) => ({ fingerprint, network: `${of}-${Math.floor(n / 20)}`, lastAt })),
    )
    await app.deps.db.insert(errorReportNetworks).values(networks)
    const other = { ...real, message: 'Error: of two' }
    await note(other, '203.0.113.1')
    await note(other, '198.51.100.1')
    const left = await messages()
    expect(left).toHaveLength(reportLimits.shared)
    expect(left).toContain(real.message)
    expect((await listed())[0]).toMatchObject({ message: real.message, networks: 4 })
  })

  test('a network that reports more than its share of shared errors counts for the newest of them', async () => {
    for (let n = 0; n <= reportLimits.perNetwork; n += 1) {
      await note(invented(n), `203.0.113.${n}`)
      await note(invented(n), attacker(n))
    }
    const [first, second] = [invented(0).message, invented(1).message]
    const found = new Map((await listed()).map(({ message, networks }) => [message, networks]))
    expect([found.size, found.get(first), found.get(second)]).toEqual([reportLimits.perNetwork + 1, 1, 2])
  })

  test('reports of the same error that come at once are all counted', async () => {
    await Promise.all(Array.from({ length: 12 }, (_, n) => note(real, `203.0.${n}.1`)))
    expect(await listed()).toMatchObject([{ count: 12, networks: 12 }])
  })
})

test('a malformed report is refused, and only admins read them', async () => {
  expect(await refusal(await report({ part: 'page', message: 'x'.repeat(301), place: '' }))).toEqual([
    422,
    'form.invalid',
  ])
  const user = await app.createUser()
  expect(await refusal(await user.request('/api/admin/error_reports'))).toEqual([403, 'auth.forbidden'])
})
