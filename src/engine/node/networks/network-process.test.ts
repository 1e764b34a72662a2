import { afterAll, expect, test } from 'vitest'
import { createNetworkProcess, NetworkStalled } from './network-process.ts'
import { failureCode } from './salience.ts'

const network = createNetworkProcess<number | 'crash', number>(
  new URL('./fixtures/doubling-worker.ts', import.meta.url),
)
afterAll(() => network.close())

test('jobs finish in order and report progress', async () => {
  const shares: number[] = []
  const answers = await Promise.all([1, 2, 3].map((job) => network.run(job, undefined, (share) => shares.push(share))))
  expect(answers).toEqual([2, 4, 6])
  expect(shares).toEqual([0.5, 0.5, 0.5])
})

test('a failed job rejects with its reason, and the next one succeeds', async () => {
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

test('after a crash a new process runs the waiting jobs', async () => {
  const crashed = network.run('crash')
  const next = network.run(5)
  await expect(crashed).rejects.toThrow('ended with code 3')
  expect(await next).toBe(10)
})

test('a cancelled job does not start', async () => {
  await expect(network.run(1, AbortSignal.abort(new Error('cancelled')))).rejects.toThrow('cancelled')
})
