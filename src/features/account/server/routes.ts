import type { AccountDeps } from '#server/account-hooks.ts'
import { apiKeyRoutes } from './api-keys/api-key-routes.ts'
import { profileRoutes } from './profile/profile-routes.ts'
import { providerRoutes } from './providers/provider-routes.ts'
import { secondFactorRoutes } from './second-factor/second-factor-routes.ts'
import { signInRoutes } from './sign-in/sign-in-routes.ts'
import { adminAccountRoutes } from './staff/admin-routes.ts'
import type { SummarySources } from './staff/user-summary.ts'

export function accountRoutes(deps: AccountDeps, summaries: SummarySources) {
  return [
    ...signInRoutes(deps),
    ...providerRoutes(deps),
    ...profileRoutes(deps),
    ...secondFactorRoutes(deps),
    ...apiKeyRoutes(deps),
    ...adminAccountRoutes(deps, summaries),
  ]
}
