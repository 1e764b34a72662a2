import { Worker } from 'node:worker_threads'
import { type AppError, appError } from './http/app-error.ts'

/** A thread's first word about a task: its time is counted from now on. */
export interface Begun {
  kind: 'begun'
}

/** A thread that does one task after the other; it starts with the first and ends when idle. */
export interface TaskThread<Task, Reply> {
  /**
   * Not before the task before has settled. Rejects with `server.unavailable` when the thread
   * crashes, and with the error of `tooLong` when the task takes longer than its time, for which
   * the thread is ended.
   */
  run(task: Task): Promise<Reply>
}

/** A thread needs its time to start where the machine is busy, which is no fault of the task. */
const startLimit = 60_000
const idleLimit = 30_000

/**
 * `entry` posts `Begun` and then one reply for each message. `heapLimit` is in megabytes,
 * `timeLimit` in milliseconds.
 */
export function createTaskThread<Task, Reply extends { kind: string }>({
  entry,
  heapLimit,
  timeLimit,
  tooLong,
}: {
  entry: URL
  heapLimit: number
  timeLimit: number
  tooLong: () => AppError
}): TaskThread<Task, Reply> {
  let worker: Worker | undefined
  let current: { resolve(reply: Reply): void; reject(error: unknown): void } | undefined
  let timer: NodeJS.Timeout | undefined

  function start(): Worker {
    const started = new Worker(entry, {
      execArgv: [],
      // As little for new objects as in engine threads (src/tools/threads/workers.ts).
      resourceLimits: { maxOldGenerationSizeMb: heapLimit, maxYoungGenerationSizeMb: 12 },
    })
    started.on('message', (reply: Begun | Reply) => {
      if (worker !== started) return
      if (reply.kind === 'begun') return limit(timeLimit, tooLong)
      const done = release()
      rest()
      done?.resolve(reply as Reply)
    })
    const crash = (cause: unknown) =>
      worker === started && stop(appError('server.unavailable', { cause, retryAfter: 5 }))
    started.on('error', crash)
    started.on('exit', (code) => crash(new Error(`the thread of ${entry.pathname} ended with code ${code}`)))
    return started
  }

  function limit(time: number, error: () => AppError): void {
    clearTimeout(timer)
    timer = setTimeout(() => stop(error()), time)
  }

  function release() {
    clearTimeout(timer)
    const done = current
    current = undefined
    return done
  }

  function rest(): void {
    worker?.unref()
    timer = setTimeout(end, idleLimit).unref()
  }

  function end(): void {
    worker?.terminate().catch(() => {})
    worker = undefined
  }

  function stop(reason: AppError): void {
    const stopped = release()
    end()
    stopped?.reject(reason)
  }

  return {
    run: (task) =>
      new Promise((resolve, reject) => {
        current = { resolve, reject }
        worker ??= start()
        worker.ref()
        limit(startLimit, () => appError('server.unavailable', { retryAfter: 5 }))
        worker.postMessage(task)
      }),
  }
}
