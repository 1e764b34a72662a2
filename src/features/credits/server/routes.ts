import { approvalErrors, waitsForApproval } from '#features/approvals/server/approvals.ts'
import { requirePermission, requireUser } from '#server/auth/require-user.ts'
import type { Deps } from '#server/deps.ts'
import { reply, route } from '#server/http/route.ts'
import {
  adjustCreditsInput,
  creditAdjustment,
  creditBalance as creditBalanceSchema,
  toolPriceInput,
  toolPriceList,
} from '../schemas.ts'
import { adjustCredits } from './adjust.ts'
import { creditBalance } from './balance.ts'
import { listToolPrices, setToolPrice } from './prices.ts'

export function creditRoutes(deps: Deps) {
  const shop = requirePermission(deps, 'shop')
  return [
    route('readBalance', 'GET /user/myCredit', requireUser(deps), {
      summary: 'Get your credit balance and expiry dates',
      output: { 200: ['The balance', creditBalanceSchema] },
      handler: (c) => creditBalance(deps.db, c.var.user.id, deps.clock()),
    }),
    route('listToolPrices', 'GET /admin/tool_prices', shop, {
      summary: 'List tool prices with their history',
      output: { 200: ['The prices', toolPriceList] },
      handler: async () => ({ items: await listToolPrices(deps) }),
    }),
    route('setToolPrice', 'PUT /admin/tool_prices/:tool', shop, {
      summary: "Set a tool's price, effective from the next generation",
      input: { json: toolPriceInput },
      output: { 200: ['The prices', toolPriceList] },
      errors: ['tool.unknown'],
      handler: async (c) => {
        await setToolPrice(deps, c.var.user.id, c.req.param('tool'), c.req.valid('json'))
        return { items: await listToolPrices(deps) }
      },
    }),
    route('adjustCredits', 'POST /admin/credit_adjustments', requirePermission(deps, 'credits'), {
      summary: 'Grant or take back credits; a refund in credits names its order',
      input: { json: adjustCreditsInput },
      idempotencyKey: 'adjustment',
      output: {
        201: ['The ledger entry; the same for a repeated idempotency key', creditAdjustment],
        ...waitsForApproval,
      },
      errors: [...approvalErrors, 'account.not_found', 'credits.insufficient'],
      handler: async (c) => {
        const key = c.var.idempotencyKey
        const adjusted = await adjustCredits(deps, c.var.user.id, key, c.req.valid('json'))
        return reply('approval' in adjusted ? 202 : 201, adjusted)
      },
    }),
  ]
}
