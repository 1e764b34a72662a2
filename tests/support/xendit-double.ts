import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface DoubleSession {
  payment_session_id: string
  reference_id: string
  status: 'ACTIVE' | 'PENDING' | 'COMPLETED' | 'EXPIRED' | 'CANCELED'
  amount: number
  currency: string
  payment_link_url: string
  expires_at: string
  payment_request_id: string | null
  payment_id: string | null
  allowed_payment_channels: string[]
  actions?: { type: string; descriptor: string; value: string }[]
}

/**
 * How the next call goes wrong: an error or a cut connection before or after it took effect, a no, a conflict that names what is there, too many calls,
 * or held until it is let go.
 */
export type Mishap = 'error_before' | 'error_after' | 'cut_before' | 'cut_after' | 'refuse' | 'conflict' | 'busy' | Hold
/** `reached` settles when the call has taken effect (or, with `before`, has arrived); it is answered when `release` settles. */
export interface Hold {
  before: boolean
  reached: () => void
  release: Promise<void>
}

const channels = /^((CIMB|BRI|BNI|BSI|MANDIRI|BCA)_VIRTUAL_ACCOUNT|QRIS|DANA|GOPAY|OVO|SHOPEEPAY|LINKAJA)$/

/**
 * A Xendit that checks what the real one checks, on a loopback address. An idempotency key that comes again with the same body is the same session, and
 * with another one a conflict; a real one may forget keys, and so may this one.
 */
export async function createXenditDouble({ secretKey, callbackToken }: { secretKey: string; callbackToken: string }) {
  const sessions = new Map<string, DoubleSession>()
  const mishaps: { method: string; mishap: Mishap }[] = []
  const calls: string[] = []
  const bodies: Record<string, unknown>[] = []
  const keys = new Map<string, { text: string; id: string }>()
  const now = { forgetsKeys: false, presents: [] as NonNullable<DoubleSession['actions']>, parallel: 0, maxParallel: 0 }
  const problems: string[] = []

  const server = createServer((request, response) => {
    now.parallel += 1
    now.maxParallel = Math.max(now.maxParallel, now.parallel)
    respond(request, response)
      .catch((error: unknown) => {
        problems.push(String(error))
        response.destroy()
      })
      .finally(() => {
        now.parallel -= 1
      })
  })

  async function respond(request: IncomingMessage, response: ServerResponse) {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { method = '', url = '' } = request
    calls.push(`${method} ${url}`)
    const say = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body))
    }
    if (request.headers.authorization !== `Basic ${Buffer.from(`${secretKey}:`).toString('base64')}`) {
      problems.push('wrong authorization')
      return say(401, { error_code: 'INVALID_API_KEY', message: 'API key is not authorized' })
    }
    const at = mishaps.findIndex((mishap) => mishap.method === method)
    const mishap = at < 0 ? undefined : mishaps.splice(at, 1)[0]?.mishap
    const broken = { error_code: 'SERVER_ERROR', message: 'unexpected' }
    if (mishap === 'error_before') return say(503, broken)
    if (mishap === 'busy') {
      response.setHeader('retry-after', '1')
      return say(429, { error_code: 'RATE_LIMIT_EXCEEDED', message: 'slower' })
    }
    if (mishap === 'refuse') return say(403, { error_code: 'INVALID_MERCHANT_SETTINGS', message: 'not activated' })
    if (mishap === 'cut_before') return response.destroy()
    const hold = typeof mishap === 'object' ? mishap : undefined
    if (hold?.before) {
      hold.reached()
      await hold.release
    }
    const [status, body] = handle(method, url, Buffer.concat(chunks).toString(), request)
    if (mishap === 'error_after') return say(500, broken)
    if (mishap === 'conflict') {
      const { payment_session_id } = body as DoubleSession
      return say(409, { error_code: 'DUPLICATE_ERROR', message: 'it is there already', payment_session_id })
    }
    if (mishap === 'cut_after') return response.destroy()
    if (hold && !hold.before) {
      hold.reached()
      await hold.release
    }
    say(status, body)
  }

  function handle(method: string, url: string, text: string, request: IncomingMessage): [number, unknown] {
    const [, root, id, action] = url.split('/')
    if (root !== 'sessions') return [404, { error_code: 'NOT_FOUND', message: 'no such path' }]
    if (method === 'POST' && id === undefined) {
      const body = JSON.parse(text) as Record<string, unknown>
      const wrong = wrongFields(body, request)
      if (wrong.length > 0) {
        problems.push(`wrong fields: ${wrong.join(', ')}`)
        return [400, { error_code: 'API_VALIDATION_ERROR', message: wrong.join(', ') }]
      }
      bodies.push(body)
      const key = String(request.headers['idempotency-key'])
      const before = now.forgetsKeys ? undefined : keys.get(key)
      if (before && before.text !== text) return [409, { error_code: 'IDEMPOTENCY_ERROR', message: 'another body' }]
      if (before) return [200, sessions.get(before.id)]
      const made: DoubleSession = {
        payment_session_id: `ps-${randomUUID()}`,
        reference_id: body.reference_id as string,
        status: 'ACTIVE',
        amount: body.amount as number,
        currency: body.currency as string,
        payment_link_url: `https://checkout.example.com/sessions/${randomUUID()}`,
        expires_at: body.expires_at as string,
        payment_request_id: null,
        payment_id: null,
        allowed_payment_channels: body.allowed_payment_channels as string[],
        ...(now.presents.length > 0 && { actions: now.presents }),
      }
      keys.set(key, { text, id: made.payment_session_id })
      sessions.set(made.payment_session_id, made)
      return [201, made]
    }
    const session = sessions.get(id ?? '')
    if (!session) return [404, { error_code: 'DATA_NOT_FOUND', message: 'session not found' }]
    if (method === 'GET') return [200, session]
    if (method === 'POST' && action === 'cancel') {
      if (session.status !== 'ACTIVE') return [400, { error_code: 'SESSION_NOT_ACTIVE', message: session.status }]
      session.status = 'CANCELED'
      return [200, session]
    }
    return [405, { error_code: 'METHOD_NOT_ALLOWED', message: method }]
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  const find = (id: string): DoubleSession => {
    const session = sessions.get(id)
    if (!session) throw new Error(`the double has no session ${id}`)
    return session
  }

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    env: { PAYMENTS: 'xendit', XENDIT_SECRET_KEY: secretKey, XENDIT_CALLBACK_TOKEN: callbackToken },
    callbackToken,
    sessions,
    /** `METHOD /path` of every call so far. */
    calls,
    /** The body of every session that was asked for. */
    bodies,
    /** How it behaves now: whether it forgets idempotency keys, what it presents in its responses; and how many calls it had at once. */
    now,
    /** What a real Xendit would have refused. */
    problems,
    /** Lets the next calls with the method go wrong, in this order. */
    misbehave(method: 'GET' | 'POST', ...kinds: Mishap[]) {
      for (const mishap of kinds) mishaps.push({ method, mishap })
    },
    /** The buyer pays; what he pays may be wrong, as after tampering. */
    pay(id: string, paid: Partial<Pick<DoubleSession, 'amount' | 'currency'>> = {}): DoubleSession {
      return Object.assign(find(id), paid, {
        status: 'COMPLETED',
        payment_request_id: `pr-${randomUUID()}`,
        payment_id: `py-${randomUUID()}`,
      })
    },
    set(id: string, status: DoubleSession['status']): DoubleSession {
      return Object.assign(find(id), { status })
    },
    /** A webhook's headers and body, as Xendit sends them; its data says what the session is now, or what it is told to say. */
    webhook(event: string, data: object, token = callbackToken) {
      return {
        headers: { 'x-callback-token': token },
        json: { event, business_id: 'biz-1', created: new Date().toISOString(), data },
      }
    },
    async close() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export type XenditDouble = Awaited<ReturnType<typeof createXenditDouble>>

function wrongFields(body: Record<string, unknown>, request: IncomingMessage): string[] {
  const wrong: string[] = []
  const must = (name: string, holds: boolean) => {
    if (!holds) wrong.push(name)
  }
  const text = (value: unknown, most = 255) => typeof value === 'string' && value.length > 0 && value.length <= most
  const address = (value: unknown) => typeof value === 'string' && /^https?:$/.test(URL.parse(value)?.protocol ?? '')
  const customer = (body.customer ?? {}) as Record<string, unknown>
  const detail = (customer.individual_detail ?? {}) as Record<string, unknown>
  const items = Array.isArray(body.items) ? (body.items as Record<string, unknown>[]) : []
  const allowed = Array.isArray(body.allowed_payment_channels) ? body.allowed_payment_channels : []
  must('content-type', /^application\/json/.test(request.headers['content-type'] ?? ''))
  must('idempotency-key', text(request.headers['idempotency-key']))
  must('reference_id', text(body.reference_id, 64))
  must('session_type', body.session_type === 'PAY')
  must('mode', body.mode === 'PAYMENT_LINK')
  must('amount', Number.isInteger(body.amount) && (body.amount as number) > 0)
  must('currency', body.currency === 'IDR')
  must('country', body.country === 'ID')
  must('allowed_payment_channels', allowed.length > 0 && allowed.every((name) => channels.test(String(name))))
  must('expires_at', typeof body.expires_at === 'string' && Number.isFinite(Date.parse(body.expires_at)))
  must('locale', body.locale === 'id' || body.locale === 'en')
  must('description', text(body.description, 1000))
  must('customer.reference_id', text(customer.reference_id))
  must('customer.type', customer.type === 'INDIVIDUAL')
  must('customer.email', typeof customer.email === 'string' && customer.email.includes('@'))
  must('customer.individual_detail.given_names', text(detail.given_names))
  must('success_return_url', address(body.success_return_url))
  must('cancel_return_url', address(body.cancel_return_url))
  const sum = items.reduce((total, item) => total + Number(item.net_unit_amount) * Number(item.quantity), 0)
  must(
    'customer.mobile_number',
    !('mobile_number' in customer) || /^\+62\d{8,13}$/.test(String(customer.mobile_number)),
  )
  must('items', items.length > 0 && sum === body.amount)
  must(
    'items.category',
    items.every(({ category }) => text(category)),
  )
  return wrong
}
