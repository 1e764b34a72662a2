/**
 * A file that is stored already but belongs to a generation only when its rendering has succeeded.
 */
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
  seconds: number
  bytes: number
  /** ISO 8601. */
  createdAt: string
}

/** A file of a check, under the name of its input. */
interface InspectedInput {
  input: string
  storageKey: string
  contentType: string
  width: number
  height: number
  seconds: number
}

interface SendOptions {
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
  /** Jobs that this process works on at once. */
  concurrency: number
  /** Jobs of one owner that run at once in all processes. */
  perOwner?: number
}

/**
 * The free re-rendering of a result; somebody waits for it, so a lost job is only asked for again.
 */
export interface Rerendering {
  jobId: string
  generationId: string
  params: Record<string, unknown>
  /** Those that take the place of earlier ones. */
  inputs: JobInput[]
}

/** The job queues and what a job of each carries. */
export interface Jobs {
  'run-generation': { generationId: string }
  'run-video': { generationId: string }
  'run-remote': { generationId: string }
  'render-generation': Rerendering
  'render-video': Rerendering
  /** A free check of inputs that are stored somewhere for as long as somebody waits for it. */
  'inspect-inputs': {
    jobId: string
    tool: string
    params: Record<string, unknown>
    contentHash: string
    inputs: InspectedInput[]
  }
  /** A visitor's preview; its small files are stored for as long as somebody waits for it. */
  'make-preview': {
    jobId: string
    tool: string
    params: Record<string, unknown>
    inputs: InspectedInput[]
  }
  /**
   * A row of the mail outbox; losing the job is harmless, a sweeper sends every mail that is still
   * owed.
   */
  'send-mail': { mailId: string }
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
   * call it inside a transaction: on the embedded database it would wait for ever.
   */
  send<Name extends keyof Jobs>(name: Name, data: Jobs[Name], options?: SendOptions): Promise<void>
  /** Those of the singleton keys for which no job waits or runs. */
  missing(name: keyof Jobs, singletonKeys: string[]): Promise<string[]>
  /**
   * Registers a worker; a number is its concurrency. The signal aborts when the job is given back
   * or the process stops.
   */
  work<Name extends keyof Jobs>(
    name: Name,
    options: WorkOptions | number,
    handler: (data: Jobs[Name], signal: AbortSignal) => Promise<void>,
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
