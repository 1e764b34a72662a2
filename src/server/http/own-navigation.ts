import type { MiddlewareHandler } from 'hono'
import { ownNavigation } from '#contract/own-navigation.ts'

/**
 * Tells a page whether the person came by themselves or from another page of ours. A browser that
 * does not say where they come from counts as another site.
 */
export const tellOwnNavigation: MiddlewareHandler = async (c, next) => {
  await next()
  const site = c.req.header('sec-fetch-site')
  if (site === 'none' || site === 'same-origin') c.res.headers.set('server-timing', ownNavigation)
  // What is true of this visit must not be read again at the next one.
  c.res.headers.set('cache-control', 'no-store')
}
