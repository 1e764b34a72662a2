import { and, eq, isNull } from 'drizzle-orm'
import { audit, securityLog } from '#server/audit/audit.ts'
import { requireAuthorityOver } from '#server/auth/authority.ts'
import { lockFactors } from '#server/auth/factors.ts'
import { revokeSessions } from '#server/auth/revoke-sessions.ts'
import { users } from '#server/auth/table.ts'
import type { Transaction } from '#server/db/database.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { enqueueMail } from '#server/mail/outbox.ts'
import type { accountSecurityInput } from '../../admin/schemas.ts'
import { reauthenticate } from '../reauthentication/reauthenticate.ts'
import type { Caller } from '../reauthentication/with-reauthentication.ts'
import { deleteFactors } from '../second-factor/factor-removal.ts'
import { showFactorIfDue } from '../second-factor/show-factor.ts'

type Tools = Pick<Deps, 'db' | 'clock' | 'config'>
interface Task {
  id: string
  admin: Caller
  input: typeof accountSecurityInput.infer
}

/**
 * The user may have lost them, or an attacker may have added them. Ends the sessions and notifies
 * the user; the next factor needs the mailed link again.
 */
export async function resetFactors(deps: Tools, task: Task): Promise<void> {
  await change(deps, task, async (tx, now) => {
    const { id } = task
    const before = await deleteFactors(tx, id)
    if (!before.totp && before.passkeys === 0) throw appError('second_factor.off')
    await audit(tx, {
      actor: task.admin.user.id,
      action: 'account.factors_reset',
      subject: { kind: 'account', id },
      before,
      after: { totp: false, passkeys: 0 },
      reason: task.input.reason,
      now,
    })
    await noteFor(deps, tx, task, 'factors_removed')
    await enqueueMail(tx, { template: 'factors_reset', userId: id, now })
  })
}

export async function endSessionsOf(deps: Tools, task: Task): Promise<void> {
  await change(deps, task, async (tx, now) => {
    const { id } = task
    await audit(tx, {
      actor: task.admin.user.id,
      action: 'account.sessions_ended',
      subject: { kind: 'account', id },
      reason: task.input.reason,
      now,
    })
    await noteFor(deps, tx, task, 'sessions_ended')
    await enqueueMail(tx, { template: 'sessions_ended', userId: id, now })
  })
}

async function change(
  deps: Tools,
  { id, admin, input: { password, confirmation } }: Task,
  work: (tx: Transaction, now: Date) => Promise<void>,
): Promise<void> {
  // Checks before a code is spent; the transaction checks again.
  await requireAuthorityOver(deps.db, admin.user.id, id)
  const reauthenticated = await reauthenticate(deps, admin.user.id, { password, confirmation })
  const factor = await showFactorIfDue(deps, { userId: admin.user.id, sessionId: admin.sessionId }, {})
  const now = deps.clock()
  await transact(deps.db, async (tx) => {
    await reauthenticated.confirm(tx)
    await factor.confirm(tx)
    const [user] = await tx
      .select({ id: users.id })
      .from(users)
      .where(and(eq(users.id, id), isNull(users.deletedAt)))
    if (!user) throw appError('account.not_found')
    await requireAuthorityOver(tx, admin.user.id, id)
    await lockFactors(tx, id)
    await work(tx, now)
    await revokeSessions(tx, { userId: id, now })
  })
}

async function noteFor(
  { clock }: Tools,
  tx: Transaction,
  { id, admin: { address } }: Task,
  kind: 'factors_removed' | 'sessions_ended',
): Promise<void> {
  await securityLog.note({ db: tx, clock }, { kind, userId: id, address, detail: 'admin' })
}
