import { createHmac } from 'node:crypto'
import { CompactEncrypt, compactDecrypt } from 'jose'
import type { Config } from '#server/config.ts'

type Secret = Pick<Config, 'jwtSecret'>

/**
 * Encrypts what the server must read again, so that a copy of the database alone does not give it
 * away.
 */
export async function sealSecret(config: Secret, text: string): Promise<string> {
  return await new CompactEncrypt(new TextEncoder().encode(text))
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .encrypt(key(config))
}

export async function openSecret(config: Secret, sealed: string): Promise<string> {
  const { plaintext } = await compactDecrypt(sealed, key(config))
  return new TextDecoder().decode(plaintext)
}

/** Not the key of access tokens: one must never pass for the other. */
function key({ jwtSecret }: Secret): Uint8Array {
  return createHmac('sha256', jwtSecret).update('second factor').digest()
}
