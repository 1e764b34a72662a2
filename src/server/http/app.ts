import type { IncomingMessage } from 'node:http'
import { type Context, Hono } from 'hono'
import { methodNotAllowed } from 'hono/method-not-allowed'
import type { Schema } from 'hono/types'
import { openAPIRouteHandler } from 'hono-openapi'
import { brandName } from '#contract/brand.ts'
import { negotiateLanguage } from '#contract/language.ts'
import { checkDatabase } from '../db/database.ts'
import type { Deps } from '../deps.ts'
import type { DiskSpace } from '../disk-space.ts'
import type { Metrics } from '../metrics.ts'
import { appError } from './app-error.ts'
import { clientAddress } from './client-address.ts'
import type { AppEnv } from './env.ts'
import { errorResponse, handleError, refusalBodies } from './error-response.ts'
import { letForeignSitesOnlyLink, refuseForeignSite } from './foreign-site.ts'
import { createLocality } from './local-request.ts'
import { mayReadMetrics } from './metrics-access.ts'
import { tellOwnNavigation } from './own-navigation.ts'
import { pageFinder } from './page-paths.ts'
import { requestLog } from './request-log.ts'
import { securityHeaders } from './security-headers.ts'
import { staticFiles } from './static-files.ts'

type NodeEnv = AppEnv & { Bindings: { incoming?: IncomingMessage } | undefined }

interface AppOptions {
  distDir: string
  space?: DiskSpace
  metrics: Metrics
  /** How the checks went that run by themselves; for /readyz. */
  details(): Promise<Record<string, string>>
}

const peerOf = (c: Context<NodeEnv>): string => c.env?.incoming?.socket.remoteAddress ?? 'unknown'

/** The whole web server as a function from requests to responses. */
export function createApp(
  deps: Deps,
  api: Hono<AppEnv, Schema, '/api'>,
  { distDir, space, metrics, details }: AppOptions,
) {
  const { config, log, db, store, jobs } = deps
  const addressOf = clientAddress(config.trustedProxies)
  const isLocal = createLocality()
  const app = new Hono<NodeEnv>()
  app.onError(handleError(log))
  app.use(requestLog(log, metrics), securityHeaders(config), refusalBodies, async (c, next) => {
    c.set('language', negotiateLanguage(c.req.header('accept-language')))
    c.set('address', addressOf(peerOf(c), c.req.header('x-forwarded-for')))
    c.set('local', isLocal({ headers: c.req.raw.headers, url: c.req.url, peer: peerOf(c) }))
    await next()
  })

  app.get('/healthz', (c) => c.json({ status: 'ok' }))
  app.get('/readyz', async (c) => {
    const checks = { database: checkDatabase(db), storage: store.check(), queue: jobs.check() }
    const results = await Promise.allSettled(Object.values(checks))
    const failed = Object.keys(checks).filter((_, index) => results[index]?.status === 'rejected')
    for (const result of results) if (result.status === 'rejected') log.error({ err: result.reason }, 'not ready')
    if (failed.length > 0)
      throw appError('server.unavailable', {
        details: Object.fromEntries(failed.map((part) => [part, 'down'])),
        ...{ retryAfter: 5 },
      })
    // What is failing is for the operator to see; no other server would do better.
    const failing = (await jobs.failing()).map(({ name, jobs }) => [name, `${jobs} failing`])
    return c.json({ status: 'ok', details: { ...(await details()), ...Object.fromEntries(failing) } })
  })

  // For everybody else the address does not exist.
  app.get('/metrics', async (c) => {
    if (!mayReadMetrics({ headers: c.req.raw.headers, local: c.var.local }, config)) throw appError('request.not_found')
    const { contentType, body } = await metrics.text()
    return c.body(body, 200, { 'content-type': contentType, 'cache-control': 'no-store' })
  })

  app.use('/api/*', async (c, next) => {
    await next()
    if (!c.res.headers.has('cache-control')) c.res.headers.set('cache-control', 'no-store')
  })
  app.use('/api/*', letForeignSitesOnlyLink)
  app.use(
    '/api/*',
    methodNotAllowed({
      app,
      onMethodNotAllowed: (c, methods) => errorResponse(c, appError('request.method'), { allow: methods.join(', ') }),
    }),
  )
  if (space) {
    // Before a full disk stops the database, nothing new is taken in; reading and deleting go on.
    app.use('/api/*', async (c, next) => {
      if (['POST', 'PUT', 'PATCH'].includes(c.req.method)) await space.require()
      await next()
    })
  }
  app.route('/', api)
  app.get('/api/openapi.json', openAPIRouteHandler(api, { documentation: openApi(config.publicUrl) }))

  // Pictures shared from other apps are the service worker's to take, which asks here whether a
  // foreign site sent them. Before a phone has it the pictures come here, where nothing keeps them
  // for nobody: the tool asks for them again.
  app.on(['GET', 'POST'], '/share', (c) => {
    refuseForeignSite(c.req.raw.headers)
    return c.redirect('/ai-background-removal?shared=0', 303)
  })

  app.get('/logout', tellOwnNavigation)
  const files = staticFiles(distDir, pageFinder(deps.tools))
  app.notFound((c) => (/^\/api(\/|$)/.test(c.req.path) ? errorResponse(c, appError('request.not_found')) : files(c)))
  return app
}

function openApi(publicUrl: URL) {
  return {
    info: {
      title: `${brandName} API`,
      version: '1',
      description: 'Errors are `{code, msg, details?}`; `code` is stable.',
    },
    servers: [{ url: publicUrl.origin }],
    components: { securitySchemes: { bearer: { type: 'http' as const, scheme: 'bearer', bearerFormat: 'JWT' } } },
    security: [{ bearer: [] }],
  }
}
