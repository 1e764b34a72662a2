export interface SendOptions {
  /** A job is dropped if one with an equal key waits or runs. Defaults to the id in `data`. */
  singletonKey?: string
  /** Higher ones run first; 0 by default. */
  priority?: number
  /** For a worker's limit of concurrent jobs of one owner. */
  owner?: string
}

export interface WorkOptions {
  /** Jobs that have called `release` do not count, up to the same number. */
  concurrency: number
  /** In all processes. */
  perOwner?: number | undefined
  /** Rejects while this process cannot work; other processes then take the jobs. */
  ready?(): Promise<void>
}

/** Losing a job is harmless, since a sweeper sends every pending message (outbox.ts). */
export type OutboxQueue = 'send-mail' | 'send-push' | 'send-webhook'

/** Features add their queues by declaration merging. */
export interface Jobs extends Record<OutboxQueue, { id: string }> {}

/** Times in seconds. */
export interface QueueOptions {
  expireInSeconds: number
  retryLimit: number
  /** The handler's table schedules the next attempt; a failed job is logged and ends. */
  countsAttempts?: boolean
  retryDelay?: number
  /** Each retry waits twice as long as the one before, up to `retryDelayMax`. */
  retryBackoff?: boolean
  retryDelayMax?: number
  /** Seconds after which a waiting job is given up. */
  retentionSeconds?: number
  deleteAfterSeconds: number
}

/** Failed jobs that will be retried, or were given up within the last hour. */
export interface FailingJobs {
  name: string
  jobs: number
  since: string
  reason: string
}

/** The queue for use cases, implemented by pg-boss. */
export interface JobQueue {
  /**
   * Call after the commit of the work, never inside a transaction, which would wait for ever on the
   * embedded database. A loss is harmless: a sweeper sends queued generations without a job.
   * Returns false if an equal job waits or runs.
   */
  send<Name extends keyof Jobs>(name: Name, data: Jobs[Name], options?: SendOptions): Promise<boolean>
  /** Returns how many were new. */
  sendAll<Name extends keyof Jobs>(
    name: Name,
    jobs: readonly { data: Jobs[Name]; options?: SendOptions }[],
  ): Promise<number>
  /** Removes jobs with these values in any state; returns the data of unfinished ones. */
  remove<Name extends keyof Jobs>(name: Name, data: Partial<Jobs[Name]>): Promise<Jobs[Name][]>
  /** Undefined while a job with the key waits or runs. */
  outputOf(name: keyof Jobs, singletonKey: string): Promise<unknown>
  /**
   * A number is the concurrency. The signal aborts when the job is given back or the process stops.
   * A handler calls `release` once it only has to store its result: the next job then starts.
   */
  work<Name extends keyof Jobs>(
    name: Name,
    options: WorkOptions | number,
    handler: (data: Jobs[Name], signal: AbortSignal, release: () => void) => Promise<unknown>,
  ): Promise<void>
  /**
   * Runs a task at once and then repeatedly, in one process of the fleet. The signal aborts when
   * its time is up or the process stops.
   */
  every(name: string, seconds: number, task: (signal: AbortSignal) => Promise<void>): Promise<void>
  check(): Promise<void>
  /** Of the whole fleet; repeated tasks only of this process. */
  failing(): Promise<FailingJobs[]>
  stop(): Promise<void>
}
