import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { apiFetch, apiJson } from '#client/api.ts'
import { errorText } from '#client/errors.ts'
import type { Page } from '#contract/paging.ts'
import { showSnackbar } from '#ui/snackbar.tsx'
import type { BoardEditDetail, BoardEditView } from '../../types.ts'

export const boardPath = '/api/admin/custom_edits'

export const boardQuery = (params: Record<string, string>) =>
  queryOptions({
    queryKey: ['admin', 'board', 'list', params],
    queryFn: ({ signal }) => apiJson<Page<BoardEditView>>(`${boardPath}?${new URLSearchParams(params)}`, { signal }),
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  })

export const requestQuery = (id: string) =>
  queryOptions({
    queryKey: ['admin', 'board', id],
    queryFn: ({ signal }) => apiJson<BoardEditDetail>(`${boardPath}/${id}`, { signal }),
  })

/** Something that staff do with a request; refusals are shown, and the board is read again. */
export function useBoardAction(done?: { said?: string; onDone?: () => void }) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ path, method = 'POST', json }: { path: string; method?: string; json?: unknown }) =>
      apiFetch(`${boardPath}/${path}`, { method, json }),
    onError: (error) => showSnackbar('error', errorText(error)),
    onSuccess: () => {
      if (done?.said) showSnackbar('success', done.said)
      done?.onDone?.()
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['admin'] }),
  })
}
