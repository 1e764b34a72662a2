import type { EncodedTask } from '#engine/node/task-files.ts'
import type { TaskName } from '#engine/task-work.ts'

/** A task as a provider is given it. */
export interface TaskRequest extends EncodedTask {
  task: TaskName
  /** Names this request for good, so that it can be looked for after a lost answer. */
  reference: string
}

/** How a job is. */
export type JobReport =
  /** Ask again after so many seconds; progress is 0 to 1. */
  | { state: 'running'; progress?: number; again: number }
  /** What `TaskResult` names, encoded; cost in US dollars. */
  | { state: 'done'; result: EncodedTask; cost?: number }
  | { state: 'failed'; reason: string; cost?: number }
  /** Nobody knows of it (any more), and nothing is charged for it: it may be sent once more. */
  | { state: 'lost' }

/** Whether a provider can be worked with now, and what admins should know of it. */
export interface ProviderHealth {
  ok: boolean
  /** A version, a place, or what is wrong. */
  detail: string
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
  accepts?(request: Pick<TaskRequest, 'task' | 'data'>): boolean
  /** Seconds after which a job of it is given up. */
  timeLimit: number
  /** Sends a task; resolves with the provider's own id of the job. */
  submit(request: TaskRequest, signal: AbortSignal): Promise<string>
  /**
   * How the job is. May wait for its end for as long as `signal` allows, where nothing is gained by
   * asking again.
   */
  poll(externalId: string, task: TaskName, signal: AbortSignal): Promise<JobReport>
  /**
   * The job of a request whose answer was lost, or undefined where there is certainly none. A
   * provider without this is never sent the same request again.
   */
  find?(reference: string, task: TaskName): Promise<string | undefined>
  /** Ends a job that nobody wants any more; it may have ended already. */
  cancel(externalId: string, task: TaskName): Promise<void>
  health(): Promise<ProviderHealth>
}

/** The engine itself, in the lists of those who may do a task. */
export const local = 'local'
