export interface SendOptions {
  /**
   * Two jobs with the same one never wait or run at once: the second is dropped. By default the id
   * in `data`.
   */
  singletonKey?: string
  /** Higher ones run first; 0 by default. */
  priority?: number
  /** Whose job it is, where a worker limits how many of one owner's run at once. */
  owner?: string
}

export interface WorkOptions {
  /** Jobs that this process works on at once, beside as many that have called `release`. */
  concurrency: number
  /** Jobs of one owner that run at once in all processes. */
  perOwner?: number | undefined
  /** Rejects while this process cannot work: jobs are left to others. */
  ready?(): Promise<void>
}

/**
 * The job queues and what a job of each carries; features add theirs by declaration merging, beside
 * the options of their queues.
 */
export interface Jobs {
  /**
   * A row of the mail outbox; losing the job is harmless, a sweeper sends every mail that is still
   * owed.
   */
  'send-mail': { mailId: string }
}

/** How a queue treats its jobs, in seconds. */
export interface QueueOptions {
  /** A job that runs longer is taken away and tried again. */
  expireInSeconds: number
  retryLimit: number
  retryDelay?: number
  /** Each retry waits twice as long as the one before, up to `retryDelayMax`. */
  retryBackoff?: boolean
  retryDelayMax?: number
  /** A job that waits longer is given up. */
  retentionSeconds?: number
  /** How long a job is kept that has ended. */
  deleteAfterSeconds: number
}

/**
 * Jobs of a queue, or a repeated task, that failed and will be tried again, or were given up within
 * the last hour.
 */
export interface FailingJobs {
  name: string
  jobs: number
  /** ISO 8601, of the oldest of them. */
  since: string
  /** Of the newest of them. */
  reason: string
}

/** The queue as use cases see it; pg-boss stands behind it. */
export interface JobQueue {
  /**
   * Enqueues after the transaction that made the work has committed. Losing it (a crash in between)
   * is harmless for generations: a sweeper sends every queued generation that has no job. Never
   * call it inside a transaction: on the embedded database it would wait for ever. Returns false
   * if the same one waits or runs already.
   */
  send<Name extends keyof Jobs>(name: Name, data: Jobs[Name], options?: SendOptions): Promise<boolean>
  /** The same for many, and how many of them were not waiting or running already. */
  sendAll<Name extends keyof Jobs>(
    name: Name,
    jobs: readonly { data: Jobs[Name]; options?: SendOptions }[],
  ): Promise<number>
  /**
   * Takes away every job that carries these values, whether it waits, runs or has ended; returns
   * what those carried that had not ended.
   */
  remove<Name extends keyof Jobs>(name: Name, data: Partial<Jobs[Name]>): Promise<Jobs[Name][]>
  /** What the newest job of a singleton key returned; undefined while one waits or runs. */
  outputOf(name: keyof Jobs, singletonKey: string): Promise<unknown>
  /**
   * Registers a worker; a number is its concurrency. The signal aborts when the job is given back
   * or the process stops. A handler calls `release` once it only has to store what it made:
   * the next job then begins beside it.
   */
  work<Name extends keyof Jobs>(
    name: Name,
    options: WorkOptions | number,
    handler: (data: Jobs[Name], signal: AbortSignal, release: () => void) => Promise<unknown>,
  ): Promise<void>
  /**
   * Runs something at once and then again and again, in one process of the fleet at a time; nobody
   * waits for it, and no task waits for another one. The signal aborts when the task's time is up
   * or the process stops: it should then come to its end.
   */
  every(name: string, seconds: number, task: (signal: AbortSignal) => Promise<void>): Promise<void>
  check(): Promise<void>
  /** What is failing: jobs of the whole fleet, repeated tasks of this process. */
  failing(): Promise<FailingJobs[]>
  stop(): Promise<void>
}
