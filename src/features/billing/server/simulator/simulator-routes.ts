import { createHash } from 'node:crypto'
import type { MiddlewareHandler } from 'hono'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import type { AppEnv } from '#server/http/env.ts'
import { pathId } from '#server/http/path-id.ts'
import { route } from '#server/http/route.ts'
import { type MessageId, translate } from '#server/i18n.ts'
import { brandName } from '#shared/brand.ts'
import type { Language } from '#shared/language.ts'
import { type } from '#shared/schema.ts'
import { paymentMethods } from '../../methods.ts'
import { formatIdr } from '../orders/price.ts'
import {
  readSimulator,
  type SimulatorAction,
  type SimulatorSession,
  simulate,
  simulatorActions,
  type simulatorForThisMachine,
} from './simulate.ts'

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
        return view(session)
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
        return view(session)
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

const activeActions: SimulatorAction[] = ['pay', 'pay_twice', 'pay_wrong', 'fail', 'expire']

const style = `
:root{color-scheme:light dark;--ground:#faf7f2;--card:#fff;--ink:#1f1d1a;--faint:#6b665e;--line:#e4ded5;--main:#b94a2a;--on-main:#fff}
@media (prefers-color-scheme:dark){:root{--ground:#15120f;--card:#1f1e1a;--ink:#f5f1ea;--faint:#b3aca1;--line:#3a372f;--main:#e68a6b;--on-main:#15120f}}
*{box-sizing:border-box}
body{margin:0;padding:24px 16px;background:var(--ground);color:var(--ink);font:16px/1.6 system-ui,sans-serif}
main{max-width:440px;margin:0 auto;padding:24px;background:var(--card);border:1px solid var(--line);border-radius:20px}
h1{margin:0 0 4px;font-size:22px;line-height:1.3}
p{margin:0}
.faint{color:var(--faint);font-size:14px}
.sum{margin:20px 0;padding:16px;border:1px solid var(--line);border-radius:14px}
.sum strong{display:block;font-size:28px;line-height:1.3}
form{margin-top:12px}
button,.back{display:block;width:100%;min-height:48px;padding:10px 16px;border:1px solid var(--line);border-radius:14px;background:none;color:inherit;font:600 16px/1.4 system-ui,sans-serif;text-align:center;text-decoration:none;cursor:pointer}
form:first-of-type button{background:var(--main);border-color:var(--main);color:var(--on-main)}
button:focus-visible,.back:focus-visible{outline:3px solid var(--main);outline-offset:2px}
.back{margin-top:12px;border-color:transparent}
`

/** Allows only this style, and forms that post to this server. */
export const simulatorPolicy = [
  `default-src 'none'`,
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  `form-action 'self'`,
  `base-uri 'none'`,
  `frame-ancestors 'none'`,
].join('; ')

/** Plain forms, so that the page works under the strictest policy. */
export function simulatorPage(session: SimulatorSession, language: Language): string {
  const say = (id: MessageId, values?: Record<string, string>) => escapeHtml(translate(language, id, values))
  const actions = simulatorActions.filter((action) =>
    (session.status === 'ACTIVE' ? activeActions : ['pay_late']).includes(action),
  )
  const buttons = (session.status === 'COMPLETED' ? (['pay_twice'] as const) : actions).map(
    (action) =>
      `<form method="post" action="/api/simulator/${session.id}/${action}"><button type="submit">${say(`simulator.${action}`)}</button></form>`,
  )
  return `<!doctype html>
<html lang="${language}">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>${say('simulator.title')} - ${brandName}</title><style>${style}</style></head>
<body>
<main>
<h1>${say('simulator.title')}</h1>
<p class="faint">${say('simulator.explanation')}</p>
<div class="sum">
<p class="faint">${escapeHtml(paymentMethods[session.method].name)}</p>
<strong>${escapeHtml(formatIdr(session.amount))}</strong>
<p class="faint">${say(`simulator.status.${session.status}`)}</p>
</div>
${buttons.join('\n')}
<a class="back" href="/checkout?order=${session.orderId}">${say('simulator.back')}</a>
</main>
</body>
</html>
`
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
