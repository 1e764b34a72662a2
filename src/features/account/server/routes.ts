import { Hono } from 'hono'
import type { AccountDeps } from '#server/account-hooks.ts'
import type { UserEnv } from '#server/http/env.ts'
import { profileRoutes } from './profile/profile-routes.ts'
import { providerRoutes } from './providers/provider-routes.ts'
import { secondFactorRoutes } from './second-factor/second-factor-routes.ts'
import { signInRoutes } from './sign-in/sign-in-routes.ts'
import { adminAccountRoutes } from './staff/admin-routes.ts'

export function accountRoutes(deps: AccountDeps) {
  return new Hono<UserEnv>()
    .route('/', signInRoutes(deps))
    .route('/', providerRoutes(deps))
    .route('/', profileRoutes(deps))
    .route('/', secondFactorRoutes(deps))
    .route('/admin', adminAccountRoutes(deps))
}
