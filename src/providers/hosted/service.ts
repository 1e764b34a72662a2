import type { Json } from '#contract/json.ts'
import type { JobChange } from '../provider.ts'
import { readLimited } from '../read-limited.ts'
import { isContentRefusal } from './content-refusal.ts'

/** How a run of a hosted model is. */
export type HostedState =
  | { state: 'running'; progress?: number }
  | { state: 'done'; output: Json }
  /** `refused` by its safety rules; `charged` where it is paid for all the same. */
  | { state: 'failed' | 'refused'; reason: string; charged: boolean }

/** A webhook as it came. */
export interface Webhook {
  headers: Headers
  body: Uint8Array
}

/** What differs between hosted services. */
export interface HostedService {
  id: 'fal' | 'replicate'
  /** Starts a run; the service's id of it. Throws as {@link callService} does. */
  create(target: string, input: Record<string, Json>, webhook: string | undefined, signal: AbortSignal): Promise<string>
  look(target: string, id: string, signal: AbortSignal): Promise<HostedState>
  cancel(target: string, id: string): Promise<void>
  /** The address under which the service finds a file. */
  upload(bytes: Uint8Array, contentType: string, signal: AbortSignal): Promise<string>
  /** Whether results may lie there. */
  isResult(url: URL): boolean
  /** The run that a webhook tells of; undefined where it is not the service's, or old. */
  readWebhook(webhook: Webhook): Promise<JobChange | undefined>
  /** Whether the key is taken. */
  check(): Promise<void>
}

/** An answer of a service that is no success. */
export class ServiceError extends Error {
  readonly status: number
  /** Seconds after which it may be asked again. */
  readonly after: number | undefined
  /** The picture or the prompt was refused by its safety rules. */
  readonly isContentRefusal: boolean

  constructor(status: number, { message, types }: ServiceProblem, after?: number) {
    super(message || `status ${status}`)
    this.name = 'ServiceError'
    this.status = status
    this.after = after
    this.isContentRefusal = status < 500 && isContentRefusal(message, types)
  }
}

const patience = 20_000
const maxAfter = 600
/** Bytes of an answer, which is never a picture. */
const maxAnswer = 2_000_000
/** A webhook is taken for so many seconds. */
export const webhookSeconds = 300

/** One call in JSON; rejects with a ServiceError, or where there was no answer. */
export async function callService(
  url: string | URL,
  { authorization, signal, ...init }: RequestInit & { authorization: string; signal?: AbortSignal },
): Promise<Json> {
  const limit = AbortSignal.timeout(patience)
  const response = await fetch(url, {
    ...init,
    headers: { accept: 'application/json', ...(init.headers as Record<string, string>), authorization },
    redirect: 'manual',
    signal: signal ? AbortSignal.any([limit, signal]) : limit,
  })
  const text = new TextDecoder().decode(await readLimited(response, maxAnswer))
  if (!response.ok) throw new ServiceError(response.status, readProblem(text), afterOf(response))
  return text ? (JSON.parse(text) as Json) : null
}

function afterOf({ status, headers }: Response): number | undefined {
  const after = Number(headers.get('retry-after'))
  if (after > 0) return Math.min(maxAfter, after)
  return status === 429 ? 30 : undefined
}

/** The sentence of an error's body, with the service's own names for what is wrong. */
export interface ServiceProblem {
  message: string
  types: string[]
}

export function readProblem(text: string): ServiceProblem {
  try {
    const { detail, title, error } = JSON.parse(text) as Record<string, Json>
    const entries = [detail, error].flat().filter((entry) => typeof entry === 'object' && entry !== null)
    const problems = entries as { msg?: string; message?: string; type?: string; code?: string }[]
    const types = problems.flatMap(({ type, code }) => [type, code]).filter((name) => typeof name === 'string')
    const [first] = problems
    const sentence = first
      ? `${first.msg ?? first.message ?? ''} ${types.join(' ')}`.trim()
      : [detail, error, title].find((entry) => typeof entry === 'string')
    return { message: String(sentence ?? '').slice(0, 300), types }
  } catch {
    return { message: '', types: [] }
  }
}
