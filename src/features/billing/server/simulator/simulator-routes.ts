import type { MiddlewareHandler } from 'hono'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import type { AppEnv } from '#server/http/env.ts'
import { pathId } from '#server/http/path-id.ts'
import { route } from '#server/http/route.ts'
import { type } from '#shared/schema.ts'
import { readSimulator, type SimulatorAction, type SimulatorSession, simulate, simulatorActions } from './simulate.ts'
import type { simulatorForThisMachine } from './simulator-access.ts'
import { simulatorPage, simulatorPolicy } from './simulator-page.ts'

const simulated = type({
  id: 'string',
  orderId: 'string',
  amount: 'number.integer',
  method: 'string',
  status: 'string',
  payments: type('number.integer').describe('number of devices received'),
  expiresAt: 'string',
})

/** Exist only if PAYMENTS offers the simulator to the client. */
export function simulatorRoutes(deps: Deps, offered: ReturnType<typeof simulatorForThisMachine>) {
  const enabled: MiddlewareHandler<AppEnv> = async (c, next) => {
    if (!offered(c).config.payment.drivers.includes('simulator')) throw appError('request.not_found')
    await next()
  }
  return [
    route('readSimulator', 'GET /simulator/:session', 'visitor', {
      summary: 'Get a simulated payment; browsers get a page',
      before: enabled,
      output: { 200: ['The simulated payment', simulated] },
      errors: ['request.not_found'],
      handler: async (c) => {
        const session = await readSimulator(deps, pathId(c, 'request.not_found', 'session'))
        if (acceptsHtml(c.req.header('accept'))) {
          c.header('content-security-policy', simulatorPolicy)
          return c.html(simulatorPage(session, c.var.language))
        }
        return c.json(view(session))
      },
    }),
    route('simulatePayment', 'POST /simulator/:session/:action', 'visitor', {
      summary: `Simulate a payment event: ${simulatorActions.join(', ')}`,
      before: enabled,
      output: { 200: ['The simulated payment afterwards', simulated] },
      errors: ['request.not_found', 'order.not_payable'],
      handler: async (c) => {
        const action = simulatorActions.find((known) => known === c.req.param('action'))
        if (!action) throw appError('request.not_found')
        const session = await simulate(deps, pathId(c, 'request.not_found', 'session'), action)
        if (acceptsHtml(c.req.header('accept')))
          return c.redirect(`${returnPage(action)}?order=${session.orderId}`, 303)
        return c.json(view(session))
      },
    }),
  ]
}

function returnPage(action: SimulatorAction): string {
  return action === 'fail' || action === 'expire' ? '/payment-failed' : '/payment-success'
}

function view({ id, orderId, amount, method, status, payments, expiresAt }: SimulatorSession) {
  return { id, orderId, amount, method, status, payments: payments.length, expiresAt: expiresAt.toISOString() }
}

function acceptsHtml(accept: string | undefined): boolean {
  return accept?.includes('text/html') ?? false
}
