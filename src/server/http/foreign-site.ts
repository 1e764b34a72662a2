import { appError } from './app-error.ts'

/**
 * Throws when a page of another site made the browser send this. What the person or their system
 * started (`none`) passes, and what no browser sent.
 */
export function refuseForeignSite(headers: Headers): void {
  const site = headers.get('sec-fetch-site')
  const allowed = site === null ? !namesOtherHost(headers) : site === 'same-origin' || site === 'none'
  if (!allowed) throw appError('request.foreign_site')
}

/** For browsers older than Sec-Fetch-Site. */
function namesOtherHost(headers: Headers): boolean {
  const origin = headers.get('origin')
  const host = headers.get('host')
  if (origin === null || host === null) return false
  return URL.parse(origin)?.host !== host
}
