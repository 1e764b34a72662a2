import { and, eq, isNotNull, isNull, lt, or } from 'drizzle-orm'
import { Secret, TOTP } from 'otpauth'
import { brandName } from '#contract/brand.ts'
import type { Executor, Transaction } from '#server/db/database.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { checkProof, type Proof } from '../proof.ts'
import { totpSecrets } from '../table.ts'
import { makeRecoveryCodes, spendRecoveryCode } from './recovery-codes.ts'
import { openSecret, sealSecret } from './sealed-secret.ts'

type Tools = Pick<Deps, 'db' | 'clock' | 'config'>

const periodSeconds = 30
/** Codes of this many periods before and after count too: clocks differ. */
const window = 1

/** Whether the account asks for a code at sign-in. */
export async function hasTotp(executor: Executor, userId: string): Promise<boolean> {
  const found = await executor
    .select({ userId: totpSecrets.userId })
    .from(totpSecrets)
    .where(and(eq(totpSecrets.userId, userId), isNotNull(totpSecrets.confirmedAt)))
  return found.length > 0
}

/** Makes a secret for an authenticator app; it counts once a code of it was shown. */
export async function startTotp(deps: Tools, userId: string, proof: Proof): Promise<{ secret: string; uri: string }> {
  const proven = await checkProof(deps, userId, proof)
  const secret = new Secret({ size: 20 })
  const sealed = await sealSecret(deps.config, secret.base32)
  const now = deps.clock()
  await transact(deps.db, async (tx) => {
    await proven.confirm(tx)
    if (await hasTotp(tx, userId)) throw appError('second_factor.already_on')
    await tx
      .insert(totpSecrets)
      .values({ userId, secret: sealed, createdAt: now })
      .onConflictDoUpdate({ target: totpSecrets.userId, set: { secret: sealed, lastStep: null, createdAt: now } })
  })
  const uri = new TOTP({ issuer: brandName, label: proven.user.email, secret, period: periodSeconds }).toString()
  return { secret: secret.base32, uri }
}

/**
 * The first code of the authenticator app turns the second factor on; returns the recovery codes,
 * which are shown this once.
 */
export async function confirmTotp(
  tx: Transaction,
  { config }: Pick<Deps, 'config'>,
  { userId, code, now }: { userId: string; code: string; now: Date },
): Promise<string[]> {
  if (await hasTotp(tx, userId)) throw appError('second_factor.already_on')
  if (!(await spendTotpCode(tx, config, { userId, code, now }))) throw appError('second_factor.wrong_code')
  await tx
    .update(totpSecrets)
    .set({ confirmedAt: now })
    .where(and(eq(totpSecrets.userId, userId), isNull(totpSecrets.confirmedAt)))
  return await makeRecoveryCodes(tx, config, userId)
}

/** Whether the code is one of the app's now, or an unused recovery code. Each counts once. */
export async function spendCode(
  tx: Transaction,
  config: Deps['config'],
  { userId, code, now }: { userId: string; code: string; now: Date },
): Promise<boolean> {
  const digits = code.replace(/\s/g, '')
  if (/^\d{6}$/.test(digits)) return await spendTotpCode(tx, config, { userId, code: digits, now })
  return await spendRecoveryCode(tx, config, { userId, code, now })
}

async function spendTotpCode(
  tx: Transaction,
  config: Deps['config'],
  { userId, code, now }: { userId: string; code: string; now: Date },
): Promise<boolean> {
  const [row] = await tx.select().from(totpSecrets).where(eq(totpSecrets.userId, userId)).for('update')
  if (!row) return false
  const totp = new TOTP({ secret: Secret.fromBase32(await openSecret(config, row.secret)), period: periodSeconds })
  const delta = totp.validate({ token: code.replace(/\s/g, ''), timestamp: now.getTime(), window })
  if (delta === null) return false
  const step = Math.floor(now.getTime() / 1000 / periodSeconds) + delta
  // A code that was looked at over a shoulder is worth nothing once it was used.
  const used = await tx
    .update(totpSecrets)
    .set({ lastStep: step })
    .where(and(eq(totpSecrets.userId, userId), or(isNull(totpSecrets.lastStep), lt(totpSecrets.lastStep, step))))
    .returning({ userId: totpSecrets.userId })
  return used.length > 0
}
