import { type } from 'arktype'
import type { XenditConfig } from '#server/payment-config.ts'
import { createCircuitBreaker } from './circuit-breaker.ts'
import { PaymentRefused } from './port.ts'

/** A buyer waits for some of the calls. */
const timeLimit = 10_000
const restMilliseconds = 15_000
const maxRestSeconds = 300

const refusal = type({ error_code: 'string', 'payment_session_id?': 'string | null' })

/** The gateway already has something under this key, and says what. */
export class AlreadyThere extends Error {
  readonly sessionId: string

  constructor(sessionId: string) {
    super('xendit has this session already')
    this.name = 'AlreadyThere'
    this.sessionId = sessionId
  }
}

type Call = (method: 'GET' | 'POST', path: string, body?: object, key?: string) => Promise<unknown>

/** One circuit breaker an account at the gateway, whoever in this process calls it. */
const calls = new WeakMap<XenditConfig, Call>()

/** Calls Xendit's API; every call ends within the time limit. */
export function xenditApi(xendit: XenditConfig): Call {
  const known = calls.get(xendit)
  if (known) return known
  const breaker = createCircuitBreaker({
    failures: 5,
    restMilliseconds,
    isFailure: (error) => !(error instanceof PaymentRefused || error instanceof AlreadyThere),
  })
  const authorization = `Basic ${Buffer.from(`${xendit.secretKey}:`).toString('base64')}`

  const send: Call = async (method, path, body, key) => {
    const response = await fetch(new URL(path, xendit.baseUrl), {
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
    if (response.ok) return await response.json()
    if (response.status === 429) breaker.rest(restAfter(response.headers.get('retry-after')))
    throw failure(response.status, refusal(await response.json().catch(() => null)))
  }
  const call: Call = (...given) => breaker.run(() => send(...given))
  calls.set(xendit, call)
  return call
}

function failure(status: number, said: ReturnType<typeof refusal>): Error {
  const known = said instanceof type.errors ? undefined : said
  const reason = `${status} ${known?.error_code.slice(0, 80) ?? ''}`
  if (status === 409 && known?.payment_session_id) return new AlreadyThere(known.payment_session_id)
  const final = status >= 400 && status < 500 && ![408, 425, 429].includes(status)
  return final ? new PaymentRefused(`xendit refused: ${reason}`, status) : new Error(`xendit failed: ${reason}`)
}

function restAfter(header: string | null): number {
  const seconds = Number(header)
  return header !== null && seconds > 0 ? Math.min(seconds, maxRestSeconds) * 1000 : restMilliseconds
}
