import type { Json } from '#shared/schema.ts'
import type { JobChange } from '../provider.ts'
import { readLimited } from '../read-limited.ts'

export type HostedState =
  | { state: 'running'; progress?: number }
  | { state: 'done'; output: Json }
  /** Done, but the output cannot be downloaded for now. */
  | { state: 'unavailable'; cause: unknown }
  /** `refused` by safety rules; `charged` if it must be paid anyway. */
  | { state: 'failed' | 'refused'; reason: string; charged: boolean }

interface Webhook {
  headers: Headers
  body: Uint8Array
}

export interface HostedService {
  id: 'fal' | 'replicate'
  /** Returns the service's job id. Throws like {@link callService}. */
  create(target: string, input: Record<string, Json>, webhook: string | undefined, signal: AbortSignal): Promise<string>
  readState(target: string, id: string, signal: AbortSignal): Promise<HostedState>
  cancel(target: string, id: string): Promise<void>
  /** Returns the file's address for the service. */
  upload(bytes: Uint8Array, contentType: string, signal: AbortSignal): Promise<string>
  isResult(url: URL): boolean
  /** Undefined for a forged or old webhook. */
  readWebhook(webhook: Webhook): Promise<JobChange | undefined>
  check(): Promise<void>
}

export class ServiceError extends Error {
  readonly status: number
  /** Seconds before a retry. */
  readonly after: number | undefined
  readonly isContentRefusal: boolean

  constructor(status: number, { message, types }: ServiceProblem, after?: number) {
    super(message || `status ${status}`)
    this.name = 'ServiceError'
    this.status = status
    this.after = after
    this.isContentRefusal = status < 500 && isContentRefusal(message, types)
  }
}

const timeoutMs = 20_000
const maxRetryAfter = 600
/** Bytes of a response, which is never a picture. */
const maxResponseBytes = 2_000_000
/** Seconds for which a webhook is accepted. */
export const webhookMaxAgeSeconds = 300

/** Rejects with a ServiceError, or with another error if there was no answer. */
export async function callService(
  url: string | URL,
  { authorization, signal, ...init }: RequestInit & { authorization: string; signal?: AbortSignal },
): Promise<Json> {
  const limit = AbortSignal.timeout(timeoutMs)
  const response = await fetch(url, {
    ...init,
    headers: { accept: 'application/json', ...(init.headers as Record<string, string>), authorization },
    redirect: 'manual',
    signal: signal ? AbortSignal.any([limit, signal]) : limit,
  })
  const text = new TextDecoder().decode(await readLimited(response, maxResponseBytes))
  if (!response.ok) throw new ServiceError(response.status, readProblem(text), retryAfterOf(response))
  return text ? (JSON.parse(text) as Json) : null
}

function retryAfterOf({ status, headers }: Response): number | undefined {
  const after = Number(headers.get('retry-after'))
  if (after > 0) return Math.min(maxRetryAfter, after)
  return status === 429 ? 30 : undefined
}

interface ServiceProblem {
  message: string
  types: string[]
}

function readProblem(text: string): ServiceProblem {
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

/** If an error has types, only these count. */
const refusalTypes = ['content_policy_violation', 'content_filter', 'moderation_blocked']
/**
 * For models without error types. Names of input fields, such as `safety_tolerance` or
 * `input.moderation`, are not refusals.
 */
const refusalWords =
  /\bnsfw\b|\bE005\b|flagged (as|by|for)\b|sensitive content|prohibited content|safety (system|filter|checker|rules|guidelines|polic)|content[ _-]?(policy|moderation|filter|checker)|(?<![.\w])moderat(ion\b|ed\b)/i
/** The picture is then black or blurred. */
const refusalFlags = ['has_nsfw_concepts', 'has_nsfw_concept', 'nsfw_content_detected', 'is_nsfw', 'nsfw', 'flagged']

export function isContentRefusal(message: string, types: readonly string[] = []): boolean {
  return types.length > 0 ? types.some((type) => refusalTypes.includes(type)) : refusalWords.test(message)
}

/** Tests the picture at `path` (`images.0.url`); flag lists follow the order of the pictures. */
export function isFlagged(output: Json, path: string): boolean {
  const steps = path.split('.').filter(Boolean)
  const index = Number(steps.find((step) => /^\d+$/.test(step)) ?? 0)
  let part: Json | undefined = output
  for (const step of [...steps, '']) {
    if (typeof part !== 'object' || part === null) return false
    const found = part as Record<string, Json>
    if (refusalTypes.includes(String(found.finish_reason))) return true
    if (refusalFlags.map((name) => found[name]).some((flag) => (Array.isArray(flag) ? flag[index] : flag) === true))
      return true
    part = found[step]
  }
  return false
}
