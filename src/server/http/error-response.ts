import type { IncomingMessage } from 'node:http'
import type { Context, MiddlewareHandler } from 'hono'
import { HTTPException } from 'hono/http-exception'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import type { Logger } from 'pino'
import type { ApiErrorBody, ErrorCode } from '#shared/errors.ts'
import { type Language, negotiateLanguage } from '#shared/language.ts'
import { isDatabaseOutage, sqlState, unreachableService } from '../db/errors.ts'
import { hasMessage, translate } from '../i18n.ts'
import { AppError, appError } from './app-error.ts'

/** Turns all failures into `{code, msg, details?}` in the language of Accept-Language. */
export function handleError(log: Logger): (error: Error, c: Context) => Response {
  return (error, c) => {
    const known = recognise(error, c)
    // A full or busy server is not at fault.
    const isState = known.status === 503 && (!known.cause || known.code === 'server.busy')
    const about = { code: known.code, request: c.get('requestId') }
    if (known === error && isState) log.warn(about, 'request refused')
    else if (known.status >= 500) log.error({ err: known.cause ?? error, ...about }, 'request failed')
    return errorResponse(c, known)
  }
}

/** For middleware that must not throw, because other middleware would not see the response. */
export function errorResponse(c: Context, error: AppError, headers?: Record<string, string>): Response {
  const language = negotiateLanguage(c.req.header('accept-language'))
  const body: ApiErrorBody = { code: error.code, msg: sentence(language, error) }
  if (error.details) body.details = error.details
  return c.json(body, error.status as ContentfulStatusCode, {
    'content-language': language,
    vary: 'Accept-Language',
    'cache-control': 'no-store',
    ...(error.retryAfter !== undefined && { 'retry-after': String(Math.max(1, Math.ceil(error.retryAfter))) }),
    ...(error.status === 401 && { 'www-authenticate': 'Bearer' }),
    ...headers,
  })
}

/** A form with a single problem gets that problem's sentence. */
function sentence(language: Language, { code, details }: AppError): string {
  const key = code === 'form.invalid' ? Object.values(details ?? {})[0] : undefined
  if (key && hasMessage(language, `field.${key}`)) return translate(language, `field.${key}`)
  return translate(language, `error.${code}`)
}

const byStatus: Partial<Record<number, ErrorCode>> = {
  400: 'request.malformed',
  404: 'request.not_found',
  413: 'request.too_large',
  415: 'request.content_type',
  416: 'request.range',
}

/** Gives a library's refusals without a body (of a range, say) the usual body. */
export const refusalBodies: MiddlewareHandler = async (c, next) => {
  await next()
  const { status, body, headers } = c.res
  const code = byStatus[status]
  if (body !== null || !code) return
  const range = headers.get('content-range')
  c.res = undefined
  c.res = errorResponse(c, appError(code), range ? { 'content-range': range } : {})
}

/** Conflicts that retrying did not solve. */
const conflict = /^(40001|40P01|55P03)$/

function recognise(error: Error, c: Context): AppError {
  // The cause is a lost connection, not the request or a gateway.
  if (error instanceof AppError) return error.status !== 503 && isDatabaseOutage(error) ? unavailable(error) : error
  if (isCut(c)) return appError('request.malformed', { cause: error })
  if (error instanceof HTTPException) return appError(byStatus[error.status] ?? 'server.error', { cause: error })
  const state = sqlState(error)
  if (state === '53100') return appError('storage.full', { cause: error, retryAfter: 60 })
  if (conflict.test(state ?? '') || unreachableService(error) !== undefined) {
    return unavailable(error)
  }
  return appError('server.error', { cause: error })
}

const unavailable = (cause: Error) => appError('server.unavailable', { cause, retryAfter: 5 })

/** The client went away during its request. */
function isCut(c: Context<{ Bindings: { incoming?: IncomingMessage } | undefined }>): boolean {
  const incoming = c.env?.incoming
  return incoming?.destroyed === true && !incoming.complete
}
