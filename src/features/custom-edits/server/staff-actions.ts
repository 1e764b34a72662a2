import { and, eq, inArray } from 'drizzle-orm'
import { push } from '#features/push/server/push.ts'
import { type StoredInput, uploads } from '#features/uploads/server/uploads.ts'
import { audit } from '#server/audit/audit.ts'
import { requireAuthorityOver } from '#server/auth/accounts.ts'
import type { Transaction } from '#server/db/database.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { AppError, appError } from '#server/http/app-error.ts'
import { enqueueMail } from '#server/mail/outbox.ts'
import type { AuthUser } from '#shared/session.ts'
import { type CustomEditStatus, maxResults } from '../rules.ts'
import type { noteInput, resultsInput } from '../schemas.ts'
import { resultsOf } from './board.ts'
import { notifyRequestChange } from './notices.ts'
import { deleteFiles, insertFiles, storeFiles } from './store-files.ts'
import { customEditFiles, customEditNotes, customEdits } from './table.ts'
import { type CustomEdit, versionOf } from './views.ts'

type Tools = Pick<Deps, 'db' | 'clock'>
type Staff = Pick<AuthUser, 'id' | 'role'>

/** Serializes decisions of staff. Staff cannot work on their own requests. */
async function lockRequest(tx: Transaction, { id, staff }: { id: string; staff: Staff }): Promise<CustomEdit> {
  const [row] = await tx.select().from(customEdits).where(eq(customEdits.id, id)).for('update')
  if (!row) throw appError('custom_edit.not_found')
  await requireAuthorityOver(tx, staff.id, row.userId, 'service')
  return row
}

function requireAssignee({ status, designerId }: CustomEdit, { id, role }: Staff): void {
  if (status === 'done' || status === 'declined') throw appError('custom_edit.final')
  if (status === 'new') throw appError('custom_edit.not_taken')
  if (designerId !== id && role !== 'admin') throw appError('custom_edit.taken')
}

async function change(
  tx: Transaction,
  before: CustomEdit,
  { staff, after, reason, now }: { staff: Staff; after: Partial<CustomEdit>; reason?: string; now: Date },
): Promise<void> {
  await tx.update(customEdits).set(after).where(eq(customEdits.id, before.id))
  await notifyRequestChange(tx, before.userId)
  const actions = { new: 'returned', in_progress: 'taken', done: 'done', declined: 'declined' } as const
  const status = after.status ?? before.status
  await audit(tx, {
    actor: staff.id,
    action: `custom_edit.${actions[status]}`,
    subject: { kind: 'custom_edit', id: before.id },
    before: { status: before.status, designer: before.designerId },
    after: { status, designer: after.designerId === undefined ? before.designerId : after.designerId },
    ...(reason !== undefined && { reason }),
    now,
  })
}

/**
 * Of two concurrent calls one is refused; a repeated call of the assigned designer changes nothing.
 */
export async function takeRequest({ db, clock }: Tools, { id, staff }: { id: string; staff: Staff }): Promise<void> {
  const now = clock()
  await transact(db, async (tx) => {
    const row = await lockRequest(tx, { id, staff })
    if (row.status === 'in_progress' && row.designerId === staff.id) return
    if (row.status === 'in_progress') throw appError('custom_edit.taken')
    if (row.status !== 'new') throw appError('custom_edit.final')
    await change(tx, row, { staff, after: { status: 'in_progress', designerId: staff.id, takenAt: now }, now })
  })
}

export async function returnRequest({ db, clock }: Tools, { id, staff }: { id: string; staff: Staff }): Promise<void> {
  await transact(db, async (tx) => {
    const row = await lockRequest(tx, { id, staff })
    requireAssignee(row, staff)
    await change(tx, row, { staff, after: { status: 'new', designerId: null, takenAt: null }, now: clock() })
  })
}

/** Finished requests can still get notes. */
export async function addNote(
  { db, clock }: Tools,
  { id, staff }: { id: string; staff: Staff },
  { text, shared }: typeof noteInput.infer,
): Promise<void> {
  const now = clock()
  await transact(db, async (tx) => {
    const { userId } = await lockRequest(tx, { id, staff })
    await tx.insert(customEditNotes).values({ customEditId: id, authorId: staff.id, shared, text, createdAt: now })
    await notifyRequestChange(tx, shared ? userId : undefined)
    if (!shared) return
    await push.enqueue(tx, { kind: 'custom_edit_message', userId, subjectId: id, now })
    await enqueueMail(tx, { template: 'custom_edit_message', userId, subjectId: id, now })
  })
}

/** All are added in one transaction. */
async function areResults(tx: Transaction, id: string, ids: string[]): Promise<boolean> {
  return (await tx.$count(customEditFiles, and(resultsOf(id), inArray(customEditFiles.id, ids)))) > 0
}

/** Each result keeps the id of its upload, so that a repeated request adds it once. */
export async function addResults(
  deps: Pick<Deps, 'db' | 'store' | 'clock' | 'withFolder'>,
  { id, staff }: { id: string; staff: Staff },
  { files: refs }: typeof resultsInput.infer,
): Promise<void> {
  const { db, store, clock } = deps
  const now = clock()
  const ids = refs.map(({ upload }) => upload)
  const from = await transact(db, async (tx) => {
    const row = await lockRequest(tx, { id, staff })
    if (await areResults(tx, id, ids)) return null
    requireAssignee(row, staff)
    return { version: versionOf(row), count: await tx.$count(customEditFiles, resultsOf(id)) }
  })
  if (from === null) return
  const { version } = from
  const taken: StoredInput[] = []
  for (const upload of ids) taken.push(await uploads.requireReadyUpload(deps, staff.id, upload))
  const files = await storeFiles(deps, id, { role: 'result', files: taken, from: from.count, now })
  const rows = files.map((file, index) => ({ ...file, version, id: ids[index] ?? file.id }))
  const dropCopies = () => store.delete(rows.map(({ storageKey }) => storageKey)).catch(() => {})
  try {
    const added = await transact(db, async (tx) => {
      const row = await lockRequest(tx, { id, staff })
      if (await areResults(tx, id, ids)) return false
      requireAssignee(row, staff)
      if ((await tx.$count(customEditFiles, resultsOf(id, version))) + rows.length > maxResults)
        throw appError('upload.too_many')
      await insertFiles(tx, row.userId, rows, now)
      await uploads.markUploadsUsed(tx, { refs, by: id, now })
      await notifyRequestChange(tx)
      const subject = { kind: 'custom_edit', id }
      const after = { files: rows.map(({ id: file }) => file) }
      await audit(tx, { actor: staff.id, action: 'custom_edit.results_added', subject, after, now })
      return true
    })
    if (!added) await dropCopies()
  } catch (error) {
    if (error instanceof AppError) await dropCopies()
    throw error
  }
}

/** Mailed to the account's own address, since the one in the request may be a stranger's. */
export async function finishRequest(
  { db, clock }: Tools,
  { id, staff }: { id: string; staff: Staff },
  {
    status,
    reason,
    note,
  }:
    | { status: Extract<CustomEditStatus, 'done'>; reason?: undefined; note?: string | undefined }
    | { status: Extract<CustomEditStatus, 'declined'>; reason: string; note?: undefined },
): Promise<void> {
  const now = clock()
  await transact(db, async (tx) => {
    const row = await lockRequest(tx, { id, staff })
    // The same decision again changes nothing and sends no second mail.
    if (row.status === status) return
    if (status === 'declined' && row.status === 'new') {
      // A request can be declined without taking it first.
    } else requireAssignee(row, staff)
    if (status === 'done' && (await tx.$count(customEditFiles, resultsOf(id, versionOf(row)))) === 0) {
      throw appError('custom_edit.no_results')
    }
    const designerId = row.designerId ?? staff.id
    const after = { status, designerId, finishedAt: now, reason: reason ?? null }
    await change(tx, row, { staff, after, ...(reason !== undefined && { reason }), now })
    if (note?.trim()) {
      const said = { customEditId: id, authorId: staff.id, shared: true, text: note.trim(), createdAt: now }
      await tx.insert(customEditNotes).values(said)
    }
    const template = status === 'done' ? 'custom_edit_done' : 'custom_edit_declined'
    await push.enqueue(tx, { kind: template, userId: row.userId, subjectId: id, now })
    await enqueueMail(tx, { template, userId: row.userId, subjectId: id, now })
  })
}

export async function removeResult(
  { db, store, clock }: Pick<Deps, 'db' | 'store' | 'clock'>,
  { id, fileId, staff }: { id: string; fileId: string; staff: Staff },
): Promise<void> {
  const key = await transact(db, async (tx) => {
    const row = await lockRequest(tx, { id, staff })
    requireAssignee(row, staff)
    // Delivered results of the first version belong to the owner.
    const result = and(eq(customEditFiles.id, fileId), resultsOf(id, versionOf(row)))
    const [key] = await deleteFiles(tx, result, clock())
    if (key === undefined) throw appError('file.not_found')
    await notifyRequestChange(tx)
    const subject = { kind: 'custom_edit', id }
    await audit(tx, {
      actor: staff.id,
      action: 'custom_edit.result_removed',
      subject,
      before: { file: fileId },
      now: clock(),
    })
    return key
  })
  await store.delete([key])
}
