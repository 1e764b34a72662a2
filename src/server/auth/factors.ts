import { and, eq, isNotNull } from 'drizzle-orm'
import type { Config } from '#server/config.ts'
import type { Executor, Transaction } from '#server/db/database.ts'
import { appError } from '#server/http/app-error.ts'
import type { Duty } from '#shared/roles.ts'
import type { AuthUser, Factor, RequiredAction } from '#shared/session.ts'
import { passkeys, sessions, totpSecrets, users } from './table.ts'

/** Counts only once its first code was confirmed. */
export async function hasTotp(executor: Executor, userId: string): Promise<boolean> {
  const found = await executor
    .select({ userId: totpSecrets.userId })
    .from(totpSecrets)
    .where(and(eq(totpSecrets.userId, userId), isNotNull(totpSecrets.confirmedAt)))
  return found.length > 0
}

async function listFactors(executor: Executor, userId: string): Promise<Factor[]> {
  const found: Factor[] = (await hasTotp(executor, userId)) ? ['code'] : []
  const held = await executor.select({ id: passkeys.id }).from(passkeys).where(eq(passkeys.userId, userId)).limit(1)
  return held.length > 0 ? [...found, 'passkey'] : found
}

export async function hasFactor(executor: Executor, userId: string): Promise<boolean> {
  return (await listFactors(executor, userId)).length > 0
}

/** With `elsewhere`, requests from this machine need no second factor. */
export function factorRuleFor<Rule extends Pick<Config, 'staffSecondFactor'>>(
  config: Rule,
  { var: { local } }: { var: { local: boolean } },
): Rule {
  return config.staffSecondFactor === 'elsewhere' && local ? { ...config, staffSecondFactor: 'optional' } : config
}

/** The operator can make it optional. */
export function needsSecondFactor(
  { role }: Pick<AuthUser, 'role'>,
  { staffSecondFactor }: Pick<Config, 'staffSecondFactor'>,
): boolean {
  return staffSecondFactor !== 'optional' && role !== 'user'
}

/** Users may sign in by password on devices without their passkey; staff must show a factor. */
export async function requiredFactors(
  executor: Executor,
  config: Pick<Config, 'staffSecondFactor'>,
  user: Pick<AuthUser, 'id' | 'role'>,
): Promise<Factor[]> {
  const factors = await listFactors(executor, user.id)
  return factors.includes('code') || needsSecondFactor(user, config) ? factors : []
}

/** Serializes changes of the account's factors. */
export async function lockFactors(tx: Transaction, userId: string): Promise<void> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update')
}

/** Without a remaining factor, sessions lose the rights that showing it gave them. */
export async function forgetShownFactors(tx: Transaction, userId: string): Promise<void> {
  if (await hasFactor(tx, userId)) return
  await tx.update(sessions).set({ secondFactorAt: null, mayEnrolUntil: null }).where(eq(sessions.userId, userId))
}

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
