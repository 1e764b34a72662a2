import type { Duplex } from 'node:stream'
import { type ApiErrorBody, type ErrorCode, errorStatus } from '#shared/errors.ts'
import { negotiateLanguage } from '#shared/language.ts'
import { translate } from '../i18n.ts'

export const refusalHeaders = { 'content-type': 'application/json', 'cache-control': 'no-store' }

/**
 * Milliseconds for reading the refusal. A socket closed at once would answer later data with a
 * reset, which discards the refusal at the client.
 */
const lingerMilliseconds = 1000

/** For input that never reaches the app. */
export function refusalBody(code: ErrorCode, acceptLanguage?: string): string {
  const body: ApiErrorBody = { code, msg: translate(negotiateLanguage(acceptLanguage), `error.${code}`) }
  return JSON.stringify(body)
}

const reasonPhrases: Partial<Record<number, string>> = {
  400: 'Bad Request',
  408: 'Request Timeout',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  503: 'Service Unavailable',
}

export function refuseSocket(
  socket: Duplex,
  code: ErrorCode,
  { status = errorStatus[code], retryAfter }: { status?: number; retryAfter?: number } = {},
): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const body = refusalBody(code)
  const headers = {
    ...refusalHeaders,
    'content-length': Buffer.byteLength(body),
    connection: 'close',
    ...(retryAfter !== undefined && { 'retry-after': retryAfter }),
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.end(`${[`HTTP/1.1 ${status} ${reasonPhrases[status] ?? ''}`, ...lines].join('\r\n')}\r\n\r\n${body}`)
  setTimeout(() => socket.destroy(), lingerMilliseconds).unref()
}
