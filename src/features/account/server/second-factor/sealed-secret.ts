import { CompactEncrypt, compactDecrypt } from 'jose'
import type { Config } from '#server/config.ts'
import { derivedKey } from '#server/secrets.ts'

type Secret = Pick<Config, 'jwtSecret' | 'previousJwtSecret'>

/**
 * Encrypts what the server must read again, so that a copy of the database alone does not give it
 * away.
 */
export async function sealSecret(config: Secret, text: string): Promise<string> {
  return await new CompactEncrypt(new TextEncoder().encode(text))
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .encrypt(key(config.jwtSecret))
}

export async function openSecret(config: Secret, sealed: string): Promise<string> {
  const open = (secret: Uint8Array) => compactDecrypt(sealed, key(secret))
  const { plaintext } = await open(config.jwtSecret).catch((error: unknown) => {
    if (config.previousJwtSecret) return open(config.previousJwtSecret)
    throw error
  })
  return new TextDecoder().decode(plaintext)
}

/** Whether it was sealed with the key that is exchanged, so that it must be sealed anew. */
export async function isSealedBefore(config: Secret, sealed: string): Promise<boolean> {
  return await compactDecrypt(sealed, key(config.jwtSecret)).then(
    () => false,
    () => true,
  )
}

/** Not the key of access tokens: one must never pass for the other. */
function key(jwtSecret: Uint8Array): Uint8Array {
  return derivedKey(jwtSecret, 'second factor')
}
