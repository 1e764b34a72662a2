import type { MiddlewareHandler } from 'hono'
import { ownNavigation } from '#shared/own-navigation.ts'

/**
 * Marks pages opened directly or from our own pages. A browser that hides the origin counts as
 * another site.
 */
export const markSameOriginNavigation: MiddlewareHandler = async (c, next) => {
  await next()
  const site = c.req.header('sec-fetch-site')
  if (site === 'none' || site === 'same-origin') c.res.headers.set('server-timing', ownNavigation)
  // Holds for this visit only.
  c.res.headers.set('cache-control', 'no-store')
}
