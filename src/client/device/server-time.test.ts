import 'fake-indexeddb/auto'
import { get } from 'idb-keyval'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { sharedStore } from './device-store.ts'
import { clockDifference, clockKey, noteServerTime, restoreClock, serverNow } from './server-time.ts'

const day = 86_400_000
const server = Date.parse('2026-11-29T08:00:00Z')
const storage = new Map<string, string>()
vi.stubGlobal('localStorage', { setItem: (key: string, value: string) => storage.set(key, value) })

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
  restoreClock(null)
})
afterEach(() => vi.useRealTimers())

/** A response that left the server at `at` by its clock, after a request of `took` milliseconds. */
function respond(at: number, took = 200, headers: Record<string, string> = { 'cache-control': 'no-store' }): void {
  noteServerTime(new Response(null, { headers: { ...headers, date: new Date(at).toUTCString() } }), Date.now() - took)
}

test.each([2, 40, -2])('a device whose clock is %d days ahead follows the server’s', async (days) => {
  vi.setSystemTime(server + days * day)
  respond(server)
  expect(Math.abs(serverNow() - server)).toBeLessThan(1500)
  expect(Number(storage.get(clockKey))).toBe(clockDifference())
  vi.useRealTimers()
  await vi.waitFor(async () => expect(await get(clockKey, sharedStore)).toBe(clockDifference()))
})

test('a right clock stays as it is, and countdowns do not jump with each response', () => {
  vi.setSystemTime(server + 900)
  respond(server)
  expect(clockDifference()).toBe(0)
  for (const later of [0, 1300, 2600, 3900]) {
    vi.setSystemTime(server - 10_000 + later)
    respond(server + later)
    expect(clockDifference()).toBe(10_000)
  }
})

test('a slow response proves little, and a clock that was set right counts at once', () => {
  vi.setSystemTime(server)
  respond(server - 5000, 8000)
  expect(clockDifference()).toBe(0)
  restoreClock(String(2 * day))
  respond(server)
  expect(Math.abs(clockDifference())).toBeLessThan(1500)
})

test('a cached response and one without a date tell nothing', () => {
  vi.setSystemTime(server)
  respond(server - day, 100, { 'cache-control': 'private, max-age=31536000' })
  noteServerTime(new Response(null, { headers: { 'cache-control': 'no-store' } }), Date.now())
  expect(clockDifference()).toBe(0)
})
