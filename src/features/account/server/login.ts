import { eq } from 'drizzle-orm'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import type { loginInput } from '../contract.ts'
import { rememberDevice } from './known-device.ts'
import { openSession } from './open-session.ts'
import { passwordMatches } from './password-hash.ts'
import { users } from './table.ts'

type Tools = Pick<Deps, 'db' | 'jobs' | 'clock' | 'config'>

/** Where somebody signs in. */
export interface SignInPlace {
  userAgent: string | undefined
  /** The device's cookie. */
  device: string
}

/** Opens a session for who knows the password. Only they learn that an account is unverified or disabled. */
export async function login(
  deps: Tools,
  { email, password, remember }: typeof loginInput.infer,
  place: SignInPlace,
): Promise<string> {
  const [user] = await deps.db.select().from(users).where(eq(users.email, email))
  if (!(await passwordMatches(password, user?.passwordHash)) || !user) throw appError('auth.invalid_credentials')
  return await signIn(deps, user, { remember, ...place })
}

/** Opens a session for somebody who has shown who they are; answers its token. */
export async function signIn(
  { db, jobs, clock, config }: Tools,
  user: typeof users.$inferSelect,
  { remember, userAgent, device }: SignInPlace & { remember: boolean },
): Promise<string> {
  if (user.disabledAt) throw appError('auth.disabled')
  if (!user.emailVerifiedAt) throw appError('auth.email_unverified')
  const now = clock()
  const { token, mailId } = await transact(db, async (tx) => {
    const { sessionId, token } = await openSession(tx, config, { user, remember, userAgent, now })
    return { token, mailId: await rememberDevice(tx, { userId: user.id, sessionId, device, now }) }
  })
  if (mailId) await jobs.send('send-mail', { mailId })
  return token
}
