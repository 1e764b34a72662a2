import { Hono, type MiddlewareHandler } from 'hono'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import type { AppEnv } from '#server/http/env.ts'
import { pathId } from '#server/http/path-id.ts'
import { documents } from '../api-documents.ts'
import { readSimulator, type SimulatorAction, type SimulatorSession, simulate, simulatorActions } from './simulate.ts'
import type { simulatorForThisMachine } from './simulator-access.ts'
import { simulatorPage, simulatorPolicy } from './simulator-page.ts'

/** Exist only if PAYMENTS offers the simulator to the client. */
export function simulatorRoutes(deps: Deps, offered: ReturnType<typeof simulatorForThisMachine>) {
  const enabled: MiddlewareHandler<AppEnv> = async (c, next) => {
    if (!offered(c).config.payment.drivers.includes('simulator')) throw appError('request.not_found')
    await next()
  }
  return new Hono<AppEnv>()
    .get('/simulator/:session', documents.simulator, enabled, async (c) => {
      const session = await readSimulator(deps, pathId(c, 'request.not_found', 'session'))
      if (acceptsHtml(c.req.header('accept'))) {
        c.header('content-security-policy', simulatorPolicy)
        return c.html(simulatorPage(session, c.var.language))
      }
      return c.json(view(session))
    })
    .post('/simulator/:session/:action', documents.simulate, enabled, async (c) => {
      const action = simulatorActions.find((known) => known === c.req.param('action'))
      if (!action) throw appError('request.not_found')
      const session = await simulate(deps, pathId(c, 'request.not_found', 'session'), action)
      if (acceptsHtml(c.req.header('accept'))) return c.redirect(`${returnPage(action)}?order=${session.orderId}`, 303)
      return c.json(view(session))
    })
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
