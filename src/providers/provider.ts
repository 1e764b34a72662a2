import type { EncodedTask } from '#engine/node/task-files.ts'
import type { TaskName } from '#engine/task-types.ts'

export interface TaskRequest extends EncodedTask {
  task: TaskName
  /** Permanent name of this request, for finding it after a lost answer. */
  reference: string
  /** Reserved slot, if the provider has slots. */
  slot: string | null
  smaller: boolean
}

/** Stored before the request is sent. */
export interface SentTask extends Pick<TaskRequest, 'task' | 'reference' | 'slot'> {
  /** Required pixels of the resulting picture, if the task defines them. */
  width: number | null
  height: number | null
}

export interface SubmittedTask extends SentTask {
  externalId: string
  sentAt: Date | null
}

export type JobReport =
  /** Poll again after this many seconds; progress is 0 to 1. */
  | { state: 'running'; progress?: number | undefined; pollAfterSeconds: number }
  /** Encoded `TaskResult`; cost in US dollars. */
  | { state: 'done'; result: EncodedTask; cost?: number }
  | { state: 'failed'; reason: string; cost?: number }
  /** The provider's safety rules refuse the content: no provider is called again. */
  | { state: 'refused'; reason: string; cost?: number }
  /** The provider does not know the job, and nothing is charged: it may be sent once more. */
  | { state: 'lost'; tooLarge?: boolean }

interface ProviderHealth {
  ok: boolean
  /** A version, a location, or the problem. */
  detail: string
}

/** The state must be polled afterwards. */
export interface JobChange {
  externalId: string
  /** Reference of a request whose answer was lost. */
  reference?: string
}

/**
 * Models on this machine, or another server. Each call may come from another process. Errors lead
 * to the next provider and are shown to admins.
 */
export interface Provider {
  /** Permanent: settings and jobs refer to it. */
  id: string
  /** May change while the server runs. */
  tasks(): Promise<readonly TaskName[]>
  /** Better than the engine, so that it comes first unless admins decide otherwise. */
  isBetter(task: TaskName): boolean | Promise<boolean>
  /** Absent: always. */
  accepts?(request: Pick<TaskRequest, 'task' | 'data' | 'files'>): boolean
  /** Pictures leave the operator's machines: requires the user's consent. */
  remote?: boolean
  /** In US dollars. */
  budget?(task: TaskName): Promise<{ expected: number; day: number | null; month: number | null }>
  /** Undefined for a forged or old webhook. */
  readWebhook?(webhook: { headers: Headers; body: Uint8Array }): Promise<JobChange | undefined>
  /** Seconds after which a job is given up. */
  timeLimit: number
  /** Best first, each for one job at a time. A provider without slots has no limit. */
  slots?(): Promise<readonly string[]>
  /**
   * Returns the job id. Rejects with NotSent or Refused; other errors leave open if the request
   * arrived.
   */
  submit(request: TaskRequest, signal: AbortSignal): Promise<string>
  /**
   * May wait for the job's end until `signal` aborts. Rejects with ResultUnavailable if the
   * finished result cannot be downloaded, otherwise if the provider is unreachable.
   */
  poll(job: SubmittedTask, signal: AbortSignal, onProgress?: (share: number) => void): Promise<JobReport>
  /** Undefined if certainly no job exists. Without this function a request is never sent twice. */
  find?(job: SentTask): Promise<string | undefined>
  /** Seconds for which a lost answer may still arrive if it cannot be looked up. */
  answerWait?: number
  /** The job may have ended already. */
  cancel(job: SubmittedTask): Promise<void>
  /** The result is stored: the provider's copy may be deleted. */
  forget?(job: SubmittedTask): Promise<void>
  /** Some changes are never reported. */
  listen?(onChange: (change: JobChange) => void): void
  health(): Promise<ProviderHealth>
}

/** Certainly nothing has begun, and nothing is charged: it may be sent once more. */
export class NotSent extends Error {
  /** Seconds before a retry, which then does not count as an attempt. */
  readonly after: number | undefined

  constructor(message: string, { after, ...options }: ErrorOptions & { after?: number | undefined } = {}) {
    super(message, options)
    this.name = 'NotSent'
    this.after = after
  }
}

/** The provider rejects this request permanently, and nothing is charged. */
export class Refused extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'Refused'
  }
}

/** Safety rules refuse the picture or the prompt; nothing is charged. */
export class ContentRefused extends Refused {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'ContentRefused'
  }
}

/** The job is done, but its result cannot be downloaded for now. */
export class ResultUnavailable extends Error {
  constructor(options: { cause: unknown }) {
    super('its result cannot be downloaded', options)
    this.name = 'ResultUnavailable'
  }
}

/** The engine itself in lists of providers. */
export const engineProviderId = 'local'

/** Licences and unknown digests must be accepted; without a source, a file must be supplied. */
export type ModelObjection = 'licence' | 'checksum' | 'source'

export interface CatalogueModel {
  name: string
  title: string
  task: TaskName
  licence: string
  /** Notes on commercial use and training data. */
  remark: string | null
  /** Must be accepted before the download. */
  objection: ModelObjection | null
  /** Bytes; null if unknown before the download. */
  size: number | null
  quality: string | null
  improves: string | null
  recommended: boolean
  /** The digest is unknown: the first download is trusted and recorded. */
  trustsFirstDownload: boolean
  installed: boolean
  /** 0 to 1 during the download. */
  progress: number | null
  failure: string | null
}

/** Models can be added, removed and listed while the server runs. */
export interface ModelCatalogue {
  list(): Promise<CatalogueModel[]>
  /** Installs a model completely or not at all; rejects with the reason. */
  add(name: string, signal: AbortSignal): Promise<void>
  /** Shows a model as coming. */
  announce(name: string): Promise<void>
  remove(name: string): Promise<boolean>
}
