import { and, eq, inArray } from 'drizzle-orm'
import { generations } from '#features/generations/server/generations.ts'
import { push } from '#features/push/server/push.ts'
import { uploads } from '#features/uploads/server/uploads.ts'
import { requireAllowedAge } from '#server/auth/age.ts'
import type { Executor, Transaction } from '#server/db/database.ts'
import { keyset } from '#server/db/keyset.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { AppError, appError } from '#server/http/app-error.ts'
import { limitRate } from '#server/http/rate-limit.ts'
import { enqueueMail } from '#server/mail/outbox.ts'
import { requireUnlimited } from '#server/moderation/account-limit.ts'
import { refuseWords } from '#server/moderation/refused-words.ts'
import type { Page, PageRequest } from '#shared/paging.ts'
import { addTime } from '#shared/time.ts'
import { dueDays, messagesPerDay } from '../rules.ts'
import type { CustomEditView, messageInput, ratingInput } from '../schemas.ts'
import { designers, notifyRequestChange } from './notices.ts'
import { deleteFiles, insertFiles, storeFiles } from './store-files.ts'
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
type PictureTools = Tools & Pick<Deps, 'store' | 'withFolder' | 'spentCredits' | 'jobs' | 'notifier' | 'providers'>
interface OwnRequest {
  id: string
  userId: string
}
type Message = typeof messageInput.infer

/** Possible while the request is open or can be reopened. */
export async function sendMessage(deps: PictureTools, own: OwnRequest, message: Message): Promise<void> {
  await storeMessage(deps, own, message, async (_, row, now) => {
    const open = row.status === 'new' || row.status === 'in_progress'
    if (!open && !mayReopen(row, now)) throw appError('custom_edit.final')
  })
}

/** Possible once; the same designer has as much time as for the first version. */
export async function reopenRequest(deps: PictureTools, own: OwnRequest, message: Message): Promise<void> {
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

/**
 * Mails and pushes to the designer, or to all while unassigned. Each picture keeps the id of its
 * upload, so that a message with pictures that is sent again takes effect once.
 */
async function storeMessage(
  deps: PictureTools,
  { id, userId }: OwnRequest,
  { text, pictures = [] }: Message,
  work: (tx: Transaction, row: CustomEdit, now: Date) => Promise<void>,
): Promise<void> {
  const { db, store, clock } = deps
  const mine = and(eq(customEdits.id, id), eq(customEdits.userId, userId))
  const ids = pictures.map(({ upload }) => upload)
  if ((await db.$count(customEdits, mine)) === 0) throw appError('custom_edit.not_found')
  if (await areStored(db, id, ids)) return
  await refuseWords(deps, { userId, tool: 'customize-edit', fields: { text } })
  await limitRate(deps, [{ rule: 'custom_edits:messages', subject: userId, limit: messagesPerDay, seconds: 86_400 }])
  const now = clock()
  const files = ids.length > 0 ? await storePictures(deps, { id, userId, pictures, now }) : []
  const dropCopies = () => store.delete(files.map(({ storageKey }) => storageKey)).catch(() => {})
  try {
    const isStored = await transact(db, async (tx) => {
      const [row] = await tx.select().from(customEdits).where(mine).for('update')
      if (!row) throw appError('custom_edit.not_found')
      if (await areStored(tx, id, ids)) return false
      await work(tx, row, now)
      const bytes = files.reduce((sum, file) => sum + file.bytes, 0)
      // Words need no space: a user whose space has shrunk since can still answer.
      if (bytes > 0) await uploads.requireSpace(deps, tx, { userId, bytes, now })
      await insertFiles(tx, userId, files, now)
      await uploads.markUploadsUsed(tx, { refs: pictures, by: id, now })
      await tx
        .insert(customEditNotes)
        .values({ customEditId: id, authorId: userId, shared: true, text, createdAt: now })
      await notifyRequestChange(tx, userId)
      const people = row.designerId ? [row.designerId] : await designers(tx)
      for (const staff of people) {
        await push.enqueue(tx, { kind: 'custom_edit_answer', userId: staff, subjectId: id, now })
        await enqueueMail(tx, { template: 'custom_edit_answer', userId: staff, subjectId: id, now })
      }
      return true
    })
    if (!isStored) await dropCopies()
  } catch (error) {
    // After a lost connection the outcome is unknown; unreferenced files are swept later.
    if (error instanceof AppError) await dropCopies()
    throw error
  }
}

/** Of another request an upload cannot become a picture again. */
async function areStored(executor: Executor, id: string, uploadIds: string[]): Promise<boolean> {
  if (uploadIds.length === 0) return false
  const [found] = await executor.select().from(customEditFiles).where(inArray(customEditFiles.id, uploadIds)).limit(1)
  if (found && found.customEditId !== id) throw appError('file.not_found')
  return found !== undefined
}

/** A message has no declaration that only the own face is in its pictures. */
async function storePictures(
  deps: PictureTools,
  { id, userId, pictures, now }: OwnRequest & { pictures: { upload: string }[]; now: Date },
) {
  const { db, config } = deps
  await requireAllowedAge(db, config, { userId, now, adultsOnly: true })
  await requireUnlimited(db, userId, now)
  const taken = await generations.takeFiles(deps, userId, pictures)
  if (taken.some(({ contentType }) => !contentType.startsWith('image/'))) throw appError('upload.not_image')
  await generations.refuseUnsafePictures(deps, { userId, tool: 'customize-edit', files: taken })
  const attached = and(eq(customEditFiles.customEditId, id), eq(customEditFiles.role, 'attachment'))
  const from = await db.$count(customEditFiles, attached)
  const files = await storeFiles(deps, id, { role: 'attachment', files: taken, from, now })
  return files.map((file, index) => ({ ...file, id: pictures[index]?.upload ?? file.id }))
}
