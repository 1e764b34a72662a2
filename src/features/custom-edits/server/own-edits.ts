import { and, eq } from 'drizzle-orm'
import { keyset } from '#server/db/keyset.ts'
import { transact } from '#server/db/transact.ts'
import type { Deps } from '#server/deps.ts'
import { appError } from '#server/http/app-error.ts'
import type { Page, PageRequest } from '#shared/paging.ts'
import type { CustomEditView } from '../schemas.ts'
import { notifyRequestChange } from './notices.ts'
import { deleteFiles } from './store-files.ts'
import { customEditFiles, customEdits } from './table.ts'
import { type CustomEdit, ownViews } from './views.ts'

// Ids are time-ordered (UUIDv7).
const newestFirst = keyset<CustomEdit>('custom_edits', 'descending', [
  { column: customEdits.id, type: 'uuid', of: ({ id }) => id },
])

export async function listOwn(
  deps: Pick<Deps, 'db' | 'config' | 'clock'>,
  { userId, sessionId }: { userId: string; sessionId: string },
  { cursor, limit = 20 }: PageRequest,
): Promise<Page<CustomEditView>> {
  const found = await deps.db
    .select()
    .from(customEdits)
    .where(and(eq(customEdits.userId, userId), newestFirst.after(cursor)))
    .orderBy(...newestFirst.orderBy)
    .limit(limit + 1)
  const { rows, nextCursor } = newestFirst.page(found, limit)
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
    const files = await deleteFiles(tx, eq(customEditFiles.customEditId, id), clock())
    await tx.delete(customEdits).where(mine)
    await notifyRequestChange(tx, userId)
    return files
  })
  await store.delete(keys)
}
