import { and, eq, isNull } from 'drizzle-orm'
import type { Executor } from '#server/db/database.ts'
import { appError } from '#server/http/app-error.ts'
import { type ConsentKind, consentVersions } from '#shared/consent.ts'
import { consents } from './table.ts'

/** Throws `consent.required`. */
export async function requireConsent(executor: Executor, userId: string, kind: ConsentKind): Promise<void> {
  if (!(await hasConsent(executor, userId, kind))) throw appError('consent.required')
}

/** Only the current version of the text counts. */
export async function hasConsent(executor: Executor, userId: string, kind: ConsentKind): Promise<boolean> {
  const [given] = await executor.select({ id: consents.id }).from(consents).where(isValidConsent(userId, kind))
  return Boolean(given)
}

export function isValidConsent(userId: string, kind: ConsentKind) {
  return and(
    eq(consents.userId, userId),
    eq(consents.kind, kind),
    eq(consents.version, consentVersions[kind]),
    isNull(consents.withdrawnAt),
  )
}
