import type { AuthenticationResponseJSON } from '@simplewebauthn/server'
import { and, eq, isNull } from 'drizzle-orm'
import { hasFactor, lockFactors } from '#server/auth/factors.ts'
import { passkeys, sessions } from '#server/auth/table.ts'
import type { Transaction } from '#server/db/database.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import type { factorInput } from '../../schemas.ts'
import { ownerOfPasskey } from '../passkeys/passkeys.ts'
import { type Credentials, reauthenticate } from '../reauthentication.ts'
import { spendCode } from './one-time-codes.ts'

export type ShownFactor = typeof factorInput.infer

export interface FactorOwner {
  userId: string
  sessionId: string
}

/** `confirm` spends the factor in the transaction that needs it. */
interface CheckedFactor {
  confirm(tx: Transaction): Promise<void>
}

/** Throws `second_factor.proof_due` if there is none. */
export async function showFactor(
  deps: Pick<Deps, 'db' | 'clock' | 'config'>,
  { userId, sessionId }: FactorOwner,
  { code, passkey }: ShownFactor,
): Promise<CheckedFactor> {
  if (code === undefined && passkey === undefined) throw appError('second_factor.proof_due')
  const now = deps.clock()
  const response = passkey as AuthenticationResponseJSON | undefined
  if (response && (await ownerOfPasskey(deps, response)).id !== userId) throw appError('passkey.refused')
  return {
    async confirm(tx) {
      if (response) {
        const own = and(eq(passkeys.id, response.id), eq(passkeys.userId, userId))
        const [kept] = await tx.select({ id: passkeys.id }).from(passkeys).where(own).for('update')
        if (!kept) throw appError('passkey.refused')
      } else if (!(await spendCode(tx, deps.config, { userId, code: code ?? '', now }))) {
        throw appError('second_factor.wrong_code')
      }
      await tx
        .update(sessions)
        .set({ secondFactorAt: now })
        .where(and(eq(sessions.id, sessionId), isNull(sessions.secondFactorAt)))
    },
  }
}

/** Due unless the session has already shown a factor or the account has none. */
export async function showFactorIfDue(
  deps: Pick<Deps, 'db' | 'clock' | 'config'>,
  owner: FactorOwner,
  shown: ShownFactor,
): Promise<CheckedFactor> {
  if (shown.code !== undefined || shown.passkey !== undefined) return await showFactor(deps, owner, shown)
  return {
    async confirm(tx) {
      const [session] = await tx
        .select({ secondFactorAt: sessions.secondFactorAt })
        .from(sessions)
        .where(eq(sessions.id, owner.sessionId))
      if (!session?.secondFactorAt && (await hasFactor(tx, owner.userId))) throw appError('second_factor.proof_due')
    },
  }
}

/** Changes factors in a transaction that confirms the re-authentication and the shown factor. */
export async function changeFactors<Result>(
  deps: Pick<Deps, 'db' | 'clock' | 'config'>,
  owner: FactorOwner,
  { password, confirmation, ...shown }: Credentials & ShownFactor,
  show: typeof showFactor,
  change: (tx: Transaction) => Promise<Result>,
): Promise<{ user: Awaited<ReturnType<typeof reauthenticate>>['user']; result: Result }> {
  const { user, confirm } = await reauthenticate(deps, owner.userId, { password, confirmation })
  const factor = await show(deps, owner, shown)
  const result = await transact(deps.db, async (tx) => {
    await lockFactors(tx, owner.userId)
    await confirm(tx)
    await factor.confirm(tx)
    return await change(tx)
  })
  return { user, result }
}
