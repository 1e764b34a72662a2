import { createECDH } from 'node:crypto'
import { importJWK, SignJWT } from 'jose'
import type { Config } from '#server/config.ts'

const hours = 12

/** Base64url. */
export function publicKeyOf(privateKey: Uint8Array): string {
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(privateKey)
  return pair.getPublicKey('base64url')
}

/** Authorization header for a push service's endpoint (RFC 8292). */
export async function vapidHeader(
  endpoint: URL,
  privateKey: Uint8Array,
  { publicUrl, supportEmail, clock }: Pick<Config, 'publicUrl' | 'supportEmail'> & { clock: () => Date },
): Promise<string> {
  const point = Buffer.from(publicKeyOf(privateKey), 'base64url')
  const part = (from: number, to: number) => point.subarray(from, to).toString('base64url')
  const d = Buffer.from(privateKey).toString('base64url')
  const key = await importJWK({ kty: 'EC', crv: 'P-256', x: part(1, 33), y: part(33, 65), d }, 'ES256')
  const now = Math.floor(clock().getTime() / 1000)
  const token = await new SignJWT()
    .setProtectedHeader({ typ: 'JWT', alg: 'ES256' })
    .setAudience(endpoint.origin)
    .setExpirationTime(now + hours * 3600)
    .setSubject(publicUrl.protocol === 'https:' ? publicUrl.origin : `mailto:${supportEmail}`)
    .sign(key)
  return `vapid t=${token}, k=${point.toString('base64url')}`
}
