import { eq } from 'drizzle-orm'
import { hashPassword, passwordMatches } from '#server/auth/password-hash.ts'
import { users } from '#server/auth/table.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { enqueueMail } from '#server/mail/outbox.ts'
import type { AuthUser } from '#shared/session.ts'
import type { passwordInput } from '../../schemas.ts'
import { voidLinks } from '../account-token.ts'
import { reauthenticate } from '../reauthentication/reauthenticate.ts'
import { forgetDevices } from '../sessions/known-device.ts'
import { rotateSession } from '../sessions/sessions.ts'
import { refuseCommonPassword } from './common-password.ts'

/** Ends all sessions and links, and queues a notice; returns a new token for this session. */
export async function changePassword(
  deps: Pick<Deps, 'db' | 'clock' | 'config'>,
  current: { user: AuthUser; sessionId: string; device: string | undefined },
  { currentPassword, confirmation, password }: typeof passwordInput.infer,
): Promise<string> {
  const { id: userId } = current.user
  const reauthenticated = await reauthenticate(deps, userId, { password: currentPassword, confirmation })
  await refuseCommonPassword(password, userId, [reauthenticated.user.name, reauthenticated.user.email])
  // A generated password must not stay; otherwise the same password only ends the sessions.
  if (
    reauthenticated.user.passwordChangeDue &&
    (await passwordMatches(deps, password, reauthenticated.user.passwordHash, userId))
  )
    throw appError('form.invalid', { details: { password: 'password.unchanged' } })
  const passwordHash = await hashPassword(deps, password, userId)
  const now = deps.clock()
  return await transact(deps.db, async (tx) => {
    await reauthenticated.confirm(tx)
    await tx.update(users).set({ passwordHash, passwordChangeDue: false }).where(eq(users.id, userId))
    await voidLinks(tx, { userId, now })
    await forgetDevices(tx, { userId, except: current.device })
    const token = await rotateSession(tx, deps.config, { ...current, now })
    await enqueueMail(tx, { template: 'password_changed', userId, now })
    return token
  })
}
