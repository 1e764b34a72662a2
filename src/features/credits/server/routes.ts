import { Hono } from 'hono'
import { waitsForApproval } from '#features/approvals/server/approvals.ts'
import { requirePermission, requireUser } from '#server/auth/require-user.ts'
import type { Deps } from '#server/deps.ts'
import { documented, respondsWith } from '#server/http/documented.ts'
import type { UserEnv } from '#server/http/env.ts'
import { idempotencyKey } from '#server/http/idempotency-key.ts'
import { jsonOnly, validJson } from '#server/http/validate.ts'
import {
  adjustCreditsInput,
  creditAdjustment,
  creditBalance as creditBalanceSchema,
  toolPriceInput,
  toolPriceList,
} from '../schemas.ts'
import { adjustCredits } from './adjust.ts'
import { creditBalance } from './balance.ts'
import { listToolPrices, setToolPrice } from './set-tool-price.ts'

export function creditRoutes(deps: Deps) {
  const shop = requirePermission(deps, 'shop')
  return new Hono<UserEnv>()
    .get(
      '/user/myCredit',
      documented('Get your credit balance and expiry dates', respondsWith(200, 'The balance', creditBalanceSchema)),
      requireUser(deps),
      async (c) => c.json(await creditBalance(deps.db, c.var.user.id, deps.clock())),
    )
    .get(
      '/admin/tool_prices',
      documented('List tool prices with their history', respondsWith(200, 'The prices', toolPriceList)),
      shop,
      async (c) => c.json({ items: await listToolPrices(deps) }),
    )
    .put(
      '/admin/tool_prices/:tool',
      documented(
        "Set a tool's price, effective from the next generation",
        respondsWith(200, 'The prices', toolPriceList),
      ),
      shop,
      jsonOnly,
      validJson(toolPriceInput),
      async (c) => {
        await setToolPrice(deps, c.var.user.id, c.req.param('tool'), c.req.valid('json'))
        return c.json({ items: await listToolPrices(deps) })
      },
    )
    .post(
      '/admin/credit_adjustments',
      documented(
        'Grant or take back credits; a refund in credits names its order',
        {
          ...respondsWith(201, 'The ledger entry; the same for a repeated idempotency key', creditAdjustment),
          ...waitsForApproval,
        },
        {
          parameters: [
            {
              name: 'Idempotency-Key',
              in: 'header',
              required: true,
              schema: { type: 'string', maxLength: 200 },
              description: 'repeating the key returns the same adjustment',
            },
          ],
        },
      ),
      requirePermission(deps, 'credits'),
      jsonOnly,
      validJson(adjustCreditsInput),
      async (c) => {
        const key = idempotencyKey(c.req.header('idempotency-key'))
        const adjusted = await adjustCredits(deps, c.var.user.id, key, c.req.valid('json'))
        return c.json(adjusted, 'approval' in adjusted ? 202 : 201)
      },
    )
}
