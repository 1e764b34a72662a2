/** A file that is stored already but belongs to a generation only when its rendering has succeeded. */
export interface JobInput {
  id: string
  generationId: string
  role: 'input'
  label: string
  position: number
  storageKey: string
  name: string
  contentType: string
  width: number
  height: number
  bytes: number
  /** ISO 8601. */
  createdAt: string
}

/** The job queues and what a job of each carries. */
export interface Jobs {
  'run-generation': { generationId: string }
  /** The free re-rendering of a result; somebody waits for it, so a lost job is only asked for again. */
  'render-generation': {
    renderId: string
    generationId: string
    params: Record<string, unknown>
    /** Those that take the place of earlier ones. */
    inputs: JobInput[]
  }
  /** A row of the mail outbox; losing the job is harmless, a sweeper sends every mail that is still owed. */
  'send-mail': { mailId: string }
}

/** The queue as use cases see it; pg-boss stands behind it. */
export interface JobQueue {
  /**
   * Enqueues after the transaction that made the work has committed. Losing it (a crash in between) is harmless for generations:
   * a sweeper sends every queued generation that has no job.
   * Two jobs for the same thing (the singleton key; by default the id in `data`) never wait or run at once: the second one is dropped.
   * Never call it inside a transaction: on the embedded database it would wait for ever.
   */
  send<Name extends keyof Jobs>(name: Name, data: Jobs[Name], options?: { singletonKey?: string }): Promise<void>
  /** Those of the singleton keys for which no job waits or runs. */
  missing(name: keyof Jobs, singletonKeys: string[]): Promise<string[]>
  /** Registers a worker. The signal aborts when the job is given back or the process stops. */
  work<Name extends keyof Jobs>(
    name: Name,
    concurrency: number,
    handler: (data: Jobs[Name], signal: AbortSignal) => Promise<void>,
  ): Promise<void>
  /**
   * Runs something at once and then again and again, in one process of the fleet at a time; nobody waits for it, and no task waits for another one. The
   * signal aborts when the task's time is up or the process stops: it should then come to its end.
   */
  every(name: string, seconds: number, task: (signal: AbortSignal) => Promise<void>): Promise<void>
  check(): Promise<void>
  stop(): Promise<void>
}
