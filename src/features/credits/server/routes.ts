import { type } from 'arktype'
import { Hono } from 'hono'
import { account } from '#features/account/server/account.ts'
import type { Deps } from '#server/deps.ts'
import { answers, documented } from '#server/http/documented.ts'
import type { UserEnv } from '#server/http/env.ts'
import { grantSources } from '../contract.ts'
import { creditBalance } from './balance.ts'

const balance = type({
  credits: 'number.integer >= 0',
  unlimitedUntil: 'string | null',
  grants: type({
    remaining: 'number.integer > 0',
    expiresAt: 'string',
    source: type.enumerated(...grantSources),
  }).array(),
  updatedAt: 'string',
})

/** The credits' part of the API; paths are relative to /api. */
export function creditRoutes(deps: Deps) {
  return new Hono<UserEnv>().get(
    '/user/myCredit',
    documented('What the user can spend, and when it ends', answers(200, 'The balance', balance)),
    account.requireUser(deps),
    async (c) => c.json(await creditBalance(deps.db, c.var.user.id, deps.clock())),
  )
}
