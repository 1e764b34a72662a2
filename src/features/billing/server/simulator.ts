import { createHash } from 'node:crypto'
import { and, eq } from 'drizzle-orm'
import type { MiddlewareHandler } from 'hono'
import { v7 as uuid } from 'uuid'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import type { AppEnv } from '#server/http/env.ts'
import { route } from '#server/http/route.ts'
import { pathId } from '#server/http/validate.ts'
import { type MessageId, translate } from '#server/i18n.ts'
import { brandName } from '#shared/brand.ts'
import type { Language } from '#shared/language.ts'
import { type } from '#shared/schema.ts'
import { paymentMethods } from '../payment-methods.ts'
import type { BillingDeps } from './deps.ts'
import { mayBePaid } from './orders/order-record.ts'
import { formatIdr } from './orders/price.ts'
import { followAttempt } from './payments/follow-attempt.ts'
import { paymentAttempts, simulatorSessions } from './tables/payments.ts'

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
const simulatorPolicy = [
  `default-src 'none'`,
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  `form-action 'self'`,
  `base-uri 'none'`,
  `frame-ancestors 'none'`,
].join('; ')

/** Plain forms, so that the page works under the strictest policy. */
function simulatorPage(session: SimulatorSession, language: Language): string {
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

const simulatorActions = ['pay', 'pay_twice', 'pay_late', 'pay_wrong', 'fail', 'expire'] as const
export type SimulatorAction = (typeof simulatorActions)[number]

type SimulatorSession = typeof simulatorSessions.$inferSelect

type Change = Pick<SimulatorSession, 'status' | 'payments'>

/** A session past its expiry counts as expired, as at a real gateway. */
async function readSimulator({ db, clock }: BillingDeps, id: string): Promise<SimulatorSession> {
  const [session] = await db.select().from(simulatorSessions).where(eq(simulatorSessions.id, id))
  if (!session) throw appError('request.not_found')
  if (session.status === 'ACTIVE' && session.expiresAt <= clock()) return { ...session, status: 'EXPIRED' }
  return session
}

/** Notifies the shop like a gateway: the notification names the session, not the outcome. */
export async function simulate(deps: BillingDeps, id: string, action: SimulatorAction): Promise<SimulatorSession> {
  await readSimulator(deps, id)
  const session = await transact(deps.db, async (tx) => {
    const [held] = await tx.select().from(simulatorSessions).where(eq(simulatorSessions.id, id)).for('update')
    if (!held) throw appError('request.not_found')
    const change = outcome(held, action, deps.clock())
    if (!change) throw appError('order.not_payable')
    await tx.update(simulatorSessions).set(change).where(eq(simulatorSessions.id, id))
    return { ...held, ...change }
  })
  const [attempt] = await deps.db
    .select()
    .from(paymentAttempts)
    .where(and(eq(paymentAttempts.driver, 'simulator'), eq(paymentAttempts.sessionId, id)))
  if (!attempt) return session
  if (action === 'fail') {
    await deps.db
      .update(paymentAttempts)
      .set({ status: 'failed', readAt: null })
      .where(and(eq(paymentAttempts.id, attempt.id), mayBePaid))
    return session
  }
  // A gateway may notify more than once.
  const notifications = action === 'pay_twice' ? 2 : 1
  for (let sent = 0; sent < notifications; sent += 1) await followAttempt(deps, attempt)
  return session
}

/** Undefined if a gateway would refuse the action. */
function outcome(session: SimulatorSession, action: SimulatorAction, now: Date): Change | undefined {
  const { amount, payments } = session
  const live = session.status === 'ACTIVE' && session.expiresAt > now
  const payment = (paid = amount) => ({ id: uuid(), amount: paid })
  const completed = (...more: { id: string; amount: number }[]): Change => ({
    status: 'COMPLETED',
    payments: [...payments, ...more],
  })
  switch (action) {
    case 'pay':
      return live ? completed(payment()) : undefined
    case 'pay_twice':
      return live || session.status === 'COMPLETED' ? completed(...(live ? [payment()] : []), payment()) : undefined
    case 'pay_late':
      return session.status !== 'COMPLETED' ? completed(payment()) : undefined
    case 'pay_wrong':
      return live ? completed(payment(Math.max(1, amount - 1000))) : undefined
    case 'fail':
      return live ? { status: 'CANCELED', payments } : undefined
    case 'expire':
      return session.status === 'ACTIVE' ? { status: 'EXPIRED', payments } : undefined
  }
}

/**
 * The simulator gives credits away, so requests from other machines do not get it unless
 * ALLOW_SIMULATOR permits. PUBLIC_URL may be missing, so the configuration alone does not suffice.
 */
export function simulatorForThisMachine(deps: Deps): (c: { var: { local: boolean } }) => Deps {
  const { config, log } = deps
  const drivers = config.payment.drivers.filter((driver) => driver !== 'simulator')
  const without = { ...deps, config: { ...config, payment: { ...config.payment, drivers } } }
  let hasWarned = false
  return (c) => {
    const { payment } = config
    if (c.var.local || payment.simulatorForAll || drivers.length === payment.drivers.length) return deps
    if (!hasWarned) {
      hasWarned = true
      log.warn(
        'the payment simulator gives credits away, so it is off for requests from other machines: set PUBLIC_URL to the public address, or ALLOW_SIMULATOR=1 to allow it',
      )
    }
    return without
  }
}
