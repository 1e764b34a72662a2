import { and, eq } from 'drizzle-orm'
import { push } from '#features/push/server/push.ts'
import { uploads } from '#features/uploads/server/uploads.ts'
import type { Transaction } from '#server/db/database.ts'
import { keyset } from '#server/db/keyset.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import { limitRate } from '#server/http/rate-limit.ts'
import { enqueueMail } from '#server/mail/outbox.ts'
import { refuseWords } from '#server/moderation/refused-words.ts'
import type { Page, PageRequest } from '#shared/paging.ts'
import { addTime } from '#shared/time.ts'
import { dueDays, messagesPerDay } from '../rules.ts'
import type { CustomEditView, messageInput, ratingInput } from '../schemas.ts'
import { designers, notifyRequestChange } from './notices.ts'
import { deleteFiles } from './store-files.ts'
import { customEditFiles, customEditNotes, customEdits } from './table.ts'
import { type CustomEdit, mayRate, mayReopen, ownViews } from './views.ts'

// Ids are time-ordered (UUIDv7).
const newestFirst = keyset<CustomEdit>('custom_edits', 'descending', [
  { column: customEdits.id, type: 'uuid', of: ({ id }) => id },
])

export async function listOwn(
  deps: Pick<Deps, 'db' | 'config' | 'clock'>,
  { userId, sessionId }: { userId: string; sessionId: string },
  page: PageRequest,
): Promise<Page<CustomEditView>> {
  const { rows, nextCursor } = await newestFirst.read(
    deps.db.select().from(customEdits),
    eq(customEdits.userId, userId),
    page,
  )
  return { items: await ownViews(deps, rows, sessionId), nextCursor }
}

/** Deletes the pictures too. */
export async function withdraw(
  { db, store, clock }: Pick<Deps, 'db' | 'store' | 'clock'>,
  { userId, id }: { userId: string; id: string },
): Promise<void> {
  const keys = await transact(db, async (tx) => {
    const mine = and(eq(customEdits.id, id), eq(customEdits.userId, userId))
    const [row] = await tx.select({ status: customEdits.status }).from(customEdits).where(mine).for('update')
    if (!row) throw appError('custom_edit.not_found')
    if (row.status !== 'new') throw appError('custom_edit.taken')
    const now = clock()
    const files = await deleteFiles(tx, eq(customEditFiles.customEditId, id), now)
    const originals = await uploads.dropUploadsOf(tx, id, now)
    await tx.delete(customEdits).where(mine)
    await notifyRequestChange(tx, userId)
    return [...files, ...originals]
  })
  await store.delete(keys)
}

type Tools = Pick<Deps, 'db' | 'clock' | 'config'>
interface OwnRequest {
  id: string
  userId: string
}
type Message = typeof messageInput.infer

/** Possible while the request is open or can be reopened. */
export async function sendMessage(deps: Tools, own: OwnRequest, message: Message): Promise<void> {
  await storeMessage(deps, own, message, async (_, row, now) => {
    const open = row.status === 'new' || row.status === 'in_progress'
    if (!open && !mayReopen(row, now)) throw appError('custom_edit.final')
  })
}

/** Possible once; the same designer has as much time as for the first version. */
export async function reopenRequest(deps: Tools, own: OwnRequest, message: Message): Promise<void> {
  await storeMessage(deps, own, message, async (tx, row, now) => {
    if (!mayReopen(row, now)) throw appError('custom_edit.final')
    const dueAt = addTime(now, { days: dueDays })
    const again = { status: 'in_progress' as const, reopenedAt: now, finishedAt: null, overdueNoticeAt: null, dueAt }
    await tx.update(customEdits).set(again).where(eq(customEdits.id, row.id))
  })
}

/** Rates the delivered results, or changes the rating. */
export async function rateRequest(
  deps: Tools,
  { id, userId }: OwnRequest,
  { stars, comment }: typeof ratingInput.infer,
): Promise<void> {
  await refuseWords(deps, { userId, tool: 'customize-edit', fields: { comment } })
  const now = deps.clock()
  await transact(deps.db, async (tx) => {
    const mine = and(eq(customEdits.id, id), eq(customEdits.userId, userId))
    const [row] = await tx.select().from(customEdits).where(mine).for('update')
    if (!row) throw appError('custom_edit.not_found')
    if (!mayRate(row, now)) throw appError('custom_edit.not_ratable')
    const isChange = row.ratedAt !== null && row.finishedAt !== null && row.ratedAt >= row.finishedAt
    const rating = { stars, ratingComment: comment, ratedAt: isChange ? row.ratedAt : now }
    await tx.update(customEdits).set(rating).where(eq(customEdits.id, id))
    await notifyRequestChange(tx, userId)
    if (!isChange && row.designerId)
      await push.enqueue(tx, { kind: 'custom_edit_rated', userId: row.designerId, subjectId: id, now })
  })
}

/** Mails and pushes to the designer, or to all while unassigned. */
async function storeMessage(
  deps: Tools,
  { id, userId }: OwnRequest,
  { text }: Message,
  work: (tx: Transaction, row: CustomEdit, now: Date) => Promise<void>,
): Promise<void> {
  await refuseWords(deps, { userId, tool: 'customize-edit', fields: { text } })
  await limitRate(deps, [{ rule: 'custom_edits:messages', subject: userId, limit: messagesPerDay, seconds: 86_400 }])
  const now = deps.clock()
  await transact(deps.db, async (tx) => {
    const mine = and(eq(customEdits.id, id), eq(customEdits.userId, userId))
    const [row] = await tx.select().from(customEdits).where(mine).for('update')
    if (!row) throw appError('custom_edit.not_found')
    await work(tx, row, now)
    await tx.insert(customEditNotes).values({ customEditId: id, authorId: userId, shared: true, text, createdAt: now })
    await notifyRequestChange(tx, userId)
    const people = row.designerId ? [row.designerId] : await designers(tx)
    for (const staff of people) {
      await push.enqueue(tx, { kind: 'custom_edit_answer', userId: staff, subjectId: id, now })
      await enqueueMail(tx, { template: 'custom_edit_answer', userId: staff, subjectId: id, now })
    }
  })
}
