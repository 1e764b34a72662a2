import { and, eq, isNotNull } from 'drizzle-orm'
import type { AuthUser } from '#contract/session.ts'
import type { Config } from '#server/config.ts'
import type { Executor, Transaction } from '#server/db/database.ts'
import type { Factor } from '../../rules.ts'
import { passkeys, sessions, totpSecrets, users } from '../table.ts'

/** Whether the account has an authenticator app whose first code was shown. */
export async function hasTotp(executor: Executor, userId: string): Promise<boolean> {
  const found = await executor
    .select({ userId: totpSecrets.userId })
    .from(totpSecrets)
    .where(and(eq(totpSecrets.userId, userId), isNotNull(totpSecrets.confirmedAt)))
  return found.length > 0
}

/** The kinds of second factors that an account has. */
async function listFactors(executor: Executor, userId: string): Promise<Factor[]> {
  const found: Factor[] = (await hasTotp(executor, userId)) ? ['code'] : []
  const held = await executor.select({ id: passkeys.id }).from(passkeys).where(eq(passkeys.userId, userId)).limit(1)
  return held.length > 0 ? [...found, 'passkey'] : found
}

export async function hasFactor(executor: Executor, userId: string): Promise<boolean> {
  return (await listFactors(executor, userId)).length > 0
}

/**
 * The configuration as it counts for a request: of this machine's own ones `elsewhere` asks for no
 * second factor.
 */
export function factorRuleFor<Rule extends Pick<Config, 'staffSecondFactor'>>(
  config: Rule,
  { var: { local } }: { var: { local: boolean } },
): Rule {
  return config.staffSecondFactor === 'elsewhere' && local ? { ...config, staffSecondFactor: 'optional' } : config
}

/** Staff need a second factor wherever the operator does not leave it to them. */
export function needsSecondFactor(
  { role }: Pick<AuthUser, 'role'>,
  { staffSecondFactor }: Pick<Config, 'staffSecondFactor'>,
): boolean {
  return staffSecondFactor !== 'optional' && role !== 'user'
}

/**
 * What a sign-in asks for after the password. A passkey alone is another way in for most people, so
 * that a password is enough where the passkey is not; staff have to show it.
 */
export async function factorsToShow(
  executor: Executor,
  config: Pick<Config, 'staffSecondFactor'>,
  user: Pick<AuthUser, 'id' | 'role'>,
): Promise<Factor[]> {
  const factors = await listFactors(executor, user.id)
  return factors.includes('code') || needsSecondFactor(user, config) ? factors : []
}

/** Holds the account, so that its factors change one after the other. */
export async function lockFactors(tx: Transaction, userId: string): Promise<void> {
  await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update')
}

/** After a factor has gone: with the last one goes what sessions have by it. */
export async function forgetShownFactors(tx: Transaction, userId: string): Promise<void> {
  if (await hasFactor(tx, userId)) return
  await tx.update(sessions).set({ secondFactorAt: null, mayEnrolUntil: null }).where(eq(sessions.userId, userId))
}
