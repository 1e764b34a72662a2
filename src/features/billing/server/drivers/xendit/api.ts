import { type } from '#shared/schema.ts'
import type { XenditConfig } from '../../payments/payment-config.ts'
import { PaymentRefused, type PaymentSession } from '../payment-driver.ts'

/** Thrown without calling the gateway while the circuit is open. */
export class CircuitOpen extends Error {
  constructor() {
    super('the gateway is not asked for a while, because it keeps failing')
    this.name = 'CircuitOpen'
  }
}

interface Settings {
  /** Number of failures in a row that opens the circuit. */
  failures: number
  /** Milliseconds without calls after opening; then a single trial call is let through. */
  restMilliseconds: number
  /** False for a definite refusal. */
  isFailure(error: unknown): boolean
  now?: () => number
}

/** While the gateway is down, buyers do not wait for it; when it recovers, it is not flooded. */
export function createCircuitBreaker({
  failures,
  restMilliseconds,
  isFailure,
  now = () => performance.now(),
}: Settings) {
  let failed = 0
  let openUntil = 0
  let trying = false

  return {
    async run<Result>(action: () => Promise<Result>): Promise<Result> {
      const open = failed >= failures
      if (open && (trying || now() < openUntil)) throw new CircuitOpen()
      if (open) trying = true
      try {
        const result = await action()
        failed = 0
        return result
      } catch (error) {
        if (isFailure(error)) {
          failed += 1
          openUntil = now() + restMilliseconds
        } else {
          failed = 0
        }
        throw error
      } finally {
        if (open) trying = false
      }
    },
    /** True from the failure that opened the circuit until a call succeeds. */
    isOpen: () => failed >= failures,
    /** As requested by the gateway. */
    rest(milliseconds: number): void {
      failed = Math.max(failed, failures)
      openUntil = now() + milliseconds
    },
  }
}

/** Milliseconds; a buyer waits for some of the calls. */
const timeLimit = 10_000
const restMilliseconds = 15_000
const maxRestSeconds = 300

/** The Payments API refuses calls without it. */
const apiVersion = '2024-11-11'
const tries = 2

const refusal = type({
  error_code: 'string',
  'payment_session_id?': 'string | null',
  'payment_request_id?': 'string | null',
})

/** `id` is the object that has this key at the gateway. */
export class AlreadyExists extends Error {
  readonly id: string

  constructor(id: string) {
    super('xendit has this already')
    this.name = 'AlreadyExists'
    this.id = id
  }
}

type Send = (method: 'GET' | 'POST', path: string, body?: object, key?: string) => Promise<unknown>

/** Each call ends within the time limit. */
export interface XenditCall {
  /** Null if the object does not exist. */
  find(path: string): Promise<unknown>
  post(path: string, body?: object, key?: string): Promise<unknown>
  /** Refused locally, because the gateway keeps failing. */
  isSuspended(): boolean
}

/** A single circuit breaker per account at the gateway, for all calls of this process. */
const calls = new WeakMap<XenditConfig, XenditCall>()

export function xenditApi(xendit: XenditConfig): XenditCall {
  const known = calls.get(xendit)
  if (known) return known
  const breaker = createCircuitBreaker({
    failures: 5,
    restMilliseconds,
    isFailure: (error) => !(error instanceof PaymentRefused || error instanceof AlreadyExists),
  })
  const authorization = `Basic ${Buffer.from(`${xendit.secretKey}:`).toString('base64')}`

  const send: Send = async (method, path, body, key) => {
    const response = await fetch(new URL(path, xendit.baseUrl), {
      method,
      headers: {
        authorization,
        accept: 'application/json',
        ...(path.startsWith('/v3/') && { 'api-version': apiVersion }),
        ...(body && { 'content-type': 'application/json' }),
        ...(key && { 'idempotency-key': key }),
      },
      ...(body && { body: JSON.stringify(body) }),
      redirect: 'error',
      signal: AbortSignal.timeout(timeLimit),
    })
    if (response.ok) return await response.json()
    if (response.status === 429) breaker.rest(retryAfterMilliseconds(response.headers.get('retry-after')))
    throw failure(response.status, refusal(await response.json().catch(() => null)))
  }
  const run: Send = (...given) => breaker.run(() => send(...given))
  const call: XenditCall = {
    async find(path) {
      try {
        return await run('GET', path)
      } catch (error) {
        if (!(error instanceof PaymentRefused)) throw error
        if (error.status === 404) return null
        // A refused read permission must not be taken for a missing object.
        throw new Error('xendit denied reading an object', { cause: error })
      }
    },
    post: (path, body, key) => run('POST', path, body, key),
    isSuspended: breaker.isOpen,
  }
  calls.set(xendit, call)
  return call
}

function failure(status: number, answer: ReturnType<typeof refusal>): Error {
  const known = answer instanceof type.errors ? undefined : answer
  const reason = `${status} ${known?.error_code.slice(0, 80) ?? ''}`
  const there = known?.payment_session_id ?? known?.payment_request_id
  if (status === 409 && there) return new AlreadyExists(there)
  const final = status >= 400 && status < 500 && ![408, 425, 429].includes(status)
  return final ? new PaymentRefused(`xendit refused: ${reason}`, status) : new Error(`xendit failed: ${reason}`)
}

function retryAfterMilliseconds(header: string | null): number {
  const seconds = Number(header)
  return header !== null && seconds > 0 ? Math.min(seconds, maxRestSeconds) * 1000 : restMilliseconds
}

/** Repeats once, unless the first try took long: a buyer waits. */
export async function retryUnknownOutcome<Result>(action: () => Promise<Result>): Promise<Result> {
  for (let left = tries; ; left -= 1) {
    try {
      return await action()
    } catch (error) {
      const slow = error instanceof Error && error.name === 'TimeoutError'
      if (error instanceof PaymentRefused || slow || left <= 1) throw error
    }
  }
}

/** Items in a Xendit response that the buyer must see. */
export const presentedActions = type({ descriptor: 'string', 'value?': '1 <= string <= 2000 | null' })
  .array()
  .or('null')

export function paymentInstructions(
  actions: typeof presentedActions.infer | undefined,
): Pick<PaymentSession, 'vaNumber' | 'qrContent'> {
  const shown = (descriptor: string) => actions?.find((action) => action.descriptor === descriptor)?.value
  const vaNumber = shown('VIRTUAL_ACCOUNT_NUMBER')
  const qrContent = shown('QR_STRING')
  return { ...(vaNumber && { vaNumber }), ...(qrContent && { qrContent }) }
}
