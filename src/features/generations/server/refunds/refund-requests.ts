import { and, asc, eq, inArray, not } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import { dueAtOf } from '#features/assignments/rules.ts'
import { assignments } from '#features/assignments/server/assignments.ts'
import { audit } from '#server/audit/audit.ts'
import { isFound } from '#server/auth/accounts.ts'
import { users } from '#server/auth/table.ts'
import { type Key, keyset } from '#server/db/keyset.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import type { Page, PageRequest } from '#shared/paging.ts'
import type { AdminRefundRequest } from '../../schemas.ts'
import { generationFiles, generations, isRunAgain, refundRequests } from '../table.ts'

const shownRoles = ['input', 'output'] as const

interface ListRefundRequests extends PageRequest {
  status: AdminRefundRequest['status']
  search?: string
  sort?: 'newest' | 'oldest'
  mine?: 'true'
}

interface Found {
  request: typeof refundRequests.$inferSelect
}
const keys = [
  { column: refundRequests.createdAt, type: 'timestamptz', of: ({ request }) => request.createdAt.toISOString() },
  { column: refundRequests.generationId, type: 'uuid', of: ({ request }) => request.generationId },
] as const satisfies Key<Found>[]
const orders = {
  newest: keyset<Found>('claims:newest', 'descending', keys),
  oldest: keyset<Found>('claims:oldest', 'ascending', keys),
}

/** Waiting requests oldest first, decided ones newest first. */
export async function listRefundRequests(
  { db }: Pick<Deps, 'db'>,
  staffId: string,
  query: ListRefundRequests,
  page: PageRequest = query,
): Promise<Page<AdminRefundRequest>> {
  const { status, search, sort = status === 'waiting' ? 'oldest' : 'newest' } = query
  const order = orders[sort]
  const { generationId, userId } = refundRequests
  const staff = alias(users, 'staff')
  const { rows: shown, nextCursor } = await order.read(
    db
      .select({ request: refundRequests, user: users, by: staff.name, generation: generations })
      .from(refundRequests)
      .innerJoin(users, eq(users.id, userId))
      .innerJoin(generations, eq(generations.id, generationId))
      .leftJoin(staff, eq(staff.id, refundRequests.decidedBy)),
    and(
      eq(refundRequests.status, status),
      not(isRunAgain),
      query.mine ? assignments.isAssignedTo('refund_request', generationId, staffId) : undefined,
      search ? await isFound(db, search, userId) : undefined,
    ),
    page,
  )
  const ids = shown.map(({ request }) => request.generationId)
  const files =
    ids.length === 0 || status !== 'waiting'
      ? []
      : await db
          .select()
          .from(generationFiles)
          .where(and(inArray(generationFiles.generationId, ids), inArray(generationFiles.role, [...shownRoles])))
          .orderBy(asc(generationFiles.role), asc(generationFiles.position))
  const assignees = await assignments.assigneesOf(db, 'refund_request', ids)
  const items = shown.map(
    ({ request, user: { id, name, email, role, duty }, by, generation: { tool, credits } }): AdminRefundRequest => {
      const { reason, answer, refunded } = request
      const mine = files.filter((file) => file.generationId === request.generationId)
      return {
        id: request.generationId,
        user: { id, name, email, role, duty },
        status,
        tool,
        credits,
        reason,
        answer,
        refunded,
        decidedBy: by,
        createdAt: request.createdAt.toISOString(),
        files: mine.map((file) => ({ id: file.id, role: file.role as (typeof shownRoles)[number] })),
        assignee: assignees.get(request.generationId) ?? null,
        dueAt: status === 'waiting' ? dueAtOf('refund_request', request.createdAt).toISOString() : null,
      }
    },
  )
  return { items, nextCursor }
}

export async function assignRefundRequest(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  { id, adminId }: { id: string; adminId: string },
  assignee: string | null,
): Promise<void> {
  await transact(db, async (tx) => {
    const own = eq(refundRequests.generationId, id)
    const [request] = await tx.select({ id: refundRequests.generationId }).from(refundRequests).where(own).for('update')
    if (!request) throw appError('generation.not_found')
    await assignments.assign(tx, { kind: 'refund_request', id }, { assignee, by: adminId, now: clock() })
  })
}

/** The audit log records the staff member who opened the picture. */
export async function openRefundRequestPicture(
  { db, store, clock }: Pick<Deps, 'db' | 'store' | 'clock'>,
  { id, fileId, adminId }: { id: string; fileId: string; adminId: string },
): Promise<{ body: ReadableStream<Uint8Array>; contentType: string }> {
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
