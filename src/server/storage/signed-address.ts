import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Config } from '../config.ts'

/** Expiry times are aligned to these periods, so that the browser can cache an address … */
const periodSeconds = 20 * 60
/** … and are valid for an hour at most, for anyone who gets hold of an address. */
const periods = 3

interface Signed {
  id: string
  /** Without this session the address does not work; none for a mailed link. */
  session?: string | undefined
  expires: string | undefined
  signature: string | undefined
}

/** Works without a token until it expires or its session ends; `expires` in seconds since 1970. */
export function signFileAddress(
  file: { id: string; name: string; session: string },
  key: Uint8Array,
  now: Date,
): string {
  return `/api/files/${file.id}/${encodeURIComponent(file.name)}?${signedQuery(file, key, now)}`
}

/** Ids of other things than files begin with their kind. */
export function signedQuery(
  { id, session }: { id: string; session: string },
  key: Uint8Array,
  now: Date,
): URLSearchParams {
  const expires = (Math.floor(now.getTime() / 1000 / periodSeconds) + periods) * periodSeconds
  return new URLSearchParams({
    session,
    expires: String(expires),
    signature: signature(subject({ id, session }), expires, key),
  })
}

/** 0 if the address has expired or was made with none of these keys; assumes a living session. */
export function fileAddressSeconds(address: Signed, key: Uint8Array | readonly Uint8Array[], now: Date): number {
  if (!address.expires || !address.signature || !/^\d{1,12}$/.test(address.expires)) return 0
  const expires = Number(address.expires)
  const given = Buffer.from(address.signature)
  const isMadeWith = (one: Uint8Array) => {
    const wanted = Buffer.from(signature(subject(address), expires, one))
    return given.length === wanted.length && timingSafeEqual(given, wanted)
  }
  if (![key].flat().some(isMadeWith)) return 0
  return Math.max(0, expires - Math.floor(now.getTime() / 1000))
}

export function signingKeys(config: Pick<Config, 'fileSigningKey' | 'previousFileSigningKey'>): Uint8Array[] {
  return [config.fileSigningKey, config.previousFileSigningKey].filter((key) => key !== undefined)
}

const subject = ({ id, session }: Pick<Signed, 'id' | 'session'>) => (session === undefined ? id : `${id}:${session}`)

/** Signature of an id and a moment that only this server can compute. */
export function signature(id: string, expires: number, key: Uint8Array): string {
  return createHmac('sha256', key).update(`${id}:${expires}`).digest('base64url')
}
