import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto'

type Json = Record<string, unknown>

/** Makes passkeys and signs (WebAuthn Level 3, attestation "none", ES256). */
export function createPasskeyDevice(origin: string) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  const id = randomBytes(32)
  let counter = 0

  const clientData = (type: string, challenge: string) =>
    Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))

  /** Hash of the relying party, flags (present, verified), counter, new credential. */
  const authenticatorData = (credential?: Buffer) => {
    const count = Buffer.alloc(4)
    count.writeUInt32BE(counter++)
    const flags = credential ? 0x45 : 0x05
    const party = createHash('sha256').update(new URL(origin).hostname).digest()
    return Buffer.concat([party, Buffer.from([flags]), count, credential ?? Buffer.alloc(0)])
  }

  /** COSE: {1: 2, 3: -7, -1: 1, -2: x, -3: y}. */
  const coseKey = () =>
    Buffer.concat([
      Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]),
      Buffer.from(x, 'base64url'),
      Buffer.from([0x22, 0x58, 0x20]),
      Buffer.from(y, 'base64url'),
    ])

  const envelope = (response: Json): Json => ({
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key',
    clientExtensionResults: {},
    response,
  })

  return {
    make({ challenge }: { challenge: string }): Json {
      const length = Buffer.alloc(2)
      length.writeUInt16BE(id.length)
      const data = authenticatorData(Buffer.concat([Buffer.alloc(16), length, id, coseKey()]))
      const size = Buffer.alloc(2)
      size.writeUInt16BE(data.length)
      // CBOR: {"fmt": "none", "attStmt": {}, "authData": bytes}
      const attestation = Buffer.concat([
        Buffer.from([0xa3, 0x63]),
        Buffer.from('fmt'),
        Buffer.from([0x64]),
        Buffer.from('none'),
        Buffer.from([0x67]),
        Buffer.from('attStmt'),
        Buffer.from([0xa0, 0x68]),
        Buffer.from('authData'),
        Buffer.from([0x59]),
        size,
        data,
      ])
      return envelope({
        clientDataJSON: clientData('webauthn.create', challenge).toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      })
    },
    use({ challenge }: { challenge: string }): Json {
      const data = authenticatorData()
      const client = clientData('webauthn.get', challenge)
      const signed = Buffer.concat([data, createHash('sha256').update(client).digest()])
      return envelope({
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', signed, privateKey).toString('base64url'),
      })
    },
  }
}
