import { eq } from 'drizzle-orm'
import type { Config } from '#server/config.ts'
import type { Executor } from '#server/db/database.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { oweMail } from '#server/mail/outbox.ts'
import type { SecondFactorView } from '../../contract.ts'
import { listPasskeys } from '../passkeys/list-passkeys.ts'
import { checkProof, type Proof } from '../proof.ts'
import { recoveryCodes, totpSecrets, users } from '../table.ts'
import { countRecoveryCodes, makeRecoveryCodes } from './recovery-codes.ts'
import { hasTotp } from './totp.ts'

type Tools = Pick<Deps, 'db' | 'clock' | 'config' | 'jobs'>

/** What stands between a stolen password and the account. */
export async function readSecondFactor(
  { db, config }: Pick<Deps, 'db' | 'config'>,
  userId: string,
): Promise<SecondFactorView> {
  return {
    totp: await hasTotp(db, userId),
    recoveryCodesLeft: await countRecoveryCodes(db, userId),
    passkeys: await listPasskeys(db, userId),
    required: await isSecondFactorRequired(db, config, userId),
  }
}

/** Staff need a second factor wherever the operator asks for it. */
export async function isSecondFactorRequired(
  executor: Executor,
  { staffSecondFactor }: Pick<Config, 'staffSecondFactor'>,
  userId: string,
): Promise<boolean> {
  if (!staffSecondFactor) return false
  const [user] = await executor.select({ role: users.role }).from(users).where(eq(users.id, userId))
  return user !== undefined && user.role !== 'user'
}

/** New recovery codes; the old ones are worth nothing any more. */
export async function renewRecoveryCodes(deps: Tools, userId: string, proof: Proof): Promise<string[]> {
  const proven = await checkProof(deps, userId, proof)
  return await transact(deps.db, async (tx) => {
    await proven.confirm(tx)
    if (!(await hasTotp(tx, userId))) throw appError('second_factor.off')
    return await makeRecoveryCodes(tx, deps.config, userId)
  })
}

/** Sign-in asks for no code any more; the person is owed a notice. */
export async function turnTotpOff(deps: Tools, userId: string, proof: Proof): Promise<void> {
  const proven = await checkProof(deps, userId, proof)
  const mailId = await transact(deps.db, async (tx) => {
    await proven.confirm(tx)
    await tx.delete(recoveryCodes).where(eq(recoveryCodes.userId, userId))
    const gone = await tx.delete(totpSecrets).where(eq(totpSecrets.userId, userId)).returning()
    if (gone.length === 0) throw appError('second_factor.off')
    return await oweMail(tx, { template: 'second_factor_off', userId, now: deps.clock() })
  })
  await deps.jobs.send('send-mail', { mailId })
}
