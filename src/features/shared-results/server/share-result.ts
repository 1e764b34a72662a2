import { and, desc, eq, gt, lte } from 'drizzle-orm'
import { generations as generationServer } from '#features/generations/server/generations.ts'
import { generations } from '#features/generations/server/table.ts'
import { holdAccount } from '#server/auth/accounts.ts'
import { requireAllowedAge } from '#server/auth/age.ts'
import { hashPassword } from '#server/auth/password-hash.ts'
import { users } from '#server/auth/table.ts'
import type { Transaction } from '#server/db/database.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { requireUnlimited } from '#server/moderation/account-limit.ts'
import { addTime } from '#shared/time.ts'
import { sharedPath } from '../rules.ts'
import type { SharedLink, ShareInput } from '../schemas.ts'
import { findShared, isAlive, linkToken } from './find-shared.ts'
import { pictureAddress } from './open-shared.ts'
import { sharedResults, withdrawnResults } from './table.ts'

type ShareDeps = Pick<Deps, 'db' | 'config' | 'clock' | 'tools'>
interface Owner {
  userId: string
  sessionId: string
}

/** Ends with the result at the latest. */
export async function shareResult(deps: ShareDeps, owner: Owner, given: ShareInput): Promise<SharedLink> {
  const { generationId, position, days, withOriginal, password } = given
  const { userId } = owner
  const passwordHash = password === null ? null : await hashPassword(deps, password, userId)
  const now = deps.clock()
  const link = await transact(deps.db, async (tx) => {
    await holdAccount(tx, userId)
    await requireAllowedAge(tx, deps.config, { userId, now })
    await requireUnlimited(tx, userId, now)
    const [generation] = await tx
      .select({ expiresAt: generations.expiresAt })
      .from(generations)
      .where(and(eq(generations.id, generationId), eq(generations.userId, userId)))
    if (!generation) throw appError('generation.not_found')
    const withdrawn = eq(withdrawnResults.generationId, generationId)
    if ((await tx.$count(withdrawnResults, withdrawn)) > 0) throw appError('shared_result.withdrawn')
    const expiresAt = new Date(Math.min(addTime(now, { days }).getTime(), generation.expiresAt.getTime()))
    const [row] = await tx
      .insert(sharedResults)
      .values({ userId, generationId, position, withOriginal, passwordHash, createdAt: now, expiresAt })
      .returning()
    const made = row as typeof sharedResults.$inferSelect
    const shown = await findShared({ ...deps, db: tx }, linkToken(made.id, deps.config.fileSigningKey))
    if (!shown) throw appError('shared_result.not_possible')
    const hasOriginal = shown.files.original !== undefined
    if (withOriginal && !hasOriginal) {
      await tx.update(sharedResults).set({ withOriginal: false }).where(eq(sharedResults.id, made.id))
    }
    return { ...made, withOriginal: hasOriginal }
  })
  const [view] = await viewsOf(deps, owner, [link])
  return view as SharedLink
}

export async function listShared(deps: ShareDeps, owner: Owner): Promise<SharedLink[]> {
  const rows = await deps.db
    .select({ link: sharedResults })
    .from(sharedResults)
    .innerJoin(generations, eq(generations.id, sharedResults.generationId))
    .innerJoin(users, eq(users.id, sharedResults.userId))
    .where(and(eq(sharedResults.userId, owner.userId), isAlive(deps.clock())))
    .orderBy(desc(sharedResults.createdAt), desc(sharedResults.id))
  return await viewsOf(
    deps,
    owner,
    rows.map(({ link }) => link),
  )
}

/** No error if the link has ended already. */
export async function revokeShared(
  { db }: Pick<Deps, 'db'>,
  { userId, id }: { userId: string; id: string },
): Promise<void> {
  await db.delete(sharedResults).where(and(eq(sharedResults.id, id), eq(sharedResults.userId, userId)))
}

/** Ends all links of a result for good; returns their number. */
export async function withdrawShared(tx: Transaction, generationId: string, now: Date): Promise<number> {
  await tx.insert(withdrawnResults).values({ generationId, withdrawnAt: now }).onConflictDoNothing()
  const ended = await tx
    .delete(sharedResults)
    .where(and(eq(sharedResults.generationId, generationId), gt(sharedResults.expiresAt, now)))
    .returning({ id: sharedResults.id })
  return ended.length
}

export async function deleteExpiredLinks({ db, clock }: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  await db.delete(sharedResults).where(lte(sharedResults.expiresAt, clock()))
}

async function viewsOf(
  deps: ShareDeps,
  owner: Owner,
  links: (typeof sharedResults.$inferSelect)[],
): Promise<SharedLink[]> {
  const ids = [...new Set(links.map(({ generationId }) => generationId))]
  const known = await generationServer.thumbnails(deps, owner, ids)
  return links.map(({ userId, passwordHash, createdAt, expiresAt, ...link }) => ({
    ...link,
    path: sharedPath(linkToken(link.id, deps.config.fileSigningKey)),
    tool: known.get(link.generationId)?.tool ?? '',
    // The thumbnail shows the first output.
    thumbnailUrl:
      link.position === 0
        ? (known.get(link.generationId)?.thumbnailUrl ?? null)
        : pictureAddress(deps, { ...link, userId, passwordHash, createdAt, expiresAt }, 'preview'),
    hasPassword: passwordHash !== null,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
  }))
}
