import { adminList, adminQuery } from '#ui/admin/queries.ts'
import type { BoardEditDetail, BoardEditView } from '../../schemas.ts'

const board = adminList<BoardEditView>('custom_edits')
export const boardQuery = board.page

/** Paths are relative to /api/admin/. */
export const editPath = (id: string) => `custom_edits/${id}`
export const editQuery = (id: string) => adminQuery<BoardEditDetail>(editPath(id))
