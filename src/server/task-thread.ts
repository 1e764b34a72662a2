import { Piscina } from 'piscina'
import { youngGeneration } from '#tools/threads/engine-hosts.ts'
import { type AppError, appError } from './http/app-error.ts'

/** Does one task after the other; starts with the first task and ends when idle. */
interface TaskThread<Task, Reply> {
  /**
   * Call only after the previous task has settled. Rejects with `server.unavailable` if the thread
   * crashes, and with the error of `tooLong` after the time limit.
   */
  run(task: Task): Promise<Reply>
}

/** A slow start on a busy machine is not the task's fault. */
const startLimit = 60_000
const idleLimit = 30_000

/**
 * `entry` exports `perform` and `ready`, which does nothing. `heapLimit` is in megabytes,
 * `timeLimit` in milliseconds.
 */
export function createTaskThread<Task, Reply>({
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
  const pool = new Piscina({
    filename: entry.href,
    minThreads: 0,
    maxThreads: 1,
    idleTimeout: idleLimit,
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: heapLimit, maxYoungGenerationSizeMb: youngGeneration },
    // A thread may fail between two tasks; the next task starts a new one.
  }).on('error', () => {})
  const crashed = (cause: unknown) => appError('server.unavailable', { cause, retryAfter: 5 })
  return {
    async run(task) {
      await pool.run(undefined, { name: 'ready', signal: AbortSignal.timeout(startLimit) }).catch((error) => {
        throw crashed(error)
      })
      const time = AbortSignal.timeout(timeLimit)
      return pool.run(task, { name: 'perform', signal: time }).catch((error) => {
        throw time.aborted ? tooLong() : crashed(error)
      })
    },
  }
}
