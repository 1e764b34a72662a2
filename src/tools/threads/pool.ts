import { availableParallelism } from 'node:os'
import { EngineError } from '#engine/error.ts'
import { createDetectionCache, type DetectionCache } from '#engine/node/detection-cache.ts'
import { createSalienceNetwork, failureCode, type SalienceNetwork } from '#engine/node/networks/salience.ts'
import { startWorkTimer } from '#engine/node/processor-time.ts'
import type { PhotoCheck } from '#tools/contract/tool.ts'
import { processHost, type StartedTask, type TaskHost, threadHost } from './engine-hosts.ts'
import {
  type EngineLane,
  type EngineOutcome,
  type EngineResult,
  type EngineRunOptions,
  EngineStalled,
  type EngineTask,
  engineLanes,
  inputErrorPattern,
  type PreparedTask,
} from './task.ts'

/** Videos run in processes, since their native codecs may crash; all else in threads. */
export interface EnginePool {
  lanes: Record<EngineLane, number>
  /**
   * Rejects with an EngineError, or with the signal's reason. A crashed thread is replaced and
   * rejects with `engine.crashed`; one that takes too long with `engine.timeout`; one whose network
   * stalls with EngineStalled.
   */
  run(task: EngineTask, options: EngineRunOptions): Promise<EngineOutcome>
  /** For tasks with step `check`; rejects like `run`. */
  check(task: EngineTask, options: EngineRunOptions): Promise<PhotoCheck>
  /** For tasks with step `prepare`; rejects like `run`. */
  prepare(task: EngineTask, options: EngineRunOptions): Promise<PreparedTask[]>
  close(): Promise<void>
}

export interface EnginePoolOptions extends Partial<Pick<LaneOptions, 'stopLimit' | 'onFailure'>> {
  /** Module whose `perform` is made by `engineThread`. */
  entry: URL
  /** Threads for pictures, and as many for interactive work; one a core by default. */
  size?: number
  /** Keeps a thread for interactive work running, so that no request waits for its start. */
  keepWarm?: boolean
  /** Megabytes of JavaScript objects for a thread; pictures are not counted. */
  heapLimit?: number
  /** Milliseconds of idleness after which a thread ends. */
  idleLimit?: number
}

export function createEnginePool(options: EnginePoolOptions): EnginePool {
  const { entry, size: given, keepWarm = false, heapLimit = 1024, idleLimit = 60_000 } = options
  const { stopLimit = 500, onFailure } = options
  const size = Math.max(1, given ?? availableParallelism())
  const lanes = { interactive: size, pictures: size, video: 1, video_check: 1 }
  const cache = createDetectionCache()
  const salience = createSalienceNetwork()
  const host = { entry, idleLimit, heapLimit }
  const open = (lane: EngineLane) =>
    openLane(
      lane.startsWith('video') ? processHost(host) : threadHost(lanes[lane], keepWarm && lane === 'interactive', host),
      { size: lanes[lane], stopLimit, cache, salience, ...(onFailure && { onFailure }) },
    )
  const threads = {
    interactive: open('interactive'),
    pictures: open('pictures'),
    video: open('video'),
    video_check: open('video_check'),
  }
  return {
    lanes,
    run: (task, runOptions) => threads[runOptions.lane ?? 'pictures'].run<EngineOutcome>(task, runOptions),
    check: (task, runOptions) => threads[runOptions.lane ?? 'interactive'].run<PhotoCheck>(task, runOptions),
    prepare: (task, runOptions) => threads[runOptions.lane ?? 'pictures'].run<PreparedTask[]>(task, runOptions),
    async close() {
      await Promise.all(engineLanes.map((lane) => threads[lane].close()))
      await salience.close()
    },
  }
}

interface LaneOptions {
  size: number
  /** Milliseconds in which a thread may stop by itself before it is killed. */
  stopLimit: number
  cache: DetectionCache
  salience: SalienceNetwork
  /** Called for reasons other than the user's input; receives no user data. */
  onFailure?: (code: string, reason: string) => void
}

/** First come, first served. */
interface Lane {
  run<Result extends EngineResult>(task: EngineTask, options: EngineRunOptions): Promise<Result>
  close(): Promise<void>
}

/** A failing listener must not end the pool's process. */
function callSafely(listener: () => void): void {
  try {
    listener()
  } catch {
    // The task continues without the listener.
  }
}

function openLane(host: TaskHost, { size, stopLimit, cache, salience, onFailure }: LaneOptions): Lane {
  let closed = false
  let free = size
  const waiting: (() => void)[] = []

  type Outcome = PromiseWithResolvers<EngineResult>

  function fail({ reject }: Outcome, code: EngineError['code'], cause: unknown): void {
    const reason = cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)
    if (!inputErrorPattern.test(code)) callSafely(() => onFailure?.(code, reason))
    // A thread reports no other timeout: its own time limit is measured here.
    reject(code === 'engine.timeout' ? new EngineStalled({ cause }) : new EngineError(code, { cause }))
  }

  async function answer({ port }: StartedTask, number: number, found: Promise<unknown>) {
    const answered = found.then(
      (found) => ({ found }),
      (error) => ({ failure: { code: failureCode(error), reason: String(error) } }),
    )
    port.postMessage({ kind: 'answer', number, ...(await answered) })
  }

  /** Resolves when the thread is free for the next task. */
  async function perform(task: EngineTask, options: EngineRunOptions, outcome: Outcome): Promise<void> {
    const started = host.start(task)
    let over = false
    started.port.on('message', (message) => {
      if (message.kind === 'remember') cache.remember(message.key, message.found)
      else if (message.kind === 'recall') void answer(started, message.number, cache.recall(message.key))
      else if (message.kind === 'find_salience') void answer(started, message.number, salience.run(message.square))
      else if (over) return
      else if (message.kind === 'progress') callSafely(() => options.onProgress?.(message.phase, message.fraction))
      else if (message.kind === 'done') outcome.resolve(message.result)
      else {
        fail(outcome, message.code, message.reason)
        if (!inputErrorPattern.test(message.code)) started.kill()
      }
    })
    let killing: NodeJS.Timeout | undefined
    const tooLong = () => outcome.reject(new EngineError('engine.timeout'))
    const timer = startWorkTimer(options.timeLimit, tooLong, { pid: started.pid })
    const settled = outcome.promise.then(
      () => {
        over = true
      },
      // The caller may have cancelled: the thread is asked to stop, and killed after `stopLimit`.
      () => {
        over = true
        started.port.postMessage({ kind: 'stop' })
        killing = setTimeout(started.kill, stopLimit)
      },
    )
    try {
      await started.ended
      // The result message arrives separately.
      await settled
    } catch (error) {
      if (over) return
      if (closed) outcome.reject(new EngineError('server.unavailable'))
      else fail(outcome, error instanceof DOMException ? 'engine.failed' : 'engine.crashed', error)
    } finally {
      timer.stop()
      clearTimeout(killing)
      started.port.close()
    }
  }

  return {
    async run<Result extends EngineResult>(task: EngineTask, options: EngineRunOptions) {
      const { signal } = options
      signal?.throwIfAborted()
      const outcome: Outcome = Promise.withResolvers()
      const abort = () => outcome.reject(signal?.reason)
      signal?.addEventListener('abort', abort, { once: true })
      const begin = async () => {
        if (closed) outcome.reject(new EngineError('server.unavailable'))
        else if (!signal?.aborted) await perform(task, options, outcome)
        const next = waiting.shift()
        if (next) next()
        else free++
      }
      if (free > 0) {
        free--
        void begin()
      } else waiting.push(() => void begin())
      try {
        return (await outcome.promise) as Result
      } finally {
        signal?.removeEventListener('abort', abort)
      }
    },
    async close() {
      closed = true
      for (const next of waiting.splice(0)) next()
      await host.close()
    },
  }
}
