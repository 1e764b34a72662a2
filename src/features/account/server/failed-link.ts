import type { Context } from 'hono'
import { isDatabaseOutage } from '#server/db/outage.ts'
import { AppError } from '#server/http/app-error.ts'

/**
 * Tells the page of a mailed link why the link did not work: `0` where it never will, `later` in
 * maintenance and while the database is away, for it has lost nothing. Throws the failure again
 * for a client that is no browser, and an unforeseen one for all.
 */
export function failedLink(c: Context, error: unknown): '0' | 'later' {
  if (!c.req.header('accept')?.includes('text/html')) throw error
  if (isDatabaseOutage(error)) return 'later'
  if (!(error instanceof AppError)) throw error
  if (error.status === 503) return 'later'
  if (error.status >= 500) throw error
  return '0'
}
