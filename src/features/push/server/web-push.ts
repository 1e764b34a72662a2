import { createCipheriv, createECDH, ECDH, hkdfSync, randomBytes } from 'node:crypto'
import { importJWK, SignJWT } from 'jose'
import type { Config } from '#server/config.ts'

/** Base64url, with the names of the subscription. */
interface DeviceKeys {
  p256dh: string
  auth: string
}

const curve = 'prime256v1'
const recordSize = 4096

/**
 * False for keys no message can be encrypted with: the public key must be an uncompressed point of
 * P-256 (65 octets) and the secret have 16 octets (RFC 8291, section 2).
 */
export function areUsableKeys({ p256dh, auth }: DeviceKeys): boolean {
  const point = Buffer.from(p256dh, 'base64url')
  // OpenSSL also takes compressed and hybrid points, which browsers never send.
  if (point.length !== 65 || point[0] !== 4 || Buffer.from(auth, 'base64url').length !== 16) return false
  try {
    ECDH.convertKey(point, curve)
    return true
  } catch {
    return false
  }
}

/**
 * RFC 8291, in one record of RFC 8188. The keys must have passed {@link areUsableKeys}. `made` is
 * for the test vector of the RFC alone.
 */
export function encrypt(
  text: string,
  { p256dh, auth }: DeviceKeys,
  made: { salt: Uint8Array; privateKey?: Uint8Array } = { salt: randomBytes(16) },
): Uint8Array<ArrayBuffer> {
  const { salt, privateKey } = made
  const own = createECDH(curve)
  if (privateKey) own.setPrivateKey(privateKey)
  else own.generateKeys()
  const [device, server] = [Buffer.from(p256dh, 'base64url'), own.getPublicKey()]
  const keyInfo = Buffer.concat([Buffer.from('WebPush: info\0'), device, server])
  const secret = hkdfSync('sha256', own.computeSecret(device), Buffer.from(auth, 'base64url'), keyInfo, 32)
  const derive = (name: string, bytes: number) =>
    new Uint8Array(hkdfSync('sha256', new Uint8Array(secret), salt, `Content-Encoding: ${name}\0`, bytes))
  const cipher = createCipheriv('aes-128-gcm', derive('aes128gcm', 16), derive('nonce', 12))
  // The octet after the text says that no record follows.
  const sealed = [cipher.update(text, 'utf8'), cipher.update(Uint8Array.of(2)), cipher.final(), cipher.getAuthTag()]
  const head = Buffer.alloc(5)
  head.writeUInt32BE(recordSize)
  head.writeUInt8(server.length, 4)
  return new Uint8Array(Buffer.concat([salt, head, server, ...sealed]))
}

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
