import { afterAll, expect, test } from 'vitest'
import { createNetworkProcess } from './network-process.ts'

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

test('after a crash a new process does what waits', async () => {
  const crashed = network.run('crash')
  const next = network.run(5)
  await expect(crashed).rejects.toThrow('ended with code 3')
  expect(await next).toBe(10)
})

test('a job that is no longer wanted does not begin', async () => {
  await expect(network.run(1, AbortSignal.abort(new Error('cancelled')))).rejects.toThrow('cancelled')
})
