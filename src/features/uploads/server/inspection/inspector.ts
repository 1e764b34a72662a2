import { Worker } from 'node:worker_threads'
import { AppError } from '#server/http/app-error.ts'
import type { InspectedFile, InspectionTask, ThreadReply } from './task.ts'

interface Job {
  task: InspectionTask
  owner: string
  resolve(result: InspectedFile): void
  reject(error: unknown): void
}

/** A file that takes longer is there to keep the thread busy. */
const timeLimit = 10_000
/** A thread needs its time to start where the machine is busy, which is no fault of the file. */
const startLimit = 60_000
const idleLimit = 30_000

/**
 * Looks into uploaded files in a thread of its own, one after the other, so that the web server
 * never waits for a file's content. Owners take turns: the many files of one delay the file of
 * another by one.
 */
export interface Inspector {
  /** Rejects with the AppError to return. */
  inspect(task: InspectionTask, owner: string): Promise<InspectedFile>
}

export function createInspector(): Inspector {
  const waiting: Job[] = []
  /** Owners of waiting files whose last file was inspected before, the latest at the end. */
  const served = new Set<string>()
  let worker: Worker | undefined
  let job: Job | undefined
  let timer: NodeJS.Timeout | undefined

  function start(): Worker {
    const started = new Worker(new URL('./thread.ts', import.meta.url), {
      execArgv: [],
      // As little for new objects as in engine threads (src/engine/node/workers.ts).
      resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 12 },
    })
    started.on('message', (reply: ThreadReply) => {
      if (worker !== started) return
      if (reply.kind === 'begun') return limit(timeLimit, 'upload.unreadable')
      const done = release()
      if (reply.kind === 'done') done?.resolve(reply.result)
      else if (reply.kind === 'refused') done?.reject(new AppError(reply.code, { cause: new Error(reply.reason) }))
      else done?.reject(new AppError('server.error', { cause: new Error(reply.reason) }))
      next()
    })
    const crash = (reason: unknown) => worker === started && stop(new AppError('server.unavailable', { cause: reason }))
    started.on('error', crash)
    started.on('exit', (code) => crash(new Error(`the inspection thread ended with code ${code}`)))
    return started
  }

  function limit(time: number, code: 'upload.unreadable' | 'server.unavailable'): void {
    clearTimeout(timer)
    timer = setTimeout(() => stop(new AppError(code)), time)
  }

  function release(): Job | undefined {
    clearTimeout(timer)
    const done = job
    job = undefined
    return done
  }

  function stop(reason: AppError): void {
    const stopped = release()
    worker?.terminate().catch(() => {})
    worker = undefined
    stopped?.reject(reason)
    next()
  }

  /** The first file of somebody who has had no turn yet, else of whose turn was longest ago. */
  function takeNext(): Job | undefined {
    for (const owner of served) if (!waiting.some((waits) => waits.owner === owner)) served.delete(owner)
    const [eldest] = served
    const fresh = waiting.findIndex(({ owner }) => !served.has(owner))
    const [taken] = waiting.splice(fresh >= 0 ? fresh : waiting.findIndex(({ owner }) => owner === eldest), 1)
    if (taken) {
      served.delete(taken.owner)
      served.add(taken.owner)
    }
    return taken
  }

  function next(): void {
    if (job) return
    job = takeNext()
    if (!job) {
      clearTimeout(timer)
      worker?.unref()
      timer = setTimeout(() => {
        worker?.terminate().catch(() => {})
        worker = undefined
      }, idleLimit).unref()
      return
    }
    worker ??= start()
    worker.ref()
    limit(startLimit, 'server.unavailable')
    worker.postMessage(job.task)
  }

  return {
    inspect: (task, owner) =>
      new Promise((resolve, reject) => {
        waiting.push({ task, owner, resolve, reject })
        next()
      }),
  }
}
