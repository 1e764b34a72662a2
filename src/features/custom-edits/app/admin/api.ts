import { adminList, adminQuery } from '#ui/admin/queries.ts'
import type { BoardCounts, BoardEditDetail, BoardEditView } from '../../schemas.ts'

const board = adminList<BoardEditView>('custom_edits')
export const boardQuery = board.page

/** Paths are relative to /api/admin/. */
export const editPath = (id: string) => `custom_edits/${id}`
export const countsQuery = adminQuery<BoardCounts>('custom_edits/counts')
export const editQuery = (id: string) => adminQuery<BoardEditDetail>(editPath(id))
