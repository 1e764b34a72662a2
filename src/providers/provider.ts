import type { EncodedTask } from '#engine/node/task-files.ts'
import type { TaskName } from '#engine/task-work.ts'

/** A task as a provider is given it. */
export interface TaskRequest extends EncodedTask {
  task: TaskName
  /** Names this sending for good, so that it can be looked for after a lost answer. */
  reference: string
  /** The one of the provider's `seats` that was kept for it, where it has any. */
  seat: string | null
  /** Whether it was too large before. */
  smaller: boolean
}

/** A request that was sent, as it is kept from before the sending. */
export interface SentTask extends Pick<TaskRequest, 'task' | 'reference' | 'seat'> {
  /** Pixels that the picture of the result has, where the task says so. */
  width: number | null
  height: number | null
}

/** One whose job has an id of the provider's. */
export interface AskedTask extends SentTask {
  externalId: string
  sentAt: Date | null
}

/** How a job is. */
export type JobReport =
  /** Ask again after so many seconds; progress is 0 to 1. */
  | { state: 'running'; progress?: number | undefined; again: number }
  /** What `TaskResult` names, encoded; cost in US dollars. */
  | { state: 'done'; result: EncodedTask; cost?: number }
  | { state: 'failed'; reason: string; cost?: number }
  /** The provider's safety rules refuse the content: neither it nor another provider is asked again. */
  | { state: 'refused'; reason: string; cost?: number }
  /**
   * The provider does not know the job (any more), and nothing is charged for it: it may be sent
   * once more; smaller, where it was too large.
   */
  | { state: 'lost'; tooLarge?: boolean }

/** Whether a provider can be worked with now, and what admins should know of it. */
export interface ProviderHealth {
  ok: boolean
  /** A version, a place, or what is wrong. */
  detail: string
}

/** What a provider hears by itself of a job; whoever asks then learns the truth. */
export interface JobChange {
  externalId: string
  /** Of a request whose answer was lost. */
  reference?: string
}

/**
 * Somebody who does tasks for tools: models on this machine, another server. Each call may be made
 * by another process than the one before. Whatever goes wrong is thrown or reported, is told to
 * admins, and leads to the next provider.
 */
export interface Provider {
  /** Stays what it is: settings and jobs name it. */
  id: string
  /** What it can do now; may change while the server runs. */
  tasks(): Promise<readonly TaskName[]>
  /** Whether it does better than the engine itself, and comes before it unless admins decide. */
  isBetter(task: TaskName): boolean | Promise<boolean>
  /** Whether it can do this one; where there is no such function, it can. */
  accepts?(request: Pick<TaskRequest, 'task' | 'data' | 'files'>): boolean
  /** Pictures leave the operator's machines: only those of who has agreed to that. */
  remote?: boolean
  /** What one is expected to cost, and what may be spent in a day and a month, in US dollars. */
  budget?(task: TaskName): Promise<{ expected: number; day: number | null; month: number | null }>
  /** The job that a webhook tells of; undefined where it is forged, or old. */
  readWebhook?(webhook: { headers: Headers; body: Uint8Array }): Promise<JobChange | undefined>
  /** Seconds after which a job of it is given up. */
  timeLimit: number
  /**
   * Where it does its jobs, the best place first, one job at a time in each; a job waits until one
   * of them is free. A provider without this takes as many as come.
   */
  seats?(): Promise<readonly string[]>
  /**
   * Sends a task; resolves with the provider's own id of the job, rejects with NotSent, Refused,
   * or whatever leaves it open whether it was heard.
   */
  submit(request: TaskRequest, signal: AbortSignal): Promise<string>
  /**
   * How the job is. May wait for its end for as long as `signal` allows, where nothing is gained by
   * asking again, and tells meanwhile how far it is. Rejects with ResultUnavailable where the job is
   * done and its result cannot be downloaded, otherwise where the provider cannot be reached.
   */
  poll(job: AskedTask, signal: AbortSignal, onProgress?: (share: number) => void): Promise<JobReport>
  /**
   * The job of a request whose answer was lost, or undefined where there is certainly none. A
   * provider without this is never sent the same request again.
   */
  find?(job: SentTask): Promise<string | undefined>
  /** Seconds for which a lost answer may still come by itself, where it cannot be looked for. */
  answerWait?: number
  /** Ends a job that nobody wants any more; it may have ended already. */
  cancel(job: AskedTask): Promise<void>
  /** The result is kept: whatever the provider has of it may go. */
  forget?(job: AskedTask): Promise<void>
  /** Tells of jobs that have changed; some are never told of. */
  listen?(onChange: (change: JobChange) => void): void
  health(): Promise<ProviderHealth>
}

/** Certainly nothing has begun, and nothing is charged: it may be sent once more. */
export class NotSent extends Error {
  /** Seconds after which it may be; then this was no try. */
  readonly after: number | undefined

  constructor(message: string, { after, ...options }: ErrorOptions & { after?: number | undefined } = {}) {
    super(message, options)
    this.name = 'NotSent'
    this.after = after
  }
}

/** The provider does not take this request, now or later, and nothing is charged. */
export class Refused extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'Refused'
  }
}

/** The provider's safety rules refuse the picture or the prompt; nothing is charged. */
export class ContentRefused extends Refused {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ContentRefused'
  }
}

/** The job is done, and its result cannot be downloaded for now. */
export class ResultUnavailable extends Error {
  constructor(options: { cause: unknown }) {
    super('its result cannot be downloaded', options)
    this.name = 'ResultUnavailable'
  }
}

/** The engine itself, in the lists of those who may do a task. */
export const local = 'local'
