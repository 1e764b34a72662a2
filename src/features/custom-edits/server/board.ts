import { and, asc, count, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm'
import { audit } from '#server/audit/audit.ts'
import { users } from '#server/auth/table.ts'
import { type Key, keyset } from '#server/db/keyset.ts'
import { transact } from '#server/db/transact.ts'
import { containsAll } from '#server/db/trigram-search.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import type { Page } from '#shared/paging.ts'
import type { BoardCounts, BoardEditDetail, BoardEditView, boardInput } from '../schemas.ts'
import { type Download, download } from './results.ts'
import { customEditFiles, customEditNotes, customEdits } from './table.ts'
import { boardViews, type CustomEdit } from './views.ts'

type Tools = Pick<Deps, 'db' | 'config' | 'clock'>

const byId: Key<CustomEdit> = { column: customEdits.id, type: 'uuid', of: ({ id }) => id }
const byDueAt: Key<CustomEdit> = {
  column: customEdits.dueAt,
  type: 'timestamptz',
  of: ({ dueAt }) => dueAt.toISOString(),
}
const openOrder = keyset('board:open', 'ascending', [byDueAt, byId])
// Ids are time-ordered (UUIDv7).
const finishedOrder = keyset('board:finished', 'descending', [byId])

/** Open requests by due date, finished ones from the newest on. */
export async function listBoard(
  deps: Tools,
  staffId: string,
  { status, mine, search, cursor, limit }: typeof boardInput.infer,
): Promise<Page<BoardEditView>> {
  const order = status === 'done' || status === 'declined' ? finishedOrder : openOrder
  const { rows, nextCursor } = await order.read(
    deps.db.select().from(customEdits),
    and(
      status ? eq(customEdits.status, status) : inArray(customEdits.status, ['new', 'in_progress']),
      mine ? eq(customEdits.designerId, staffId) : undefined,
      search ? await containsAll(deps.db, customEdits, [customEdits.title, customEdits.email], search) : undefined,
    ),
    { cursor, limit },
  )
  return { items: await boardViews(deps, rows), nextCursor }
}

export async function countBoard({ db, clock }: Pick<Deps, 'db' | 'clock'>, staffId: string): Promise<BoardCounts> {
  const open = inArray(customEdits.status, ['new', 'in_progress'])
  const [found] = await db
    .select({
      open: count(),
      overdue: sql<string>`count(*) filter (where ${customEdits.dueAt} < ${clock().toISOString()}::timestamptz)`,
    })
    .from(customEdits)
    .where(open)
  const { stars, designerId } = customEdits
  const own = sql`filter (where ${designerId} = ${staffId}::uuid)`
  const [rated] = await db
    .select({
      ratings: sql<string>`count(${stars})`,
      average: sql<string | null>`avg(${stars})`,
      ownRatings: sql<string>`count(${stars}) ${own}`,
      ownAverage: sql<string | null>`avg(${stars}) ${own}`,
    })
    .from(customEdits)
    .where(isNotNull(stars))
  const numberOf = (average: string | null | undefined) => (average ? Number(average) : null)
  return {
    open: found?.open ?? 0,
    overdue: Number(found?.overdue ?? 0),
    ratings: Number(rated?.ratings ?? 0),
    averageStars: numberOf(rated?.average),
    ownRatings: Number(rated?.ownRatings ?? 0),
    ownAverageStars: numberOf(rated?.ownAverage),
  }
}

export async function readBoardEdit(deps: Tools, id: string): Promise<BoardEditDetail> {
  const [row] = await deps.db.select().from(customEdits).where(eq(customEdits.id, id))
  const [view] = row ? await boardViews(deps, [row]) : []
  if (!view) throw appError('custom_edit.not_found')
  const notes = await deps.db
    .select({ note: customEditNotes, author: users.name })
    .from(customEditNotes)
    .leftJoin(users, and(eq(users.id, customEditNotes.authorId), isNull(users.deletedAt)))
    .where(eq(customEditNotes.customEditId, id))
    .orderBy(asc(customEditNotes.id))
  return {
    ...view,
    notes: notes.map(({ note, author }) => ({
      id: note.id,
      author,
      shared: note.shared,
      pictures: view.messages.find(({ id }) => id === note.id)?.pictures.length ?? 0,
      text: note.text,
      createdAt: note.createdAt.toISOString(),
    })),
  }
}

/** The audit log records each opening. */
export async function openPicture(
  { db, store, clock }: Pick<Deps, 'db' | 'store' | 'clock'>,
  { id, fileId, staffId }: { id: string; fileId: string; staffId: string },
): Promise<{ body: ReadableStream<Uint8Array>; contentType: string }> {
  const [file] = await db
    .select()
    .from(customEditFiles)
    .where(and(eq(customEditFiles.id, fileId), eq(customEditFiles.customEditId, id)))
  if (!file) throw appError('file.not_found')
  const { body } = await store.stream(file.storageKey)
  const entry = { actor: staffId, action: 'custom_edit.picture_opened' as const, subject: { kind: 'custom_edit', id } }
  await transact(db, (tx) => audit(tx, { ...entry, after: { file: fileId, role: file.role }, now: clock() }))
  return { body, contentType: file.contentType }
}

export const resultsOf = (id: string, version?: number) =>
  sql`${customEditFiles.customEditId} = ${id}::uuid and ${customEditFiles.role} = 'result'
    and ${version === undefined ? sql`true` : sql`${customEditFiles.version} = ${version}`}`

/** The audit log records each opening. */
export async function openOriginals(
  { db, store, clock }: Pick<Deps, 'db' | 'store' | 'clock'>,
  { id, staffId }: { id: string; staffId: string },
): Promise<Download> {
  const files = await db
    .select()
    .from(customEditFiles)
    .where(and(eq(customEditFiles.customEditId, id), eq(customEditFiles.role, 'attachment')))
    .orderBy(asc(customEditFiles.position))
  if (files.length === 0) throw appError('file.not_found')
  const entry = { actor: staffId, action: 'custom_edit.picture_opened' as const, subject: { kind: 'custom_edit', id } }
  const after = { files: files.map(({ id: file }) => file), role: 'attachment' }
  await transact(db, (tx) => audit(tx, { ...entry, after, now: clock() }))
  return await download({ store }, files)
}
