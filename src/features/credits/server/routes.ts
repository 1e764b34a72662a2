import { Hono } from 'hono'
import { describeRoute } from 'hono-openapi'
import { account } from '#features/account/server/account.ts'
import type { Deps } from '#server/deps.ts'
import type { UserEnv } from '#server/http/env.ts'
import { creditBalance } from './balance.ts'

/** The credits' part of the API; paths are relative to /api. */
export function creditRoutes(deps: Deps) {
  return new Hono<UserEnv>().get(
    '/user/myCredit',
    describeRoute({ summary: 'What the user can spend, and when it ends' }),
    account.requireUser(deps),
    async (c) => c.json(await creditBalance(deps.db, c.var.user.id, deps.clock())),
  )
}
