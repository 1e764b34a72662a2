import { Hono } from 'hono'
import { accountRoutes } from '#features/account/server/routes.ts'
import type { Deps } from './deps.ts'
import type { AppEnv } from './http/env.ts'

/** Every feature's part of the API, under /api. */
export function apiRoutes(deps: Deps) {
  return new Hono<AppEnv>().basePath('/api').route('/', accountRoutes(deps))
}

/** What the typed client knows: `hc<Api>('/')`. */
export type Api = ReturnType<typeof apiRoutes>
