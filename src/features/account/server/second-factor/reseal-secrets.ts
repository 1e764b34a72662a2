import { and, eq } from 'drizzle-orm'
import { totpSecrets } from '#server/auth/table.ts'
import type { Deps } from '#server/deps.ts'
import { isSealedWithPreviousKey, sealSecret, unsealSecret } from './sealed-secret.ts'

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
