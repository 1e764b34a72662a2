import { v4 as uuid } from 'uuid'
import type { Config } from '#server/config.ts'
import type { Executor } from '#server/db/database.ts'
import type { AuthUser } from '#shared/session.ts'
import { issueAccessToken } from './access-token.ts'
import { tokenClaims } from './required-action.ts'
import { sessions } from './table.ts'

const hours = { remembered: 30 * 24, brief: 12 }

export interface SessionStart {
  user: AuthUser
  /** True for 30 days instead of 12 hours. */
  remember: boolean
  userAgent: string | null | undefined
  secondFactor: boolean
  now: Date
}

export async function openSession(
  executor: Executor,
  config: Pick<Config, 'jwtSecret' | 'staffSecondFactor'>,
  { user: { id: userId, name, email, role }, remember, userAgent, secondFactor, now }: SessionStart,
): Promise<{ sessionId: string; token: string }> {
  const lifetime = (remember ? hours.remembered : hours.brief) * 3_600_000
  const session = { id: uuid(), createdAt: now, expiresAt: new Date(now.getTime() + lifetime) }
  await executor.insert(sessions).values({
    ...session,
    userId,
    remember,
    userAgent: userAgent?.slice(0, 300) ?? null,
    lastSeenAt: now,
    secondFactorAt: secondFactor ? now : null,
  })
  const { due, ...limits } = await tokenClaims(executor, config, { userId, secondFactor })
  const token = await issueAccessToken(config, { ...session, user: { id: userId, name, email, role, ...limits }, due })
  return { sessionId: session.id, token }
}
