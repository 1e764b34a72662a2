import { afterEach, describe, expect, test } from 'vitest'
import { createEnginePool, type EnginePool, type EnginePoolOptions } from './pool.ts'
import type { EngineTask } from './task.ts'

const entry = new URL('./fixtures/faulty-thread.ts', import.meta.url)
const hour = { timeLimit: 3_600_000 }
const task = (tool: string): EngineTask => ({ step: 'generate', tool, params: {}, inputs: {} })

let pool: EnginePool
function start(options: Partial<EnginePoolOptions> = {}): EnginePool {
  pool = createEnginePool({ size: 1, entry, ...options })
  return pool
}
afterEach(() => pool.close())

describe('the engine pool', () => {
  test.each(['throw', 'reject', 'leave'])('replaces a thread that dies by %s and says engine.crashed', async (tool) => {
    start()
    await expect(pool.run(task(tool), hour)).rejects.toMatchObject({ code: 'engine.crashed' })
    await expect(pool.run(task('answer'), hour)).resolves.toMatchObject({ warnings: [] })
  })

  test('survives native code that crashes over a video, and a video process that does not stop', async () => {
    start()
    const video = { ...hour, lane: 'video' as const }
    await expect(pool.run(task('segfault'), video)).rejects.toMatchObject({ code: 'engine.crashed' })
    await expect(pool.run(task('hang'), { ...video, timeLimit: 2000 })).rejects.toMatchObject({
      code: 'engine.timeout',
    })
    const { thumbnail } = await pool.run(task('answer'), video)
    expect(Number(thumbnail?.label)).not.toBe(process.pid)
  })

  test('reports to a thread that the network gave no result, and continues', async () => {
    const reasons: string[] = []
    start({ onFailure: (_, reason) => reasons.push(reason) })
    await expect(pool.run(task('misask'), hour)).rejects.toMatchObject({ code: 'engine.crashed' })
    expect(reasons).toEqual([expect.stringContaining('invalid dimensions')])
    await expect(pool.run(task('answer'), hour)).resolves.toMatchObject({ outputs: [] })
  })

  test('survives a thread that runs out of memory', async () => {
    start({ heapLimit: 64 })
    await expect(pool.run(task('exhaust'), hour)).rejects.toMatchObject({ code: 'engine.crashed' })
    await expect(pool.run(task('answer'), hour)).resolves.toMatchObject({ outputs: [] })
  })

  test('stops a run that takes longer than its time limit and goes on with the next', async () => {
    start()
    const stuck = pool.run(task('hang'), { timeLimit: 300 })
    const next = pool.run(task('answer'), hour)
    await expect(stuck).rejects.toMatchObject({ code: 'engine.timeout' })
    await expect(next).resolves.toMatchObject({ outputs: [] })
  })

  test('stops a running thread when the run is aborted and rejects with the reason given', async () => {
    start()
    const abort = new AbortController()
    const stuck = pool.run(task('hang'), { ...hour, signal: abort.signal })
    const reason = new Error('cancelled by the person')
    abort.abort(reason)
    await expect(stuck).rejects.toBe(reason)
    await expect(pool.run(task('answer'), hour)).resolves.toMatchObject({ outputs: [] })
  })

  test('takes an aborted run out of the queue without disturbing the one that runs', async () => {
    start()
    const first = pool.run(task('answer'), hour)
    const abort = new AbortController()
    const second = pool.run(task('hang'), { ...hour, signal: abort.signal })
    abort.abort()
    await expect(second).rejects.toMatchObject({ name: 'AbortError' })
    await expect(first).resolves.toMatchObject({ outputs: [] })
  })

  test('refuses a run that was aborted before it began', async () => {
    start()
    await expect(pool.run(task('answer'), { ...hour, signal: AbortSignal.abort('no') })).rejects.toBe('no')
  })

  test('works on as many runs at once as it has threads', async () => {
    start({ size: 2 })
    const stuck = pool.run(task('wait'), hour)
    stuck.catch(() => {})
    await expect(pool.run(task('answer'), hour)).resolves.toMatchObject({ outputs: [] })
  })

  test.each([
    ['a thread that stops when it is told to is used again', 'polite', 3_600_000, true],
    ['a thread that does not stop when it is told to is replaced', 'hang', 500, false],
  ] as const)('%s', async (_, tool, stopLimit, kept) => {
    start({ stopLimit })
    const threadOf = async () => (await pool.run(task('answer'), hour)).thumbnail?.label
    const first = await threadOf()
    const abort = new AbortController()
    const begun = Promise.withResolvers<void>()
    const running = pool.run(task(tool), { ...hour, signal: abort.signal, onProgress: () => begun.resolve() })
    await begun.promise
    abort.abort()
    await expect(running).rejects.toMatchObject({ name: 'AbortError' })
    expect((await threadOf()) === first).toBe(kept)
  })

  test('keeps a thread that refuses a picture, which is not reported as a failure', async () => {
    const failures: string[] = []
    start({ onFailure: (code) => failures.push(code) })
    const threadOf = async () => (await pool.run(task('answer'), hour)).thumbnail?.label
    const first = await threadOf()
    await expect(pool.run(task('refuse'), hour)).rejects.toMatchObject({ code: 'engine.no_face' })
    expect(await threadOf()).toBe(first)
    expect(failures).toEqual([])
  })

  test('a lane does not wait for another one', async () => {
    start()
    const stuck = pool.run(task('hang'), hour)
    stuck.catch(() => {})
    await expect(pool.run(task('answer'), { ...hour, lane: 'interactive' })).resolves.toMatchObject({ outputs: [] })
  })

  test('passes progress on, and a listener that throws has no effect', async () => {
    start()
    const heard: number[] = []
    await pool.run(task('answer'), { ...hour, onProgress: (_, fraction) => heard.push(fraction) })
    expect(heard).toEqual([0.5])
    const onProgress = () => {
      throw new Error('a listener with a fault')
    }
    await expect(pool.run(task('answer'), { ...hour, onProgress })).resolves.toMatchObject({ outputs: [] })
  })

  test('closing rejects waiting and running tasks, and later ones too', async () => {
    start()
    const running = pool.run(task('hang'), hour)
    const waiting = pool.run(task('answer'), hour)
    const outcomes = Promise.allSettled([running, waiting])
    await pool.close()
    for (const outcome of await outcomes) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'server.unavailable' } })
    }
    await expect(pool.run(task('answer'), hour)).rejects.toMatchObject({ code: 'server.unavailable' })
  })

  test('a task that cannot be sent to a thread fails alone', async () => {
    start()
    const bad = { ...task('answer'), params: { method: () => {} } }
    await expect(pool.run(bad, hour)).rejects.toMatchObject({ code: 'engine.failed' })
    await expect(pool.run(task('answer'), hour)).resolves.toMatchObject({ outputs: [] })
  })
})
