import { QueryClient } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { onlineAtom, watchConnection } from './connection.ts'
import { retryUntilLoaded } from './load-code.ts'
import { store } from './session.ts'

const page = new EventTarget()
vi.stubGlobal('window', page)
vi.stubGlobal('document', Object.assign(new EventTarget(), { visibilityState: 'visible' }))
vi.stubGlobal('navigator', { onLine: true })
vi.stubGlobal('fetch', async () => new Response())
watchConnection(new QueryClient())

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

function loader(failures: number) {
  const load = vi.fn(async () => {
    if (load.mock.calls.length <= failures) throw new TypeError('Failed to fetch dynamically imported module')
    return 'module'
  })
  return load
}

test('a failed load is retried after growing pauses, and the wait is announced once', async () => {
  const load = loader(3)
  const onWait = vi.fn()
  const loaded = retryUntilLoaded(load, onWait)
  await vi.advanceTimersByTimeAsync(2999)
  expect(load).toHaveBeenCalledTimes(2)
  await vi.advanceTimersByTimeAsync(4001)
  expect(await loaded).toBe('module')
  expect(onWait).toHaveBeenCalledTimes(1)
})

test('the return of the connection ends a pause', async () => {
  page.dispatchEvent(new Event('offline'))
  expect(store.get(onlineAtom)).toBe(false)
  const load = loader(1)
  const loaded = retryUntilLoaded(load)
  await vi.advanceTimersByTimeAsync(100)
  page.dispatchEvent(new Event('online'))
  await vi.advanceTimersByTimeAsync(100)
  expect(await loaded).toBe('module')
})

test('a part loads within seconds after the connection returns', async () => {
  let reached = false
  const load = vi.fn(async () => {
    if (!reached) throw new TypeError('Failed to fetch dynamically imported module')
    return 'module'
  })
  const loaded = retryUntilLoaded(load)
  await vi.advanceTimersByTimeAsync(600_000)
  reached = true
  await vi.advanceTimersByTimeAsync(5000)
  expect(await loaded).toBe('module')
})
