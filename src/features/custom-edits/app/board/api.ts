import { listQuery, readQuery } from '#ui/admin/queries.ts'
import type { BoardEditDetail, BoardEditView } from '../../types.ts'

export const boardPath = '/api/admin/custom_edits'

export const boardQuery = (params: Record<string, string>) => ({
  ...listQuery<BoardEditView>('board', boardPath)(params),
  refetchInterval: 60_000,
})

export const requestQuery = (id: string) => readQuery<BoardEditDetail>(['board', id], `${boardPath}/${id}`)
