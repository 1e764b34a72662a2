import { and, asc, eq, inArray, isNull } from 'drizzle-orm'
import { users } from '#server/auth/table.ts'
import type { Deps } from '#server/deps.ts'
import { signFileAddress } from '#server/storage/signed-address.ts'
import { addTime } from '#shared/time.ts'
import { ratingDays, resultsKeptUntil } from '../rules.ts'
import type { BoardEditView, CustomEditFile, CustomEditView } from '../schemas.ts'
import { customEditFiles, customEditNotes, type customEdits } from './table.ts'

export type CustomEdit = typeof customEdits.$inferSelect
type FileRow = typeof customEditFiles.$inferSelect
type Tools = Pick<Deps, 'db' | 'config' | 'clock'>

/** Valid while the session lives, for an hour at most. */
function addressOf({ config, clock }: Tools, { id, name }: FileRow, session: string): string {
  return signFileAddress({ id, name, session }, config.fileSigningKey, clock()).replace(
    '/files/',
    '/custom_edit_files/',
  )
}

async function filesOf({ db }: Pick<Tools, 'db'>, rows: CustomEdit[]): Promise<FileRow[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  return await db
    .select()
    .from(customEditFiles)
    .where(inArray(customEditFiles.customEditId, ids))
    .orderBy(asc(customEditFiles.position), asc(customEditFiles.id))
}

function view(
  row: CustomEdit,
  files: FileRow[],
  messages: MessageRow[],
  { now, urlOf }: { now: Date; urlOf: (file: FileRow) => string | null },
): CustomEditView {
  const { id, status, title, whatsapp, email, description, generationId, reason } = row
  const ofRole = (role: FileRow['role'], at?: Date): CustomEditFile[] =>
    files
      .filter((file) => file.customEditId === id && file.role === role && (!at || +file.createdAt === +at))
      .map((file) => {
        const { id, version, name, contentType, width, height, bytes } = file
        const url = urlOf(file)
        const thumbnailUrl = url && `${url}&size=small`
        return { id, version, url, thumbnailUrl, name, contentType, width, height, bytes }
      })
  return {
    id,
    status,
    title,
    whatsapp,
    email,
    description,
    generationId,
    reason,
    attachments: ofRole('attachment'),
    results: ofRole('result'),
    messages: messages
      .filter(({ message }) => message.customEditId === id)
      .map(({ message, author }) => ({
        id: message.id,
        mine: message.authorId === row.userId,
        author,
        text: message.text,
        // Stored in the transaction of the message.
        pictures: message.authorId === row.userId ? ofRole('attachment', message.createdAt) : [],
        createdAt: message.createdAt.toISOString(),
      })),
    version: versionOf(row),
    canReopen: mayReopen(row, now),
    rating:
      row.stars === null || row.ratedAt === null
        ? null
        : { stars: row.stars, comment: row.ratingComment ?? '', ratedAt: row.ratedAt.toISOString() },
    canRate: mayRate(row, now),
    createdAt: row.createdAt.toISOString(),
    dueAt: row.dueAt.toISOString(),
    takenAt: row.takenAt?.toISOString() ?? null,
    finishedAt: row.finishedAt?.toISOString() ?? null,
  }
}

/** Owners see results only once they are delivered. */
export async function ownViews(deps: Tools, rows: CustomEdit[], sessionId: string): Promise<CustomEditView[]> {
  const [files, messages] = [await filesOf(deps, rows), await messagesOf(deps, rows)]
  const now = deps.clock()
  return rows.map((row) => {
    const isSent = ({ role, version }: FileRow) =>
      role !== 'result' || row.status === 'done' || (row.reopenedAt !== null && version === 1)
    return view(row, files.filter(isSent), messages, { now, urlOf: (file) => addressOf(deps, file, sessionId) })
  })
}

/** Version of the results in progress, or last delivered. */
export const versionOf = ({ reopenedAt }: Pick<CustomEdit, 'reopenedAt'>): number => (reopenedAt ? 2 : 1)

/** A request can be reopened once, as long as its results are kept. */
export function mayReopen({ status, reopenedAt, finishedAt }: CustomEdit, now: Date): boolean {
  return status === 'done' && reopenedAt === null && finishedAt !== null && now < resultsKeptUntil(finishedAt)
}

/** A delivery can be rated while its results are kept, and the rating changed for some days. */
export function mayRate({ status, finishedAt, ratedAt }: CustomEdit, now: Date): boolean {
  if (status !== 'done' || finishedAt === null || now >= resultsKeptUntil(finishedAt)) return false
  return ratedAt === null || ratedAt < finishedAt || now < addTime(ratedAt, { days: ratingDays })
}

type MessageRow = { message: typeof customEditNotes.$inferSelect; author: string | null }

async function messagesOf({ db }: Pick<Tools, 'db'>, rows: CustomEdit[]): Promise<MessageRow[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  return await db
    .select({ message: customEditNotes, author: users.name })
    .from(customEditNotes)
    .leftJoin(users, and(eq(users.id, customEditNotes.authorId), isNull(users.deletedAt)))
    .where(and(inArray(customEditNotes.customEditId, ids), eq(customEditNotes.shared, true)))
    .orderBy(asc(customEditNotes.id))
}

/** Staff see the number of pictures, without addresses. */
export async function boardViews(deps: Tools, rows: CustomEdit[]): Promise<BoardEditView[]> {
  const [files, messages] = [await filesOf(deps, rows), await messagesOf(deps, rows)]
  const ids = [...new Set(rows.flatMap(({ userId, designerId }) => [userId, ...(designerId ? [designerId] : [])]))]
  const people =
    ids.length === 0
      ? []
      : await deps.db.select({ id: users.id, name: users.name }).from(users).where(inArray(users.id, ids))
  const person = (id: string) => people.find((found) => found.id === id) ?? { id, name: '' }
  const now = deps.clock()
  return rows.map((row) => ({
    ...view(row, files, messages, { now, urlOf: () => null }),
    user: person(row.userId),
    designer: row.designerId ? person(row.designerId) : null,
    overdue: row.finishedAt === null && row.dueAt < now,
  }))
}

export const fileById = async ({ db }: Pick<Tools, 'db'>, id: string): Promise<FileRow | undefined> =>
  (await db.select().from(customEditFiles).where(eq(customEditFiles.id, id)))[0]
