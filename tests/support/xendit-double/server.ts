import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Gateway, Reply } from './gateway.ts'
import { createPaymentRequests, type DoublePaymentRequest } from './payment-requests.ts'
import { createRefunds } from './refunds.ts'
import { createSessions, type DoubleSession } from './sessions.ts'

export type { DoublePaymentRequest, DoubleSession }

/**
 * Error or cut before or after the effect, refusal, conflict with the existing record, rate limit,
 * or hold.
 */
export type Mishap = 'error_before' | 'error_after' | 'cut_before' | 'cut_after' | 'refuse' | 'conflict' | 'busy' | Hold
/**
 * `reached` settles after the effect (or, with `before`, at arrival); `release` lets it be
 * answered.
 */
export interface Hold {
  before: boolean
  reached: () => void
  release: Promise<void>
}

export async function createXenditDouble({ secretKey, callbackToken }: { secretKey: string; callbackToken: string }) {
  const mishaps: { method: string; mishap: Mishap }[] = []
  const calls: string[] = []
  const gateway: Gateway = {
    problems: [],
    bodies: [],
    now: { forgetsKeys: false, presents: [], refusesRequests: null, showsNothing: false, hangs: null },
  }
  const { problems } = gateway
  const { sessions, handle: handleSession } = createSessions(gateway)
  const { requests, handle: handleRequest, pay: payRequest } = createPaymentRequests(gateway)
  const { refunds, handle: handleRefund } = createRefunds(gateway, [requests, sessions])
  const load = { parallel: 0, maxParallel: 0 }

  const server = createServer((request, response) => {
    load.parallel += 1
    load.maxParallel = Math.max(load.maxParallel, load.parallel)
    respond(request, response)
      .catch((error: unknown) => {
        problems.push(String(error))
        response.destroy()
      })
      .finally(() => {
        load.parallel -= 1
      })
  })

  async function respond(request: IncomingMessage, response: ServerResponse) {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { method = '', url = '', headers } = request
    calls.push(`${method} ${url}`)
    const say = (status: number, body: unknown) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(body))
    }
    if (headers.authorization !== `Basic ${Buffer.from(`${secretKey}:`).toString('base64')}`) {
      problems.push('wrong authorization')
      return say(401, { error_code: 'INVALID_API_KEY', message: 'API key is not authorized' })
    }
    if (gateway.now.hangs) await gateway.now.hangs
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
    const segments = url.split('/').slice(1)
    const [status, body] = route({ method, segments, text: Buffer.concat(chunks).toString(), headers })
    if (mishap === 'error_after') return say(500, broken)
    if (mishap === 'conflict') {
      const { payment_session_id, payment_request_id } = body as Partial<DoubleSession>
      const name = payment_session_id ? { payment_session_id } : { payment_request_id }
      return say(409, { error_code: 'DUPLICATE_ERROR', message: 'it is there already', ...name })
    }
    if (mishap === 'cut_after') return response.destroy()
    if (hold && !hold.before) {
      hold.reached()
      await hold.release
    }
    say(status, body)
  }

  function route(call: Parameters<typeof handleSession>[0]): Reply {
    const [root, second] = call.segments
    if (root === 'sessions') return handleSession(call)
    if (root === 'refunds') return handleRefund(call)
    if (root === 'v3' && (second === 'payment_requests' || second === 'payments')) return handleRequest(call)
    return [404, { error_code: 'NOT_FOUND', message: 'no such path' }]
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  const find = <Kind>(kind: Map<string, Kind>, id: string): Kind => {
    const found = kind.get(id)
    if (!found) throw new Error(`the double has no ${id}`)
    return found
  }

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    env: { PAYMENTS: 'xendit', XENDIT_SECRET_KEY: secretKey, XENDIT_CALLBACK_TOKEN: callbackToken },
    callbackToken,
    sessions,
    requests,
    refunds,
    calls,
    bodies: gateway.bodies,
    now: gateway.now,
    load,
    problems,
    /** In this order. */
    misbehave(method: 'GET' | 'POST', ...kinds: Mishap[]) {
      for (const mishap of kinds) mishaps.push({ method, mishap })
    },
    /** Until the returned function is called. */
    hang(): () => void {
      const { promise, resolve } = Promise.withResolvers<void>()
      gateway.now.hangs = promise
      return () => {
        gateway.now.hangs = null
        resolve()
      }
    },
    /** Before or after it takes effect. */
    hold(method: 'GET' | 'POST', { before }: { before: boolean }) {
      const { promise: reached, resolve: arrive } = Promise.withResolvers<void>()
      const { promise: release, resolve: letGo } = Promise.withResolvers<void>()
      mishaps.push({ method, mishap: { before, reached: arrive, release } })
      return { reached, letGo }
    },
    /** The amount may be wrong, as after tampering. */
    pay(id: string, paid: Partial<Pick<DoubleSession, 'amount' | 'currency'>> = {}): DoubleSession {
      return Object.assign(find(sessions, id), paid, {
        status: 'COMPLETED',
        payment_request_id: `pr-${crypto.randomUUID()}`,
        payment_id: `py-${crypto.randomUUID()}`,
      })
    },
    set(id: string, status: DoubleSession['status']): DoubleSession {
      return Object.assign(find(sessions, id), { status })
    },
    payRequest(id: string, paid: Partial<Pick<DoubleSession, 'amount' | 'currency'>> = {}) {
      return payRequest(find(requests, id), paid)
    },
    setRequest(id: string, status: DoublePaymentRequest['status']): DoublePaymentRequest {
      return Object.assign(find(requests, id), { status })
    },
    /** The session's state, or the given one. */
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
