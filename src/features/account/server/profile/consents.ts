import { and, desc, eq, isNull } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import { isValidConsent } from '#server/auth/consent.ts'
import { consents, users } from '#server/auth/table.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { type ConsentKind, consentVersions } from '#shared/consent.ts'
import type { Consents } from '../../schemas.ts'

type Tools = Pick<Deps, 'db' | 'clock'>

export async function listConsents({ db }: Pick<Deps, 'db'>, userId: string): Promise<Consents> {
  const found = await db.select().from(consents).where(eq(consents.userId, userId)).orderBy(desc(consents.givenAt))
  return {
    current: consentVersions,
    items: found.map(({ kind, version, givenAt, withdrawnAt }) => ({
      kind,
      version,
      givenAt: givenAt.toISOString(),
      withdrawnAt: withdrawnAt?.toISOString() ?? null,
    })),
  }
}

export async function giveConsent(
  { db, clock }: Tools,
  userId: string,
  { kind, version }: { kind: ConsentKind; version: string },
): Promise<void> {
  if (version !== consentVersions[kind]) throw appError('consent.outdated')
  await transact(db, async (tx) => {
    await tx.select({ id: users.id }).from(users).where(eq(users.id, userId)).for('update')
    const [given] = await tx.select({ id: consents.id }).from(consents).where(isValidConsent(userId, kind))
    if (given) return
    await tx.insert(consents).values({ id: uuid(), userId, kind, version, givenAt: clock() })
  })
}

/** Effective from the next call. The record stays. */
export async function withdrawConsent({ db, clock }: Tools, userId: string, kind: ConsentKind): Promise<void> {
  await db
    .update(consents)
    .set({ withdrawnAt: clock() })
    .where(and(eq(consents.userId, userId), eq(consents.kind, kind), isNull(consents.withdrawnAt)))
}
