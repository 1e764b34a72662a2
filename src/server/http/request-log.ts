import type { MiddlewareHandler } from 'hono'
import { routePath } from 'hono/route'
import type { Logger } from 'pino'
import type { AppEnv } from './env.ts'

/** One line a request: method, route, status, milliseconds. The route is the pattern, so that no token, id or query reaches the log. */
export function requestLog(log: Logger): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const start = performance.now()
    await next()
    const route = c.var.page ?? routePath(c, -1)
    log.info(
      { method: c.req.method, route, status: c.res.status, ms: Math.round(performance.now() - start) },
      'request',
    )
  }
}
