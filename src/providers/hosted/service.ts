import type { Json } from '#contract/json.ts'
import type { JobChange } from '../provider.ts'
import { readLimited } from '../read-limited.ts'

/** How a run of a hosted model is. */
export type HostedState =
  | { state: 'running'; progress?: number }
  | { state: 'done'; output: Json }
  | { state: 'failed'; reason: string /** Whether it is paid for all the same. */; charged: boolean }

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

  constructor(status: number, message: string, after?: number) {
    super(message)
    this.name = 'ServiceError'
    this.status = status
    this.after = after
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
  if (!response.ok)
    throw new ServiceError(response.status, said(text) || `status ${response.status}`, afterOf(response))
  return text ? (JSON.parse(text) as Json) : null
}

function afterOf({ status, headers }: Response): number | undefined {
  const after = Number(headers.get('retry-after'))
  if (after > 0) return Math.min(maxAfter, after)
  return status === 429 ? 30 : undefined
}

/** The sentence of an error's body. */
function said(text: string): string {
  try {
    const { detail, title, error } = JSON.parse(text) as Record<string, Json>
    const first = Array.isArray(detail) ? (detail[0] as { msg?: string; type?: string } | undefined) : undefined
    const sentence = first ? `${first.msg ?? ''} ${first.type ?? ''}`.trim() : (detail ?? error ?? title)
    return String(sentence ?? '').slice(0, 300)
  } catch {
    return ''
  }
}

/** Whether a failure says that the picture or the words were refused. */
export const isRefusal = (reason: string) =>
  /nsfw|safety|sensitive|flagged|moderat|content[ _]policy|prohibited/i.test(reason)
