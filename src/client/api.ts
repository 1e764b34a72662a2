import { i18n } from '@lingui/core'
import { t } from '@lingui/core/macro'
import type { ApiErrorBody, ErrorCode } from '#shared/errors.ts'
import { NetworkError } from './device/network-error.ts'
import { noteServerTime } from './device/server-time.ts'
import { endSession, forgetSession, store, tokenAtom } from './session.ts'

/** `msg` is a sentence in the app's language. */
export class ApiError extends Error {
  readonly status: number
  readonly code: ErrorCode
  readonly msg: string
  readonly details: Record<string, string>
  readonly requestId: string | null
  constructor(status: number, body: Partial<ApiErrorBody>, requestId: string | null = null) {
    super(body.code ?? `status ${status}`)
    this.name = 'ApiError'
    this.status = status
    this.code = body.code ?? (status >= 502 ? 'server.unavailable' : 'server.error')
    this.msg = body.msg ?? ''
    this.details = body.details ?? {}
    this.requestId = requestId
  }
}

interface ApiInit extends RequestInit {
  /** The method defaults to POST. */
  json?: unknown
}

async function errorBody(response: Response): Promise<Partial<ApiErrorBody>> {
  try {
    const body: unknown = await response.json()
    return typeof body === 'object' && body !== null ? (body as Partial<ApiErrorBody>) : {}
  } catch {
    return {}
  }
}

/** Adds the bearer token and the app's language; throws ApiError or NetworkError. */
export async function apiFetch(path: string, { json, ...init }: ApiInit = {}): Promise<Response> {
  const headers = new Headers(init.headers)
  const token = store.get(tokenAtom)
  if (token !== null) headers.set('authorization', `Bearer ${token}`)
  if (!headers.has('accept-language')) headers.set('accept-language', i18n.locale || 'id')
  if (!headers.has('accept')) headers.set('accept', 'application/json')
  if (json !== undefined) headers.set('content-type', 'application/json')
  const body = json === undefined ? init.body : JSON.stringify(json)
  const method = init.method ?? (body === undefined || body === null ? 'GET' : 'POST')

  let response: Response
  const sentAt = Date.now()
  try {
    response = await fetch(path, { ...init, method, headers, body })
  } catch (error) {
    if (init.signal?.aborted) throw error
    throw new NetworkError({ cause: error })
  }
  noteServerTime(response, sentAt)
  if (response.ok) return response
  const failure = new ApiError(response.status, await errorBody(response), response.headers.get('x-request-id'))
  if (token !== null && failure.code === 'auth.signed_out') await forgetSession(token)
  if (token !== null && (failure.code === 'auth.expired' || failure.code === 'auth.required')) await endSession(token)
  throw failure
}

export async function apiJson<Body>(path: string, init?: ApiInit): Promise<Body> {
  const response = await apiFetch(path, init)
  return (response.status === 204 ? undefined : await response.json()) as Body
}

/** Prefers the server's own text. */
export function errorText(error: unknown): string {
  if (error instanceof ApiError && error.msg !== '') return error.msg
  if (error instanceof ApiError && error.code === 'server.unavailable') {
    return t`Server sedang sibuk. Coba lagi sebentar lagi, ya.`
  }
  if (error instanceof NetworkError) return t`Tidak ada koneksi. Periksa internetmu lalu coba lagi.`
  return t`Terjadi kesalahan`
}
