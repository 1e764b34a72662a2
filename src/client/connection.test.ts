import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { checkConnection, onlineAtom, watchConnection } from './connection.ts'
import { store } from './session.ts'

const page = new EventTarget()
const screen = Object.assign(new EventTarget(), { visibilityState: 'visible' })
let reached = true
const asked = vi.fn(async () => {
  if (!reached) throw new TypeError('Failed to fetch')
  return new Response()
})
vi.stubGlobal('window', page)
vi.stubGlobal('document', screen)
vi.stubGlobal('navigator', { onLine: true })
vi.stubGlobal('fetch', asked)
watchConnection(new QueryClient())

beforeEach(() => {
  vi.useFakeTimers()
  vi.spyOn(Math, 'random').mockReturnValue(0.5)
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.useRealTimers()
})

async function lose(milliseconds: number): Promise<void> {
  reached = false
  asked.mockClear()
  checkConnection()
  await vi.advanceTimersByTimeAsync(milliseconds)
}

async function regain(event: () => void): Promise<void> {
  reached = true
  asked.mockClear()
  event()
  await vi.advanceTimersByTimeAsync(0)
}

test('an unreachable server is polled after 2, 4, 8, 16 and then every 30 seconds', async () => {
  await lose(2000 + 4000 + 8000 + 16_000)
  expect(asked).toHaveBeenCalledTimes(5)
  await vi.advanceTimersByTimeAsync(300_000)
  expect(asked).toHaveBeenCalledTimes(15)
  await vi.advanceTimersByTimeAsync(29_000)
  reached = true
  expect(store.get(onlineAtom)).toBe(false)
  await vi.advanceTimersByTimeAsync(1000)
  expect(store.get(onlineAtom)).toBe(true)
})

test('clients poll at different moments', async () => {
  const moments = new Set<number>()
  for (const random of [0, 0.25, 0.75, 1]) {
    vi.spyOn(Math, 'random').mockReturnValue(random)
    await lose(0)
    const start = Date.now()
    while (asked.mock.calls.length < 2) await vi.advanceTimersByTimeAsync(50)
    moments.add(Date.now() - start)
    await regain(() => page.dispatchEvent(new Event('online')))
  }
  expect([...moments]).toEqual([1500, 1750, 2250, 2500])
})

test.each([
  ['says that it is online', () => page.dispatchEvent(new Event('online'))],
  ['shows the page again', () => screen.dispatchEvent(new Event('visibilitychange'))],
  ['brings its window to the front', () => page.dispatchEvent(new Event('focus'))],
])('a browser that %s polls at once', async (_, event) => {
  await lose(100_000)
  await regain(event)
  expect(asked).toHaveBeenCalledTimes(1)
  expect(store.get(onlineAtom)).toBe(true)
})

test('a server that returns a moment after the browser’s online event is found within seconds', async () => {
  await lose(100_000)
  page.dispatchEvent(new Event('online'))
  await vi.advanceTimersByTimeAsync(1000)
  reached = true
  await vi.advanceTimersByTimeAsync(1000)
  expect(store.get(onlineAtom)).toBe(true)
})
