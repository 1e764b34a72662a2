import type { Context } from 'hono'
import { isDatabaseOutage } from '#server/db/outage.ts'
import { AppError } from '#server/http/app-error.ts'

/**
 * `0` if the link never works, `later` during maintenance or without database, since the link stays
 * valid. Rethrows the error for clients other than browsers, and unexpected errors.
 */
export function failedLinkResult(c: Context, error: unknown): '0' | 'later' {
  if (!c.req.header('accept')?.includes('text/html')) throw error
  if (isDatabaseOutage(error)) return 'later'
  if (!(error instanceof AppError)) throw error
  if (error.status === 503) return 'later'
  if (error.status >= 500) throw error
  return '0'
}
