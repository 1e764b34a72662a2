import { expect, test, vi } from 'vitest'
import { createFairQueue } from './fair-queue.ts'

function controlled(queue: ReturnType<typeof createFairQueue>) {
  const begun: string[] = []
  const ends: (() => void)[] = []
  const run = (owner: string) =>
    queue.run(owner, () => {
      begun.push(owner)
      return new Promise<void>((end) => ends.push(end))
    })
  const endAll = async () => {
    while (ends.length > 0) {
      ends.shift()?.()
      await new Promise(setImmediate)
    }
  }
  return { run, begun, endAll }
}

const settled = (tasks: Promise<void>[]) =>
  Promise.all(
    tasks.map((task) =>
      task.then(
        () => 'done',
        (error: { code: string }) => error.code,
      ),
    ),
  )

test('owners take turns, however many tasks one of them has', async () => {
  const { run, begun, endAll } = controlled(createFairQueue({ concurrency: 1 }))
  const tasks = [...'aaaa', ...'bb', 'c'].map(run)
  await endAll()
  await settled(tasks)
  expect(begun.join('')).toBe('abcabaa')
})

test('an owner over the limit of waiting tasks is refused, and other owners are not', async () => {
  const { run, begun, endAll } = controlled(createFairQueue({ concurrency: 2, waiting: 20, waitingEach: 3 }))
  const many = settled(Array.from({ length: 30 }, () => run('many')))
  const other = run('other')
  await endAll()
  await other
  expect((await many).filter((result) => result === 'server.unavailable')).toHaveLength(25)
  expect(begun.slice(0, 3)).toEqual(['many', 'many', 'other'])
})

test('when all slots are taken, the group with the most waiting tasks loses a task', async () => {
  const queue = createFairQueue({ concurrency: 1, waiting: 6, waitingEach: 2, groupOf: (owner) => owner[0] as string })
  const { run, begun, endAll } = controlled(queue)
  const first = run('x0')
  const crowd = settled(['m1', 'm2', 'm3', 'm4', 'm5', 'n1'].map(run))
  const late = run('p1')
  const later = settled([run('m6')])
  await endAll()
  await Promise.all([first, late])
  expect(begun.indexOf('p1')).toBeLessThan(4)
  expect(await crowd).toEqual(['done', 'done', 'done', 'done', 'server.unavailable', 'done'])
  expect(await later).toEqual(['server.unavailable'])
})

test('a task that fails passes its turn to the next', async () => {
  const queue = createFairQueue({ concurrency: 1 })
  const failed = queue.run('a', () => Promise.reject(new Error('broken')))
  const next = queue.run('b', async () => 'done')
  await expect(failed).rejects.toThrow('broken')
  expect(await next).toBe('done')
  expect(await queue.run('c', async () => 'again')).toBe('again')
})

test('a task that has waited for too long is refused, and never begun', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const { run, begun, endAll } = controlled(createFairQueue({ concurrency: 1, seconds: 30 }))
    const first = run('first')
    const early = settled([run('early')])
    vi.advanceTimersByTime(20_000)
    const late = settled([run('late')])
    vi.advanceTimersByTime(10_000)
    expect(await early).toEqual(['server.unavailable'])
    await endAll()
    await first
    expect(await late).toEqual(['done'])
    expect(begun).toEqual(['first', 'late'])
  } finally {
    vi.useRealTimers()
  }
})
