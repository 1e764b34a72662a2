import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { grantedShare, readSchedule, type ScheduledTime, startWorkTimer } from './processor-time.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

/** The process runs for this share of the time and waits for a processor otherwise. */
const scheduled = (share: number) => async (): Promise<ScheduledTime> => {
  const now = performance.now() * 1e6
  return { ran: share * now, waited: (1 - share) * now }
}

test('the share is what the threads got of what they asked for', () => {
  expect(grantedShare({ ran: 100, waited: 50 }, { ran: 200, waited: 350 })).toBe(0.25)
  expect(grantedShare({ ran: 100, waited: 50 }, { ran: 100, waited: 50 })).toBe(1)
  expect(grantedShare({ ran: 100, waited: 50 }, { ran: 100, waited: 5000 })).toBe(0.1)
})

test.each([
  { name: 'an idle machine', read: scheduled(1), seconds: 30 },
  { name: 'a machine that grants a quarter', read: scheduled(0.25), seconds: 117 },
  { name: 'a process that is stalled', read: async () => ({ ran: 5, waited: 5 }), seconds: 30 },
])('$name reaches 30 seconds of work after $seconds seconds', async ({ read, seconds }) => {
  const onLimit = vi.fn()
  startWorkTimer(30_000, onLimit, { read })
  await vi.advanceTimersByTimeAsync(1000 * seconds - 2000)
  expect(onLimit).not.toHaveBeenCalled()
  await vi.advanceTimersByTimeAsync(3000)
  expect(onLimit).toHaveBeenCalledOnce()
})

test('a restarted timer has the whole limit, and a stopped one never reaches it', async () => {
  const onLimit = vi.fn()
  const timer = startWorkTimer(10_000, onLimit, { read: scheduled(1) })
  await vi.advanceTimersByTimeAsync(9000)
  timer.restart()
  await vi.advanceTimersByTimeAsync(9000)
  timer.stop()
  await vi.advanceTimersByTimeAsync(60_000)
  expect(onLimit).not.toHaveBeenCalled()
})

test.runIf(process.platform === 'linux')('the time of a running process is counted', async () => {
  const { ran } = (await readSchedule(process.pid)) as ScheduledTime
  expect(ran).toBeGreaterThan(0)
  expect(await readSchedule(undefined)).toBeUndefined()
})
