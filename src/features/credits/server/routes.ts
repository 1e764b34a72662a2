import { type } from 'arktype'
import { Hono } from 'hono'
import { account } from '#features/account/server/account.ts'
import type { Deps } from '#server/deps.ts'
import { answers, documented } from '#server/http/documented.ts'
import type { UserEnv } from '#server/http/env.ts'
import { jsonOnly, validJson } from '#server/http/validate.ts'
import { grantSources } from '../contract.ts'
import { creditBalance } from './balance.ts'
import { listToolPrices, setToolPrice } from './set-tool-price.ts'

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
const toolPrices = type({
  items: type({
    tool: 'string',
    unit: 'number.integer >= 0',
    defaultUnit: 'number.integer >= 0',
    history: type({ unit: 'number.integer >= 0', at: 'string', by: 'string | null' }).array(),
  }).array(),
})
const toolPriceInput = type({ unit: '0 <= number.integer <= 100000' })

/** The credits' part of the API; paths are relative to /api. */
export function creditRoutes(deps: Deps) {
  const admin = account.requireUser(deps, 'admin')
  return new Hono<UserEnv>()
    .get(
      '/user/myCredit',
      documented('What the user can spend, and when it ends', answers(200, 'The balance', balance)),
      account.requireUser(deps),
      async (c) => c.json(await creditBalance(deps.db, c.var.user.id, deps.clock())),
    )
    .get(
      '/admin/tool_prices',
      documented('What every tool costs in credits, and cost before', answers(200, 'The prices', toolPrices)),
      admin,
      async (c) => c.json({ items: await listToolPrices(deps) }),
    )
    .put(
      '/admin/tool_prices/:tool',
      documented('Set what a tool costs, from the next generation on', answers(200, 'The prices', toolPrices)),
      admin,
      jsonOnly,
      validJson(toolPriceInput),
      async (c) => {
        await setToolPrice(deps, c.var.user.id, { tool: c.req.param('tool'), ...c.req.valid('json') })
        return c.json({ items: await listToolPrices(deps) })
      },
    )
}
