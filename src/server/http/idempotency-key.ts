import { appError } from './app-error.ts'

const longest = 200

/**
 * Idempotency-Key (IETF draft): a quoted structured-field string or, as most clients send it, a
 * bare one.
 */
export function idempotencyKey(header: string | undefined): string {
  const text = header?.trim() ?? ''
  if (text === '') throw appError('idempotency.key_missing')
  const quoted = /^"((?:[\x20-\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/.exec(text)
  const key = quoted?.[1] === undefined ? text : quoted[1].replace(/\\(["\\])/g, '$1')
  const wellFormed = quoted ? key.trim() !== '' : /^[\x21-\x7e]+$/.test(key) && !/[",;\\]/.test(key)
  if (!wellFormed || key.length > longest) throw appError('idempotency.key_invalid')
  return key
}
