export interface SendOptions {
  /**
   * Jobs with equal keys never wait or run at once: the second is dropped. Defaults to the id in
   * `data`.
   */
  singletonKey?: string
  /** Higher ones run first; 0 by default. */
  priority?: number
  /** Owner of the job, where a worker limits concurrent jobs of one owner. */
  owner?: string
}

export interface WorkOptions {
  /**
   * Concurrent jobs of this process; jobs that have called `release` do not count, up to the same
   * number.
   */
  concurrency: number
  /** Concurrent jobs of one owner in all processes. */
  perOwner?: number | undefined
  /** Rejects while this process cannot work; other processes then take the jobs. */
  ready?(): Promise<void>
}

/**
 * Queues and the data of their jobs; features add theirs by declaration merging, beside the options
 * of their queues.
 */
export interface Jobs {
  /**
   * A row of the mail outbox; losing the job is harmless, since a sweeper sends every pending mail.
   */
  'send-mail': { mailId: string }
}

/** Options of a queue, in seconds. */
export interface QueueOptions {
  /** A job that runs longer is taken away and retried. */
  expireInSeconds: number
  retryLimit: number
  retryDelay?: number
  /** Each retry waits twice as long as the one before, up to `retryDelayMax`. */
  retryBackoff?: boolean
  retryDelayMax?: number
  /** Seconds after which a waiting job is given up. */
  retentionSeconds?: number
  /** Retention of finished jobs. */
  deleteAfterSeconds: number
}

/**
 * Jobs of a queue, or a repeated task, that failed and will be retried, or were given up within the
 * last hour.
 */
export interface FailingJobs {
  name: string
  jobs: number
  /** Time of the oldest failure, in ISO 8601. */
  since: string
  /** Reason of the newest failure. */
  reason: string
}

/** The queue for use cases, implemented by pg-boss. */
export interface JobQueue {
  /**
   * Enqueues after the transaction that created the work has committed. A loss (crash in between)
   * is harmless for generations: a sweeper sends every queued generation without a job. Must not be
   * called inside a transaction, which would wait for ever on the embedded database. Returns false
   * if an equal job waits or runs already.
   */
  send<Name extends keyof Jobs>(name: Name, data: Jobs[Name], options?: SendOptions): Promise<boolean>
  /** The same for many; returns how many were new. */
  sendAll<Name extends keyof Jobs>(
    name: Name,
    jobs: readonly { data: Jobs[Name]; options?: SendOptions }[],
  ): Promise<number>
  /**
   * Removes every job with these values, waiting, running or ended; returns the data of unfinished
   * ones.
   */
  remove<Name extends keyof Jobs>(name: Name, data: Partial<Jobs[Name]>): Promise<Jobs[Name][]>
  /** Result of the newest job of a singleton key; undefined while one waits or runs. */
  outputOf(name: keyof Jobs, singletonKey: string): Promise<unknown>
  /**
   * Registers a worker; a number is its concurrency. The signal aborts when the job is given back
   * or the process stops. A handler calls `release` once it only has to store its result: the next
   * job then starts beside it.
   */
  work<Name extends keyof Jobs>(
    name: Name,
    options: WorkOptions | number,
    handler: (data: Jobs[Name], signal: AbortSignal, release: () => void) => Promise<unknown>,
  ): Promise<void>
  /**
   * Runs a task at once and then repeatedly, in one process of the fleet at a time; tasks do not
   * wait for each other. The signal aborts when the task's time is up or the process stops: it must
   * then end soon.
   */
  every(name: string, seconds: number, task: (signal: AbortSignal) => Promise<void>): Promise<void>
  check(): Promise<void>
  /** Failing jobs of the whole fleet, and repeated tasks of this process. */
  failing(): Promise<FailingJobs[]>
  stop(): Promise<void>
}
