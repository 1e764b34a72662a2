import { Hono, type MiddlewareHandler } from 'hono'
import { methodNotAllowed } from 'hono/method-not-allowed'
import { ownNavigation } from '#shared/session.ts'
import type { Deps } from '../deps.ts'
import type { DiskSpace } from '../disk-space.ts'
import { refuseInMaintenance } from '../maintenance.ts'
import { apiDocuments, type NamedSchemas } from './api-document.ts'
import { appError } from './app-error.ts'
import { type NodeEnv, setClientContext } from './env.ts'
import { errorResponse, handleError, refusalBodies } from './error-response.ts'
import { type Operations, operationRoutes } from './health-routes.ts'
import { type HeadOf, pageFinder } from './page-head.ts'
import { requestLog } from './request-log.ts'
import type { registerRoutes } from './route.ts'
import { refuseForeignSite, restrictForeignSites, securityHeaders } from './security-headers.ts'
import { staticFiles } from './static-files.ts'

/**
 * Marks pages opened directly or from our own pages. A browser that hides the origin counts as
 * another site.
 */
const markSameOriginNavigation: MiddlewareHandler = async (c, next) => {
  await next()
  const site = c.req.header('sec-fetch-site')
  if (site === 'none' || site === 'same-origin') c.res.headers.set('server-timing', ownNavigation)
  // Holds for this visit only.
  c.res.headers.set('cache-control', 'no-store')
}

interface AppOptions extends Operations {
  distDir: string
  /** All pages except the tools'. */
  pagePaths: readonly string[]
  headOf: HeadOf
  space?: DiskSpace
}

/** Stay usable on a full disk, so that staff can sign in and make room. */
const staffPaths = /^\/api\/(login|logout|reauthenticate|second_factor|admin)(\/|_|$)/

type Routes = ReturnType<typeof registerRoutes>

interface Apis {
  app: Routes
  /** Called with API keys, below /api/v1. */
  forPrograms: Routes
  /** Below /v1.0. */
  likeRemoveBg: Routes
  schemas: NamedSchemas
}

const apiPaths = ['/api/*', '/v1.0/*']

export function createApp(deps: Deps, apis: Apis, { distDir, pagePaths, headOf, space, ...operations }: AppOptions) {
  const { config, log } = deps
  const app = new Hono<NodeEnv>()
  app.onError(handleError(log))
  app.use(requestLog(log, operations.metrics), securityHeaders(config), refusalBodies, setClientContext(config, log))
  app.route('/', operationRoutes(deps, operations))

  for (const path of apiPaths) {
    app.use(path, async (c, next) => {
      await next()
      if (!c.res.headers.has('cache-control')) c.res.headers.set('cache-control', 'no-store')
    })
    app.use(path, restrictForeignSites)
    app.use(
      path,
      methodNotAllowed({
        app,
        onMethodNotAllowed: (c, methods) => errorResponse(c, appError('request.method'), { allow: methods.join(', ') }),
      }),
    )
    app.use(
      path,
      refuseInMaintenance(deps, (asked) => staffPaths.test(asked)),
    )
    // Refuses new data before a full disk stops the database.
    app.use(path, async (c, next) => {
      if (space && ['POST', 'PUT', 'PATCH'].includes(c.req.method)) {
        await space.require(staffPaths.test(c.req.path) ? 'staff' : undefined)
      }
      await next()
    })
  }
  app.route('/', apis.app).route('/', apis.forPrograms).route('/', apis.likeRemoveBg)
  for (const [path, read] of Object.entries(apiDocuments(apis, config.publicUrl)))
    app.get(path, async (c) => c.json(await read()))

  // Asked by the service worker if a foreign site sent a share. Before a phone has the worker,
  // files arrive here and are discarded: the page requests them again.
  app.on(['GET', 'POST'], '/share', (c) => {
    refuseForeignSite(c.req.raw.headers)
    return c.redirect('/open-with?shared=0', 303)
  })

  app.get('/logout', markSameOriginNavigation)
  const files = staticFiles({
    distDir,
    publicUrl: config.publicUrl,
    findPage: pageFinder(pagePaths, deps.tools),
    headOf,
  })
  app.notFound((c) =>
    /^\/(api|v1\.0)(\/|$)/.test(c.req.path) ? errorResponse(c, appError('request.not_found')) : files(c),
  )
  return app
}
