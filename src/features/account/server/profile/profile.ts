import { asc, eq } from 'drizzle-orm'
import { issueAccessToken } from '#server/auth/access-token.ts'
import { tokenClaims } from '#server/auth/required-action.ts'
import { sessions, users } from '#server/auth/table.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import type { ChangedProfile, Profile, profileInput } from '../../schemas.ts'
import { identities } from '../table.ts'

export async function readProfile({ db }: Pick<Deps, 'db'>, userId: string): Promise<Profile> {
  const [user] = await db.select().from(users).where(eq(users.id, userId))
  if (!user) throw appError('auth.expired')
  const linked = await db
    .selectDistinct({ provider: identities.provider })
    .from(identities)
    .where(eq(identities.userId, userId))
    .orderBy(asc(identities.provider))
  const { id, name, email, role, language, theme, createdAt } = user
  return {
    id,
    name,
    email,
    role,
    language,
    theme,
    hasPassword: user.passwordHash !== null,
    providers: linked.map(({ provider }) => provider),
    createdAt: createdAt.toISOString(),
  }
}

/** The token carries the name, so the session gets a new one. */
export async function changeProfile(
  { db, config, clock }: Pick<Deps, 'db' | 'config' | 'clock'>,
  { userId, sessionId }: { userId: string; sessionId: string },
  { name, language, theme }: typeof profileInput.infer,
): Promise<ChangedProfile> {
  const change = {
    ...(name !== undefined && { name }),
    ...(language !== undefined && { language }),
    ...(theme !== undefined && { theme }),
  }
  if (Object.keys(change).length > 0) await db.update(users).set(change).where(eq(users.id, userId))
  const profile = await readProfile({ db }, userId)
  const [session] = await db
    .select({ expiresAt: sessions.expiresAt, secondFactorAt: sessions.secondFactorAt })
    .from(sessions)
    .where(eq(sessions.id, sessionId))
  if (!session) throw appError('auth.expired')
  const { id, email, role } = profile
  const secondFactor = session.secondFactorAt !== null
  const { due, ...limits } = await tokenClaims(db, config, { userId, secondFactor })
  const user = { id, name: profile.name, email, role, ...limits }
  const { expiresAt } = session
  const token = await issueAccessToken(config, { id: sessionId, user, due, createdAt: clock(), expiresAt })
  return { ...profile, access_token: token }
}
