import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { importJWK, jwtVerify } from 'jose'
import type { PushMessage } from '#shared/push-message.ts'

const { subtle } = globalThis.crypto
const base64url = (bytes: ArrayBuffer | Uint8Array) => Buffer.from(bytes as Uint8Array).toString('base64url')
const hash = (salt: BufferSource, info: string | Uint8Array) => ({
  name: 'HKDF',
  hash: 'SHA-256',
  salt,
  info: typeof info === 'string' ? new TextEncoder().encode(info) : new Uint8Array(info),
})

/** The browser's subscription, and received messages. */
export interface PushDevice {
  subscription: { endpoint: string; keys: { p256dh: string; auth: string } }
  received: PushMessage[]
  headers: Record<string, string | undefined>[]
}

/**
 * Validates like a real push service (RFC 8030, 8292) and decrypts (RFC 8291); devices subscribed
 * with `publicKey`.
 */
export async function createPushService(publicKey: string) {
  const devices = new Map<string, PushDevice & { pair: CryptoKeyPair; auth: Buffer }>()
  const answers: number[] = []
  const refused: string[] = []
  let origin = ''

  async function verify(authorization = ''): Promise<void> {
    const [, token = '', key = ''] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(authorization) ?? []
    if (key !== publicKey) throw new Error('another key than the one subscribed with')
    const point = Buffer.from(key, 'base64url')
    const [x, y] = [base64url(point.subarray(1, 33)), base64url(point.subarray(33))]
    const verifier = await importJWK({ kty: 'EC', crv: 'P-256', x, y }, 'ES256')
    const { payload } = await jwtVerify(token, verifier, { audience: origin, requiredClaims: ['exp', 'sub'] })
    if (!/^(mailto:|https:)/.test(payload.sub ?? '')) throw new Error('a subject that is no address')
  }

  async function decrypt(body: Buffer, { pair, auth }: { pair: CryptoKeyPair; auth: Buffer }): Promise<string> {
    const [salt, length] = [body.subarray(0, 16), body.readUInt8(20)]
    const [sender, sealed] = [body.subarray(21, 21 + length), body.subarray(21 + length)]
    const curve = { name: 'ECDH', namedCurve: 'P-256' }
    const peer = await subtle.importKey('raw', new Uint8Array(sender), curve, false, [])
    const own = await subtle.exportKey('raw', pair.publicKey)
    const shared = await subtle.deriveBits({ name: 'ECDH', public: peer }, pair.privateKey, 256)
    const info = Buffer.concat([Buffer.from('WebPush: info\0'), Buffer.from(own), sender])
    const keyOf = (bits: ArrayBuffer) => subtle.importKey('raw', bits, 'HKDF', false, ['deriveBits'])
    const secret = await keyOf(await subtle.deriveBits(hash(new Uint8Array(auth), info), await keyOf(shared), 256))
    const derive = (name: string, bits: number) =>
      subtle.deriveBits(hash(new Uint8Array(salt), `Content-Encoding: ${name}\0`), secret, bits)
    const key = await subtle.importKey('raw', await derive('aes128gcm', 128), 'AES-GCM', false, ['decrypt'])
    const iv = await derive('nonce', 96)
    const plain = Buffer.from(await subtle.decrypt({ name: 'AES-GCM', iv }, key, new Uint8Array(sealed)))
    if (plain.at(-1) !== 2) throw new Error('not the last record')
    return plain.subarray(0, -1).toString('utf8')
  }

  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    const device = devices.get(request.url ?? '')
    const status = answers.shift() ?? (device ? 201 : 410)
    try {
      if (request.method !== 'POST' || !/^\d+$/.test(String(request.headers.ttl))) throw new Error('no TTL')
      if (request.headers['content-encoding'] !== 'aes128gcm') throw new Error('not RFC 8291')
      await verify(request.headers.authorization)
      if (device && status === 201) {
        device.received.push(JSON.parse(await decrypt(body, device)) as PushMessage)
        device.headers.push(request.headers as Record<string, string>)
      }
      response.writeHead(status).end()
    } catch (error) {
      refused.push(String(error))
      response.writeHead(400).end()
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    origin,
    refused,
    /** For the next messages. */
    answerNext: (...statuses: number[]) => void answers.push(...statuses),
    async register(): Promise<PushDevice> {
      const pair = (await subtle.generateKey({ name: 'ECDH', namedCurve: 'P-256' }, true, [
        'deriveBits',
      ])) as CryptoKeyPair
      const auth = randomBytes(16)
      const path = `/push/${randomUUID()}`
      const keys = { p256dh: base64url(await subtle.exportKey('raw', pair.publicKey)), auth: base64url(auth) }
      const device = { subscription: { endpoint: `${origin}${path}`, keys }, received: [], headers: [], pair, auth }
      devices.set(path, device)
      return device
    },
    /** As after the browser unsubscribed. */
    forget: ({ subscription }: PushDevice) => void devices.delete(new URL(subscription.endpoint).pathname),
    async stop() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
