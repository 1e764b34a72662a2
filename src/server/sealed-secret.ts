import { CompactEncrypt, compactDecrypt } from 'jose'
import type { Config } from './config.ts'
import { derivedKey } from './secrets.ts'

type Keys = Pick<Config, 'jwtSecret' | 'previousJwtSecret'>

/** Each has its own key, so that none passes for another or for an access token. */
type SecretPurpose = 'second factor' | 'webhook'

/** A copy of the database alone must not reveal the secret. */
export async function sealSecret(config: Keys, purpose: SecretPurpose, text: string): Promise<string> {
  return await new CompactEncrypt(new TextEncoder().encode(text))
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .encrypt(derivedKey(config.jwtSecret, purpose))
}

export async function unsealSecret(config: Keys, purpose: SecretPurpose, sealed: string): Promise<string> {
  const open = (secret: Uint8Array) => compactDecrypt(sealed, derivedKey(secret, purpose))
  const { plaintext } = await open(config.jwtSecret).catch((error: unknown) => {
    if (config.previousJwtSecret) return open(config.previousJwtSecret)
    throw error
  })
  return new TextDecoder().decode(plaintext)
}

/**
 * Key rotation: encrypts with the new key what the previous one sealed, so that the previous key
 * can be removed. Undefined if that is done.
 */
export async function resealSecret(config: Keys, purpose: SecretPurpose, sealed: string): Promise<string | undefined> {
  const isCurrent = await compactDecrypt(sealed, derivedKey(config.jwtSecret, purpose)).then(
    () => true,
    () => false,
  )
  return isCurrent ? undefined : await sealSecret(config, purpose, await unsealSecret(config, purpose, sealed))
}
