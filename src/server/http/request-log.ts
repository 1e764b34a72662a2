import { randomBytes } from 'node:crypto'
import type { MiddlewareHandler } from 'hono'
import { routePath } from 'hono/route'
import type { Logger } from 'pino'
import type { Metrics } from '../metrics.ts'
import { inSpan } from '../tracing.ts'
import type { AppEnv } from './env.ts'

/** Logs the route's pattern, so no token, id or query reaches the log. */
export function requestLog(log: Logger, metrics: Metrics): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const start = performance.now()
    c.set('requestId', randomBytes(6).toString('hex'))
    await inSpan(c.req.method, {}, async (span) => {
      await next()
      const route = c.var.page ?? routePath(c, -1)
      span.updateName(`${c.req.method} ${route}`)
      span.setAttributes({ 'http.route': route, 'http.response.status_code': c.res.status })
    })
    c.res.headers.set('x-request-id', c.var.requestId)
    const route = c.var.page ?? routePath(c, -1)
    const milliseconds = performance.now() - start
    const request = { method: c.req.method, route, status: c.res.status }
    log.info({ ...request, ms: Math.round(milliseconds), request: c.var.requestId }, 'request')
    metrics.observeRequest({ ...request, seconds: milliseconds / 1000 })
  }
}
