import { createHash, timingSafeEqual } from 'node:crypto'
import { Hono } from 'hono'
import type { Config } from '../config.ts'
import { checkDatabase } from '../db/database.ts'
import type { Deps } from '../deps.ts'
import type { ReadHealth } from '../health/health.ts'
import type { Metrics } from '../metrics.ts'
import { appError } from './app-error.ts'
import { type NodeEnv, setClientContext } from './env.ts'
import { handleError } from './error-response.ts'
import { requestLog } from './request-log.ts'
import { securityHeaders } from './security-headers.ts'

export interface Operations {
  metrics: Metrics
  health: ReadHealth
  details(): Promise<Record<string, string>>
}

/** For probes and Prometheus, in every process. */
export function operationRoutes({ config, log, db, store, jobs }: Deps, { metrics, health, details }: Operations) {
  return new Hono<NodeEnv>()
    .get('/healthz', (c) => c.json({ status: 'ok' }))
    .get('/readyz', async (c) => {
      // Visitors must not learn which resource is full, late or failing.
      const detailed = canReadMetrics({ headers: c.req.raw.headers, local: c.var.local }, config)
      const checks = { database: checkDatabase(db), storage: store.check(), queue: jobs.check() }
      const results = await Promise.allSettled(Object.values(checks))
      const failed = Object.keys(checks).filter((_, index) => results[index]?.status === 'rejected')
      for (const result of results) if (result.status === 'rejected') log.error({ err: result.reason }, 'not ready')
      if (failed.length > 0)
        throw appError('server.unavailable', {
          ...(detailed && { details: Object.fromEntries(failed.map((part) => [part, 'down'])) }),
          retryAfter: 5,
        })
      if (!detailed) return c.json({ status: 'ok' })
      // Failing jobs do not make this server unready: no other would do better.
      const failing = (await jobs.failing()).map(({ name, jobs }) => [name, `${jobs} failing`])
      const items = await health()
      return c.json({
        status: items.some(({ problem }) => problem) ? 'needs attention' : 'ok',
        details: {
          ...Object.fromEntries(items.map(({ name, text, problem }) => [name, problem ? `${text}: look at it` : text])),
          ...(await details()),
          ...Object.fromEntries(failing),
        },
      })
    })
    .get('/metrics', async (c) => {
      // For all other clients the address does not exist.
      if (!canReadMetrics({ headers: c.req.raw.headers, local: c.var.local }, config)) {
        throw appError('request.not_found')
      }
      const { contentType, body } = await metrics.text()
      return c.body(body, 200, { 'content-type': contentType, 'cache-control': 'no-store' })
    })
}

/** Web server of a worker, with only the endpoints above. */
export function createWorkerApp(deps: Deps, operations: Operations) {
  const app = new Hono<NodeEnv>()
  app.onError(handleError(deps.log))
  app.notFound(() => {
    throw appError('request.not_found')
  })
  app.use(
    requestLog(deps.log, operations.metrics),
    securityHeaders(deps.config),
    setClientContext(deps.config, deps.log),
  )
  return app.route('/', operationRoutes(deps, operations))
}

/**
 * Allowed with METRICS_TOKEN, or from this machine if the server serves no other. Behind a proxy
 * every request may be a stranger's.
 */
function canReadMetrics(
  request: { headers: Headers; local: boolean },
  { metricsToken, loopback }: Pick<Config, 'metricsToken' | 'loopback'>,
): boolean {
  const given = /^Bearer (.+)$/.exec(request.headers.get('authorization') ?? '')?.[1]
  if (given !== undefined) return metricsToken !== undefined && equal(given, metricsToken)
  return loopback && request.local
}

/** Constant time for any lengths. */
function equal(given: string, wanted: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest()
  return timingSafeEqual(digest(given), digest(wanted))
}
