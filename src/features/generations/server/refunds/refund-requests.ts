import { and, asc, desc, eq, inArray } from 'drizzle-orm'
import { validate as isUuid } from 'uuid'
import { users } from '#features/account/server/table.ts'
import { audit } from '#features/audit/server/audit.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import type { AdminRefundRequest } from '../../types.ts'
import { generationFiles, generations, refundRequests } from '../table.ts'

const listed = 200
const shownRoles = ['input', 'output'] as const

/**
 * Refund requests that wait for a decision, the oldest first, with their pictures' names; or those
 * that were declined, the newest first.
 */
export async function listRefundRequests(
  { db }: Pick<Deps, 'db'>,
  { status }: { status: 'waiting' | 'declined' },
): Promise<AdminRefundRequest[]> {
  const waiting = status === 'waiting'
  const found = await db
    .select({ request: refundRequests, name: users.name, tool: generations.tool, credits: generations.credits })
    .from(refundRequests)
    .innerJoin(users, eq(users.id, refundRequests.userId))
    .innerJoin(generations, eq(generations.id, refundRequests.generationId))
    .where(eq(refundRequests.status, status))
    .orderBy(waiting ? asc(refundRequests.createdAt) : desc(refundRequests.decidedAt))
    .limit(listed)
  const ids = found.map(({ request }) => request.generationId)
  const files =
    ids.length === 0 || !waiting
      ? []
      : await db
          .select()
          .from(generationFiles)
          .where(and(inArray(generationFiles.generationId, ids), inArray(generationFiles.role, [...shownRoles])))
          .orderBy(asc(generationFiles.role), asc(generationFiles.position))
  return found.map(({ request: { generationId, userId, reason, answer, createdAt }, name, tool, credits }) => ({
    ...{ generationId, userId, name, tool, credits, reason, answer },
    createdAt: createdAt.toISOString(),
    files: files
      .filter((file) => file.generationId === generationId)
      .map(({ id, role }) => ({ id, role: role as (typeof shownRoles)[number] })),
  }))
}

/** A picture that a waiting refund request is about; who opened it stands in the audit log. */
export async function openRefundRequestPicture(
  { db, store, clock }: Pick<Deps, 'db' | 'store' | 'clock'>,
  { id, fileId, adminId }: { id: string; fileId: string; adminId: string },
): Promise<{ body: ReadableStream<Uint8Array>; contentType: string }> {
  if (!isUuid(id) || !isUuid(fileId)) throw appError('file.not_found')
  const [file] = await db
    .select({ key: generationFiles.storageKey, contentType: generationFiles.contentType })
    .from(generationFiles)
    .innerJoin(refundRequests, eq(refundRequests.generationId, generationFiles.generationId))
    .where(
      and(
        eq(generationFiles.id, fileId),
        eq(generationFiles.generationId, id),
        inArray(generationFiles.role, [...shownRoles]),
        eq(refundRequests.status, 'waiting'),
      ),
    )
  if (!file) throw appError('file.not_found')
  const { body } = await store.stream(file.key)
  const about = { subject: { kind: 'generation', id }, after: { file: fileId } }
  await transact(db, (tx) => audit(tx, { actor: adminId, action: 'claim.picture_opened', ...about, now: clock() }))
  return { body, contentType: file.contentType }
}
