import { asc, eq, inArray } from 'drizzle-orm'
import { users } from '#features/account/server/table.ts'
import type { Deps } from '#server/deps.ts'
import { signFileAddress } from '#server/storage/signed-address.ts'
import type { BoardEditView, CustomEditFile, CustomEditView } from '../types.ts'
import { customEditFiles, type customEdits } from './table.ts'

export type CustomEdit = typeof customEdits.$inferSelect
type FileRow = typeof customEditFiles.$inferSelect
type Tools = Pick<Deps, 'db' | 'config' | 'clock'>

/** The address of a file for its owner; good while the session lives, for an hour at most. */
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

function view(row: CustomEdit, files: FileRow[], urlOf: (file: FileRow) => string | null): CustomEditView {
  const { id, status, title, whatsapp, email, description, generationId, reason } = row
  const ofRole = (role: FileRow['role']): CustomEditFile[] =>
    files
      .filter((file) => file.customEditId === id && file.role === role)
      .map((file) => {
        const { id, name, contentType, width, height, bytes } = file
        return { id, url: urlOf(file), name, contentType, width, height, bytes }
      })
  return {
    ...{ id, status, title, whatsapp, email, description, generationId, reason },
    attachments: ofRole('attachment'),
    results: ofRole('result'),
    createdAt: row.createdAt.toISOString(),
    dueAt: row.dueAt.toISOString(),
    takenAt: row.takenAt?.toISOString() ?? null,
    finishedAt: row.finishedAt?.toISOString() ?? null,
  }
}

/**
 * Requests as their owner sees them: what the designers make is theirs once it is sent, and not
 * before.
 */
export async function ownViews(deps: Tools, rows: CustomEdit[], sessionId: string): Promise<CustomEditView[]> {
  const files = await filesOf(deps, rows)
  return rows.map((row) => {
    const own = row.status === 'done' ? files : files.filter(({ role }) => role !== 'result')
    return view(row, own, (file) => addressOf(deps, file, sessionId))
  })
}

/** Requests as staff see them: that there are pictures, and no address of one. */
export async function boardViews(deps: Tools, rows: CustomEdit[]): Promise<BoardEditView[]> {
  const files = await filesOf(deps, rows)
  const ids = [...new Set(rows.flatMap(({ userId, designerId }) => [userId, ...(designerId ? [designerId] : [])]))]
  const people =
    ids.length === 0
      ? []
      : await deps.db.select({ id: users.id, name: users.name }).from(users).where(inArray(users.id, ids))
  const person = (id: string) => people.find((found) => found.id === id) ?? { id, name: '' }
  const now = deps.clock()
  return rows.map((row) => ({
    ...view(row, files, () => null),
    user: person(row.userId),
    designer: row.designerId ? person(row.designerId) : null,
    overdue: row.finishedAt === null && row.dueAt < now,
  }))
}

export const fileById = async ({ db }: Pick<Tools, 'db'>, id: string): Promise<FileRow | undefined> =>
  (await db.select().from(customEditFiles).where(eq(customEditFiles.id, id)))[0]
