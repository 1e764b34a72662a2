import type { IncomingMessage } from 'node:http'

/** A call as the double's parts see it. */
export interface Call {
  method: string
  /** Of the path, without the leading slash. */
  segments: string[]
  text: string
  headers: IncomingMessage['headers']
}

/** Status and body of a response. */
export type Reply = [status: number, body: unknown]

/** Action that a response presents to the buyer. */
export interface Action {
  type: string
  descriptor: string
  value: string
}

/** State shared by all parts of the double. */
export interface Gateway {
  /** Violations that a real Xendit would have refused. */
  problems: string[]
  /** The body of everything that was asked for. */
  bodies: Record<string, unknown>[]
  now: {
    /** Ignores idempotency keys when true. */
    forgetsKeys: boolean
    /** Actions that the next sessions present to the buyer. */
    presents: Action[]
    /**
     * Refusal of payment requests, as for an account that may not make them; null while they are
     * accepted.
     */
    refusesRequests: [status: number, errorCode: string] | null
    /** Payment requests come without anything to show. */
    showsNothing: boolean
    /** No call is answered before this settles; null while it is well. */
    hangs: Promise<void> | null
  }
}

export const virtualAccount = /^(CIMB|BRI|BNI|BSI|MANDIRI|BCA)_VIRTUAL_ACCOUNT$/
export const channel = /^((CIMB|BRI|BNI|BSI|MANDIRI|BCA)_VIRTUAL_ACCOUNT|QRIS|DANA|GOPAY|OVO|SHOPEEPAY|LINKAJA)$/

export const isText = (value: unknown, most = 255) =>
  typeof value === 'string' && value.length > 0 && value.length <= most
export const isAddress = (value: unknown) =>
  typeof value === 'string' && /^https?:$/.test(URL.parse(value)?.protocol ?? '')
export const isMoment = (value: unknown) => typeof value === 'string' && Number.isFinite(Date.parse(value))

/** Names what is wrong with a body. */
export function wrongFields(check: (must: (name: string, holds: boolean) => void) => void): string[] {
  const wrong: string[] = []
  check((name, holds) => {
    if (!holds) wrong.push(name)
  })
  return wrong
}

/**
 * Makes something once for an idempotency key: the same body again is the same thing, and another
 * one a conflict. A real Xendit may forget keys, and so may this one.
 */
export function createOnce<Made>(
  { now, bodies, problems }: Gateway,
  wrongIn: (body: Record<string, unknown>) => string[],
  make: (body: Record<string, unknown>) => Made,
) {
  const made = new Map<string, { text: string; thing: Made }>()
  return ({ text, headers }: Call): Reply => {
    const key = headers['idempotency-key']
    const body = JSON.parse(text) as Record<string, unknown>
    const wrong = wrongIn(body)
    if (!isText(key)) wrong.push('idempotency-key')
    if (!/^application\/json/.test(headers['content-type'] ?? '')) wrong.push('content-type')
    if (wrong.length > 0) {
      problems.push(`wrong fields: ${wrong.join(', ')}`)
      return [400, { error_code: 'API_VALIDATION_ERROR', message: wrong.join(', ') }]
    }
    bodies.push(body)
    const before = now.forgetsKeys ? undefined : made.get(String(key))
    if (before && before.text !== text) return [409, { error_code: 'IDEMPOTENCY_ERROR', message: 'another body' }]
    if (before) return [200, before.thing]
    const thing = make(body)
    made.set(String(key), { text, thing })
    return [201, thing]
  }
}
