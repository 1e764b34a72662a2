import { type } from 'arktype'
import type { MethodId } from '../../methods.ts'
import type { BillingDeps } from '../deps.ts'
import { type PaymentDriver, PaymentRefused, type PaymentRequest, type SessionState } from './port.ts'

const timeLimit = 15_000
const tries = 2

const channels: Record<MethodId, string> = {
  cimb_niaga: 'CIMB_VIRTUAL_ACCOUNT',
  bri: 'BRI_VIRTUAL_ACCOUNT',
  bni: 'BNI_VIRTUAL_ACCOUNT',
  bca: 'BCA_VIRTUAL_ACCOUNT',
  bsi: 'BSI_VIRTUAL_ACCOUNT',
  mandiri: 'MANDIRI_VIRTUAL_ACCOUNT',
  qris: 'QRIS',
  dana: 'DANA',
  gopay: 'GOPAY',
  ovo: 'OVO',
  shopeepay: 'SHOPEEPAY',
  linkaja: 'LINKAJA',
}

const session = type({
  payment_session_id: '1 <= string <= 200',
  status: 'string',
  amount: 'number',
  currency: 'string',
  'payment_link_url?': 'string | null',
  'payment_request_id?': 'string | null',
  'payment_id?': 'string | null',
})
const refusal = type({ error_code: 'string' })

const states: Record<string, SessionState['status']> = {
  ACTIVE: 'active',
  PENDING: 'pending',
  COMPLETED: 'completed',
  EXPIRED: 'expired',
  CANCELED: 'cancelled',
}

/** Xendit's Payment Sessions: the buyer pays on the gateway's page, and its word counts only when read from it, never from a webhook's body. */
export function xenditDriver({ config }: Pick<BillingDeps, 'config'>): PaymentDriver {
  const { xendit } = config.payment
  if (!xendit) throw new Error('xendit is not configured')
  const authorization = `Basic ${Buffer.from(`${xendit.secretKey}:`).toString('base64')}`

  async function call(method: 'GET' | 'POST', path: string, body?: object, key?: string): Promise<unknown> {
    const answer = await fetch(new URL(path, xendit?.baseUrl), {
      method,
      headers: {
        authorization,
        accept: 'application/json',
        ...(body && { 'content-type': 'application/json' }),
        ...(key && { 'idempotency-key': key }),
      },
      ...(body && { body: JSON.stringify(body) }),
      redirect: 'error',
      signal: AbortSignal.timeout(timeLimit),
    })
    if (answer.ok) return await answer.json()
    const said = refusal(await answer.json().catch(() => null))
    const reason = `${answer.status} ${said instanceof type.errors ? '' : said.error_code.slice(0, 80)}`
    const final = answer.status >= 400 && answer.status < 500 && ![408, 409, 425, 429].includes(answer.status)
    throw final ? new PaymentRefused(`xendit refused: ${reason}`, answer.status) : new Error(`xendit failed: ${reason}`)
  }

  return {
    id: 'xendit',
    tells: true,
    offers: () => true,
    async create(request) {
      const body = sessionRequest(request, config.publicUrl)
      const made = understood(await persistently(() => call('POST', '/sessions', body, request.attemptId)))
      if (made.amount !== request.amountIdr || made.currency !== 'IDR')
        throw new Error('xendit asks for another amount')
      if (!made.payment_link_url?.startsWith('http')) throw new Error('xendit gave no page to pay at')
      return { sessionId: made.payment_session_id, url: made.payment_link_url }
    },
    async read(sessionId) {
      let found: typeof session.infer
      try {
        found = understood(await call('GET', `/sessions/${encodeURIComponent(sessionId)}`))
      } catch (error) {
        if (error instanceof PaymentRefused && error.status === 404) return null
        throw error
      }
      if (found.payment_session_id !== sessionId) throw new Error('xendit answered with another session')
      const status = states[found.status]
      if (!status) throw new Error('xendit answered with an unknown status')
      const { amount, currency } = found
      const requestId = found.payment_request_id ?? null
      const paymentId = found.payment_id ?? requestId ?? sessionId
      return {
        status,
        amount,
        currency,
        requestId,
        payments: status === 'completed' ? [{ id: paymentId, amount, currency }] : [],
      }
    },
    async cancel(sessionId) {
      await call('POST', `/sessions/${encodeURIComponent(sessionId)}/cancel`)
    },
  }
}

function sessionRequest(request: PaymentRequest, publicUrl: URL): object {
  const { attemptId, orderId, amountIdr, method, expiresAt, description, buyer } = request
  const page = (path: string) => new URL(`${path}?order=${orderId}`, publicUrl).href
  return {
    reference_id: attemptId,
    session_type: 'PAY',
    mode: 'PAYMENT_LINK',
    amount: amountIdr,
    currency: 'IDR',
    country: 'ID',
    allowed_payment_channels: [channels[method]],
    expires_at: expiresAt.toISOString(),
    locale: buyer.language,
    description,
    customer: {
      reference_id: buyer.id,
      type: 'INDIVIDUAL',
      email: buyer.email,
      individual_detail: { given_names: buyer.name },
    },
    success_return_url: page('/payment-success'),
    cancel_return_url: page('/payment-failed'),
    items: [
      {
        reference_id: orderId,
        type: 'DIGITAL_SERVICE',
        name: description,
        net_unit_amount: amountIdr,
        quantity: 1,
        currency: 'IDR',
      },
    ],
    metadata: { order_id: orderId },
  }
}

function understood(value: unknown): typeof session.infer {
  const found = session(value)
  if (found instanceof type.errors) throw new Error('xendit answered with something that is no session')
  return found
}

/** Once more when the outcome is unknown; the idempotency key makes most repeats harmless, the attempt's row the others. */
async function persistently<Result>(action: () => Promise<Result>): Promise<Result> {
  for (let left = tries; ; left -= 1) {
    try {
      return await action()
    } catch (error) {
      if (error instanceof PaymentRefused || left <= 1) throw error
    }
  }
}
