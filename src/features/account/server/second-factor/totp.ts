import { and, eq, isNull } from 'drizzle-orm'
import { Secret, TOTP } from 'otpauth'
import { hasTotp, lockFactors } from '#server/auth/factors.ts'
import { totpSecrets } from '#server/auth/table.ts'
import type { Transaction } from '#server/db/database.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { resealSecret, sealSecret } from '#server/sealed-secret.ts'
import { brandName } from '#shared/brand.ts'
import type { totpCodeInput } from '../../schemas.ts'
import type { Credentials } from '../reauthentication.ts'
import { requireFactorSetupAllowed } from './first-factor.ts'
import { makeRecoveryCodes, periodSeconds, spendTotpCode } from './one-time-codes.ts'
import { changeFactors, type FactorOwner, type ShownFactor, showFactorIfDue } from './show-factor.ts'

type Tools = Pick<Deps, 'db' | 'clock' | 'config'>

/** Effective after its first code was confirmed. */
export async function startTotp(
  deps: Tools,
  owner: FactorOwner,
  given: Credentials & ShownFactor,
): Promise<{ secret: string; uri: string }> {
  const { userId } = owner
  const secret = new Secret({ size: 20 })
  const sealed = await sealSecret(deps.config, 'second factor', secret.base32)
  const now = deps.clock()
  const { user } = await changeFactors(deps, owner, given, showFactorIfDue, async (tx) => {
    if (await hasTotp(tx, userId)) throw appError('second_factor.already_on')
    await requireFactorSetupAllowed(tx, { ...owner, now })
    const begun = { secret: sealed, lastStep: null, wrongCodes: 0, createdAt: now }
    await tx
      .insert(totpSecrets)
      .values({ userId, ...begun })
      .onConflictDoUpdate({ target: totpSecrets.userId, set: begun })
  })
  const uri = new TOTP({
    issuer: brandName,
    label: user.email,
    secret,
    period: periodSeconds,
  }).toString()
  return { secret: secret.base32, uri }
}

/** Returns the recovery codes, which are shown only this once. */
export async function confirmTotp(
  tx: Transaction,
  { config }: Pick<Deps, 'config'>,
  { userId, sessionId, now }: FactorOwner & { now: Date },
  { code }: typeof totpCodeInput.infer,
): Promise<string[]> {
  await lockFactors(tx, userId)
  if (await hasTotp(tx, userId)) throw appError('second_factor.already_on')
  await requireFactorSetupAllowed(tx, { userId, sessionId, now })
  if (!(await spendTotpCode(tx, config, { userId, code, now }))) throw appError('second_factor.wrong_code')
  await tx
    .update(totpSecrets)
    .set({ confirmedAt: now })
    .where(and(eq(totpSecrets.userId, userId), isNull(totpSecrets.confirmedAt)))
  return await makeRecoveryCodes(tx, config, userId)
}

/** Key rotation: the previous key can be removed afterwards. */
export async function resealTotpSecrets({ db, config, log }: Pick<Deps, 'db' | 'config' | 'log'>): Promise<void> {
  if (!config.previousJwtSecret) return
  let resealed = 0
  for (const { userId, secret } of await db
    .select({ userId: totpSecrets.userId, secret: totpSecrets.secret })
    .from(totpSecrets)) {
    const anew = await resealSecret(config, 'second factor', secret)
    if (anew === undefined) continue
    await db
      .update(totpSecrets)
      .set({ secret: anew })
      .where(and(eq(totpSecrets.userId, userId), eq(totpSecrets.secret, secret)))
    resealed += 1
  }
  if (resealed > 0) log.info({ resealed }, 'second factors re-encrypted with the new key')
}
