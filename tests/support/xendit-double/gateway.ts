import type { IncomingMessage } from 'node:http'

export interface Call {
  method: string
  segments: string[]
  text: string
  headers: IncomingMessage['headers']
}

export type Reply = [status: number, body: unknown]

export interface Action {
  type: string
  descriptor: string
  value: string
}

export interface Gateway {
  /** A real Xendit would have refused these. */
  problems: string[]
  bodies: Record<string, unknown>[]
  now: {
    /** Ignores idempotency keys. */
    forgetsKeys: boolean
    presents: Action[]
    /** As for an account without permission; null while accepted. */
    refusesRequests: [status: number, errorCode: string] | null
    /** Payment requests have nothing to show. */
    showsNothing: boolean
    /** No call is answered before this settles. */
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

export function wrongFields(check: (must: (name: string, holds: boolean) => void) => void): string[] {
  const wrong: string[] = []
  check((name, holds) => {
    if (!holds) wrong.push(name)
  })
  return wrong
}

/**
 * The same body again returns the same object, another one conflicts. Keys may be forgotten, as at
 * a real Xendit.
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
