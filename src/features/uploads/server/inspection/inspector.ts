import { Worker } from 'node:worker_threads'
import { AppError } from '#server/http/app-error.ts'
import type { InspectedFile, InspectionTask, ThreadReply } from './task.ts'

interface Job {
  task: InspectionTask
  resolve(result: InspectedFile): void
  reject(error: unknown): void
}

/** A file that takes longer is there to keep the thread busy. */
const timeLimit = 20_000
const idleLimit = 30_000

/** Looks into uploaded files in a thread of its own, one after the other, so that the web server never waits for a file's content. */
export interface Inspector {
  /** Rejects with the AppError to return. */
  inspect(task: InspectionTask): Promise<InspectedFile>
}

export function createInspector(): Inspector {
  const waiting: Job[] = []
  let worker: Worker | undefined
  let job: Job | undefined
  let timer: NodeJS.Timeout | undefined

  function start(): Worker {
    const started = new Worker(new URL('./thread.ts', import.meta.url), {
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: 128 },
    })
    started.on('message', (reply: ThreadReply) => {
      if (worker !== started) return
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

  function next(): void {
    if (job) return
    job = waiting.shift()
    if (!job) {
      clearTimeout(timer)
      worker?.unref()
      timer = setTimeout(() => {
        worker?.terminate().catch(() => {})
        worker = undefined
      }, idleLimit).unref()
      return
    }
    clearTimeout(timer)
    worker ??= start()
    worker.ref()
    timer = setTimeout(() => stop(new AppError('upload.unreadable')), timeLimit)
    worker.postMessage(job.task)
  }

  return {
    inspect: (task) =>
      new Promise((resolve, reject) => {
        waiting.push({ task, resolve, reject })
        next()
      }),
  }
}
