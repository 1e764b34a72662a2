import { EngineError } from '#engine/error.ts'
import type { DetectionMemory } from '#engine/node/detection-memory.ts'
import type { PhotoCheck } from '#tools/contract/tool.ts'
import type { EngineOutcome, EngineRunOptions, EngineTask, PoolMessage, ThreadMessage } from './task.ts'
import { type EngineWorker, startProcess, startThread } from './workers.ts'

export interface ThreadLaneOptions {
  /** The threads' module, which calls `serveEngineThread`. */
  entry: URL
  /** Threads at most. */
  size: number
  /** Each thread is a process instead: for native code that may crash. */
  isolated?: boolean
  /**
   * Keeps one thread at any time, started soon after the lane, so that nobody waits for one to
   * start.
   */
  keepWarm?: boolean
  /**
   * Milliseconds after which an idle thread is let go, so that its models' memory returns to the
   * machine.
   */
  idleLimit?: number
  /** Milliseconds that a thread has to stop by itself before it is terminated. */
  stopLimit?: number
  /** Megabytes of JavaScript objects a thread may hold; pictures are not counted. */
  heapLimit?: number
  /** What the models found, shared with other lanes. */
  memory: DetectionMemory
  /** Told why a run failed for another reason than the person's input; gets no user data. */
  onFailure?: (code: string, reason: string) => void
}

/** Threads, or processes in their place, that take one kind of work, first come first served. */
export interface ThreadLane {
  run<Result>(task: EngineTask, options: EngineRunOptions): Promise<Result>
  close(): Promise<void>
}

interface Job {
  task: EngineTask
  options: EngineRunOptions
  resolve(result: EngineOutcome | PhotoCheck): void
  reject(reason: unknown): void
  onAbort(): void
}

interface Thread {
  worker: EngineWorker
  job?: Job
  timer?: NodeJS.Timeout
  /** It was told to stop and is given a moment to do so. */
  stopping?: true
}

/**
 * Errors that the person's input causes: they leave a thread as good as new; after any other the
 * thread is replaced.
 */
const harmless = /^(upload|params|tool|engine)\.(?!failed$|crashed$|timeout$)/
/** A server that starts has other things to do first. */
const warmUpMilliseconds = 3000

/** A listener's own failure must not end the process that runs the pool. */
function quietly(listener: () => void): void {
  try {
    listener()
  } catch {
    // The run goes on without it.
  }
}

/** Opens a lane; its threads start with the first run that needs them. */
export function openThreadLane(options: ThreadLaneOptions): ThreadLane {
  const { entry, size, memory, keepWarm = false, idleLimit = 60_000, stopLimit = 500 } = options
  const threads = new Set<Thread>()
  const waiting: Job[] = []
  let closed = false

  function start(): Thread {
    const startWorker = options.isolated ? startProcess : startThread
    const worker = startWorker({
      entry,
      heapLimit: options.heapLimit ?? 1024,
      onMessage: (message) => receive(thread, message),
      onFailure: (reason) => crash(thread, reason),
    })
    const thread: Thread = { worker }
    threads.add(thread)
    return thread
  }

  /** Takes the job off its thread, so that whatever the thread still says goes nowhere. */
  function release(thread: Thread): Job | undefined {
    const { job } = thread
    clearTimeout(thread.timer)
    thread.job = undefined
    job?.options.signal?.removeEventListener('abort', job.onAbort)
    return job
  }

  function discard(thread: Thread): void {
    threads.delete(thread)
    clearTimeout(thread.timer)
    void thread.worker.terminate()
    if (threads.size === 0) warmUpSoon()
  }

  function receive(thread: Thread, message: ThreadMessage): void {
    if (message.kind === 'remember') memory.remember(message.key, message.found)
    else if (message.kind === 'recall') void recall(thread, message.key)
    else if (message.kind === 'remote_job') void keepRemoteJob(thread, message)
    else follow(thread, message)
  }

  function follow(thread: Thread, message: Extract<ThreadMessage, { kind: 'progress' | 'done' | 'failed' }>): void {
    if (thread.stopping && message.kind !== 'progress') {
      // It has stopped in time, and is as good as new.
      thread.stopping = undefined
      clearTimeout(thread.timer)
      rest(thread)
      next()
      return
    }
    if (!thread.job) return
    if (message.kind === 'progress') {
      quietly(() => thread.job?.options.onProgress?.(message.phase, message.fraction))
      return
    }
    const job = release(thread)
    if (message.kind === 'done') {
      job?.resolve(message.result)
    } else {
      if (!harmless.test(message.code)) {
        quietly(() => options.onFailure?.(message.code, message.reason))
        discard(thread)
      }
      job?.reject(new EngineError(message.code, { cause: message.reason }))
    }
    if (threads.has(thread)) rest(thread)
    next()
  }

  async function recall(thread: Thread, key: string): Promise<void> {
    reply(thread, { kind: 'recalled', key, found: await memory.recall(key) })
  }

  async function keepRemoteJob(thread: Thread, { key, id }: { key: string; id: string }): Promise<void> {
    const keep = thread.job?.options.onRemoteJob
    const kept = await Promise.resolve(keep?.(key, id)).then(
      () => keep !== undefined,
      () => false,
    )
    reply(thread, { kind: 'remote_job_kept', key, kept })
  }

  function reply(thread: Thread, message: PoolMessage): void {
    if (threads.has(thread)) thread.worker.postMessage(message)
  }

  function crash(thread: Thread, reason: string): void {
    const job = release(thread)
    discard(thread)
    if (job) {
      quietly(() => options.onFailure?.('engine.crashed', reason))
      job.reject(new EngineError('engine.crashed', { cause: reason }))
    }
    next()
  }

  function rest(thread: Thread): void {
    thread.worker.unref()
    if (keepWarm && threads.size === 1) return
    thread.timer = setTimeout(() => discard(thread), idleLimit)
    thread.timer.unref()
  }

  /**
   * The run ends at once; its thread is asked to stop, and is replaced when it does not do so soon.
   */
  function stop(thread: Thread, reason: unknown): void {
    const job = release(thread)
    thread.stopping = true
    thread.timer = setTimeout(() => {
      discard(thread)
      next()
    }, stopLimit)
    thread.worker.postMessage({ kind: 'stop' } satisfies PoolMessage)
    job?.reject(reason)
  }

  function next(): void {
    while (waiting.length > 0 && !closed) {
      const idle = [...threads].find((thread) => !thread.job && !thread.stopping)
      if (!idle && threads.size >= size) return
      const job = waiting.shift() as Job
      const thread = idle ?? start()
      clearTimeout(thread.timer)
      thread.job = job
      thread.timer = setTimeout(() => stop(thread, new EngineError('engine.timeout')), job.options.timeLimit)
      thread.worker.ref()
      try {
        thread.worker.postMessage({ kind: 'run', task: job.task } satisfies PoolMessage)
      } catch (error) {
        release(thread)
        rest(thread)
        job.reject(new EngineError('engine.failed', { cause: error }))
      }
    }
  }

  function cancel(job: Job): void {
    const reason = job.options.signal?.reason
    const thread = [...threads].find((candidate) => candidate.job === job)
    if (thread) {
      stop(thread, reason)
      return
    }
    const place = waiting.indexOf(job)
    if (place >= 0) waiting.splice(place, 1)
    job.reject(reason)
  }

  function enqueue<Result>(task: EngineTask, runOptions: EngineRunOptions): Promise<Result> {
    return new Promise((resolve, reject) => {
      const { signal } = runOptions
      if (signal?.aborted) return reject(signal.reason)
      if (closed) return reject(new EngineError('server.unavailable'))
      const job: Job = {
        task,
        options: runOptions,
        resolve: (result) => resolve(result as Result),
        reject,
        onAbort: () => cancel(job),
      }
      signal?.addEventListener('abort', job.onAbort, { once: true })
      waiting.push(job)
      next()
    })
  }

  let warmUp: NodeJS.Timeout | undefined
  function warmUpSoon(): void {
    clearTimeout(warmUp)
    if (!keepWarm || closed) return
    warmUp = setTimeout(() => {
      if (threads.size === 0) start()
    }, warmUpMilliseconds).unref()
  }
  warmUpSoon()

  return {
    run: enqueue,
    async close() {
      closed = true
      clearTimeout(warmUp)
      for (const job of waiting.splice(0)) {
        job.options.signal?.removeEventListener('abort', job.onAbort)
        job.reject(new EngineError('server.unavailable'))
      }
      await Promise.all(
        [...threads].map(async (thread) => {
          const job = release(thread)
          threads.delete(thread)
          await thread.worker.terminate()
          job?.reject(new EngineError('server.unavailable'))
        }),
      )
    },
  }
}
