import { eq } from 'drizzle-orm'
import { v4 as uuid } from 'uuid'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import type { LoginAnswer, loginInput } from '../contract.ts'
import { issueAccessToken } from './access-token.ts'
import { passwordMatches } from './password-hash.ts'
import { sessions, users } from './table.ts'

const hours = { remembered: 30 * 24, brief: 12 }

/** Opens a session. Only who knows the password learns that an account is unverified or disabled. */
export async function login(
  { db, clock, config }: Pick<Deps, 'db' | 'clock' | 'config'>,
  { email, password, remember }: typeof loginInput.infer,
  userAgent: string | undefined,
): Promise<LoginAnswer> {
  const [user] = await db.select().from(users).where(eq(users.email, email))
  if (!(await passwordMatches(password, user?.passwordHash)) || !user) throw appError('auth.invalid_credentials')
  if (user.disabledAt) throw appError('auth.disabled')
  if (!user.emailVerifiedAt) throw appError('auth.email_unverified')
  const createdAt = clock()
  const lifetime = (remember ? hours.remembered : hours.brief) * 3_600_000
  const session = { id: uuid(), createdAt, expiresAt: new Date(createdAt.getTime() + lifetime) }
  await db
    .insert(sessions)
    .values({ ...session, userId: user.id, remember, userAgent: userAgent?.slice(0, 300) ?? null })
  const { id, name, role } = user
  return { access_token: await issueAccessToken(config, { ...session, user: { id, name, email, role } }) }
}
