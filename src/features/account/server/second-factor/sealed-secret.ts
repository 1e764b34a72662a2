import { and, eq } from 'drizzle-orm'
import { CompactEncrypt, compactDecrypt } from 'jose'
import { totpSecrets } from '#server/auth/table.ts'
import type { Config } from '#server/config.ts'
import type { Deps } from '#server/deps.ts'
import { derivedKey } from '#server/secrets.ts'

type Secret = Pick<Config, 'jwtSecret' | 'previousJwtSecret'>

/** A copy of the database alone must not reveal the secret. */
export async function sealSecret(config: Secret, text: string): Promise<string> {
  return await new CompactEncrypt(new TextEncoder().encode(text))
    .setProtectedHeader({ alg: 'dir', enc: 'A256GCM' })
    .encrypt(key(config.jwtSecret))
}

export async function unsealSecret(config: Secret, sealed: string): Promise<string> {
  const open = (secret: Uint8Array) => compactDecrypt(sealed, key(secret))
  const { plaintext } = await open(config.jwtSecret).catch((error: unknown) => {
    if (config.previousJwtSecret) return open(config.previousJwtSecret)
    throw error
  })
  return new TextDecoder().decode(plaintext)
}

/** True if the previous key encrypted it. */
export async function isSealedWithPreviousKey(config: Secret, sealed: string): Promise<boolean> {
  return await compactDecrypt(sealed, key(config.jwtSecret)).then(
    () => false,
    () => true,
  )
}

/** Differs from the key of access tokens: neither kind may pass for the other. */
function key(jwtSecret: Uint8Array): Uint8Array {
  return derivedKey(jwtSecret, 'second factor')
}

/** Key rotation: encrypts again with the new key, so that the previous key can be removed. */
export async function resealSecrets({ db, config, log }: Pick<Deps, 'db' | 'config' | 'log'>): Promise<void> {
  if (!config.previousJwtSecret) return
  let resealed = 0
  for (const { userId, secret } of await db
    .select({ userId: totpSecrets.userId, secret: totpSecrets.secret })
    .from(totpSecrets)) {
    if (!(await isSealedWithPreviousKey(config, secret))) continue
    const anew = await sealSecret(config, await unsealSecret(config, secret))
    await db
      .update(totpSecrets)
      .set({ secret: anew })
      .where(and(eq(totpSecrets.userId, userId), eq(totpSecrets.secret, secret)))
    resealed += 1
  }
  if (resealed > 0) log.info({ resealed }, 'second factors re-encrypted with the new key')
}
