import type { MiddlewareHandler } from 'hono'
import { appError } from './app-error.ts'

/** A page of another site made the browser send this; what no browser sent does not say. */
function isOfForeignSite(headers: Headers): boolean {
  const site = headers.get('sec-fetch-site')
  return site !== null && site !== 'same-origin' && site !== 'none'
}

/** For browsers older than Sec-Fetch-Site. */
function namesOtherHost(headers: Headers): boolean {
  const [origin, host] = [headers.get('origin'), headers.get('host')]
  return !headers.has('sec-fetch-site') && origin !== null && host !== null && URL.parse(origin)?.host !== host
}

/** Throws when a page of another site led here. */
export function refuseForeignSite(headers: Headers): void {
  if (isOfForeignSite(headers) || namesOtherHost(headers)) throw appError('request.foreign_site')
}

/**
 * Another site may lead people here, as mails and providers do, and nothing else: it must neither
 * use up what visitors may do, such as previews, nor cause mails. Where a token is needed it could
 * not call anyway.
 */
export const letForeignSitesOnlyLink: MiddlewareHandler = async (c, next) => {
  const { method, raw } = c.req
  const leads = (method === 'GET' || method === 'HEAD') && raw.headers.get('sec-fetch-mode') === 'navigate'
  if (!leads && isOfForeignSite(raw.headers)) throw appError('request.foreign_site')
  await next()
}
