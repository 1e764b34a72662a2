import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createWorkerLane, type PreviewTask } from './worker-lane.ts'

const task: PreviewTask = { tool: 'background-removal', params: {}, inputs: {}, names: {}, side: 640, key: '' }
const picture = { blob: new Blob(), width: 1, height: 1 }

class WorkerDouble extends EventTarget {
  asked: number[] = []
  ended = false
  postMessage = ({ id }: { id: number }) => void this.asked.push(id)
  terminate = () => {
    this.ended = true
  }
  respond(id: number, response: object) {
    this.dispatchEvent(new MessageEvent('message', { data: { id, ...response } }))
  }
}

let workers: WorkerDouble[]
function openLane() {
  workers = []
  return createWorkerLane(() => {
    const worker = new WorkerDouble()
    workers.push(worker)
    return worker as unknown as Worker
  })
}

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('engine runs share a worker, which ends after a while without any', async () => {
  const lane = openLane()
  const [first, second] = [lane.run(task, true), lane.run(task, true)]
  workers[0]!.respond(0, { picture })
  workers[0]!.respond(1, { reason: 'telling people apart is not done on the device' })
  expect(await first).toBe(picture)
  expect(await second).toBeUndefined()
  expect([workers.length, workers[0]!.ended]).toEqual([1, false])
  vi.advanceTimersByTime(61_000)
  expect(workers[0]!.ended).toBe(true)
  void lane.run(task, true)
  expect(workers.length).toBe(2)
})

test('a warmed-up worker serves the next run, and ends when none comes', async () => {
  const lane = openLane()
  lane.warm(task, true)
  workers[0]!.respond(0, {})
  lane.warm(task, true)
  const run = lane.run(task, true)
  workers[0]!.respond(1, { picture })
  expect([await run, workers.length]).toEqual([picture, 1])
  vi.advanceTimersByTime(61_000)
  lane.warm(task, true)
  workers[1]!.respond(2, {})
  vi.advanceTimersByTime(61_000)
  expect(workers.map(({ ended }) => ended)).toEqual([true, true])
})

test('a worker that fails or hangs ends, and the run has no result', async () => {
  const lane = openLane()
  const failing = lane.run(task, true)
  workers[0]!.dispatchEvent(new Event('error'))
  expect(await failing).toBeUndefined()
  const hanging = lane.run(task, true)
  vi.advanceTimersByTime(61_000)
  expect(await hanging).toBeUndefined()
  expect(workers.map(({ ended }) => ended)).toEqual([true, true])
})

test('a worker that cannot be started gives no result', async () => {
  const lane = createWorkerLane(() => {
    throw new TypeError('no workers here')
  })
  expect(await lane.run(task, true)).toBeUndefined()
})
