import { eq } from 'drizzle-orm'
import type { Config } from '#server/config.ts'
import type { Executor } from '#server/db/database.ts'
import { appError } from '#server/http/app-error.ts'
import type { Duty } from '#shared/roles.ts'
import type { RequiredAction } from '#shared/session.ts'
import { hasFactor, needsSecondFactor } from './factors.ts'
import { users } from './table.ts'

interface Person {
  role: (typeof users.$inferSelect)['role']
  passwordChangeDue: boolean
}

function actionOf(
  person: Person,
  config: Pick<Config, 'staffSecondFactor'>,
  secondFactor: boolean,
): RequiredAction | undefined {
  if (person.passwordChangeDue) return 'password'
  return needsSecondFactor(person, config) && !secondFactor ? 'second_factor' : undefined
}

export async function tokenClaims(
  executor: Executor,
  config: Pick<Config, 'staffSecondFactor'>,
  { userId, secondFactor }: { userId: string; secondFactor: boolean },
): Promise<{ due?: RequiredAction; duty?: Duty }> {
  const [user] = await executor
    .select({ role: users.role, duty: users.duty, passwordChangeDue: users.passwordChangeDue })
    .from(users)
    .where(eq(users.id, userId))
  const due = user && actionOf(user, config, secondFactor)
  return { ...(due && { due }), ...(user?.duty && { duty: user.duty }) }
}

/**
 * A change of a generated password blocks every route, a due second factor the routes that need a
 * role.
 */
export function requireActionDone(
  session: Person & { secondFactorAt: Date | null },
  config: Pick<Config, 'staffSecondFactor'>,
  needsRole: boolean,
): void {
  const due = actionOf(session, config, session.secondFactorAt !== null)
  if (due === 'password') throw appError('auth.password_change_due')
  if (due === 'second_factor' && needsRole) throw appError('auth.second_factor_due')
}

/**
 * Refuses sessions from before the account had the factor it needs: the next sign-in requires it.
 */
export async function requireShownFactor(
  executor: Executor,
  config: Pick<Config, 'staffSecondFactor'>,
  session: Pick<Person, 'role'> & { id: string; secondFactorAt: Date | null },
): Promise<void> {
  if (session.secondFactorAt || !needsSecondFactor(session, config)) return
  if (await hasFactor(executor, session.id)) throw appError('auth.expired')
}
