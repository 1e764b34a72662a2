import type { MiddlewareHandler } from 'hono'
import { appError } from './app-error.ts'

/** Clients other than browsers send no such header. */
function isOfForeignSite(headers: Headers): boolean {
  const site = headers.get('sec-fetch-site')
  return site !== null && site !== 'same-origin' && site !== 'none'
}

/** Fallback for browsers without Sec-Fetch-Site. */
function namesOtherHost(headers: Headers): boolean {
  const [origin, host] = [headers.get('origin'), headers.get('host')]
  return !headers.has('sec-fetch-site') && origin !== null && host !== null && URL.parse(origin)?.host !== host
}

/** Throws when another site's page caused the request. */
export function refuseForeignSite(headers: Headers): void {
  if (isOfForeignSite(headers) || namesOtherHost(headers)) throw appError('request.foreign_site')
}

/**
 * Other sites may only link here: they must not use up visitors' previews or cause mails. Routes
 * with a token are out of their reach anyway.
 */
export const restrictForeignSites: MiddlewareHandler = async (c, next) => {
  const { method, raw } = c.req
  const leads = (method === 'GET' || method === 'HEAD') && raw.headers.get('sec-fetch-mode') === 'navigate'
  if (!leads && isOfForeignSite(raw.headers)) throw appError('request.foreign_site')
  await next()
}
