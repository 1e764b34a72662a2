import { afterAll, expect, test } from 'vitest'
import { createNetworkProcess, NetworkStalled } from './network-process.ts'
import { failureCode } from './salience.ts'

const network = createNetworkProcess<number | 'crash', number>(
  new URL('./fixtures/doubling-worker.ts', import.meta.url),
)
afterAll(() => network.close())

test('jobs are answered in order, and told how far they are', async () => {
  const shares: number[] = []
  const answers = await Promise.all([1, 2, 3].map((job) => network.run(job, undefined, (share) => shares.push(share))))
  expect(answers).toEqual([2, 4, 6])
  expect(shares).toEqual([0.5, 0.5, 0.5])
})

test('a job that fails says why, and the next is done', async () => {
  await expect(network.run(-1)).rejects.toThrow('it is negative')
  expect(await network.run(4)).toBe(8)
})

test('a job without progress for the time limit stalls, and the next is done', async () => {
  // No process starts in so little time.
  const slow = createNetworkProcess<number, number>(new URL('./fixtures/doubling-worker.ts', import.meta.url), {
    timeLimit: 1,
  })
  const stalled = await slow.run(1).catch((error: unknown) => error)
  expect(stalled).toBeInstanceOf(NetworkStalled)
  expect([failureCode(stalled), failureCode(new Error('it crashed'))]).toEqual(['engine.timeout', 'engine.crashed'])
  await slow.close()
})

test('after a crash a new process does what waits', async () => {
  const crashed = network.run('crash')
  const next = network.run(5)
  await expect(crashed).rejects.toThrow('ended with code 3')
  expect(await next).toBe(10)
})

test('a job that is no longer wanted does not begin', async () => {
  await expect(network.run(1, AbortSignal.abort(new Error('cancelled')))).rejects.toThrow('cancelled')
})
