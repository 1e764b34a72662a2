import { keepPreviousData, type QueryKey, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { apiFetch, apiJson } from '#client/api.ts'
import { errorText } from '#client/errors.ts'
import type { Page } from '#contract/paging.ts'
import { showSnackbar } from '../snackbar.tsx'

/** A page of one of the server's lists; the page before stays until the next one is there. */
export const listQuery =
  <Row>(name: string, path: string) =>
  (params: Record<string, string>) =>
    queryOptions({
      queryKey: ['admin', name, 'list', params],
      queryFn: ({ signal }) => apiJson<Page<Row>>(`${path}?${new URLSearchParams(params)}`, { signal }),
      placeholderData: keepPreviousData,
      staleTime: 10_000,
    })

/** One thing of the server's. */
export const readQuery = <Body>(key: string[], path: string) =>
  queryOptions({
    queryKey: ['admin', ...key] as QueryKey,
    queryFn: ({ signal }) => apiJson<Body>(path, { signal }),
    staleTime: 10_000,
  })

export interface ChangeRequest {
  path: string
  method?: 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  json?: unknown
  headers?: Record<string, string>
}

/** What a change shows before the server has said yes. */
interface Optimism {
  key: QueryKey
  apply: (held: never) => unknown
}

/**
 * A change by staff. What it shows at once is taken back when the server refuses, whose sentence is
 * shown then; afterwards everything of the admin area is asked for again, for one change shows in
 * many lists.
 */
export function useChange(done?: { said?: string; onDone?: () => void; quiet?: boolean }) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ path, ...init }: ChangeRequest & { optimistic?: Optimism }) => {
      const { optimistic: _, ...request } = init
      return await apiFetch(path, { method: 'POST', ...request })
    },
    onMutate: async ({ optimistic }) => {
      if (!optimistic) return undefined
      await client.cancelQueries({ queryKey: optimistic.key })
      const before = client.getQueryData(optimistic.key)
      if (before !== undefined) client.setQueryData(optimistic.key, optimistic.apply(before as never))
      return { key: optimistic.key, before }
    },
    onError: (error, _, context) => {
      if (context) client.setQueryData(context.key, context.before)
      if (!done?.quiet) showSnackbar('error', errorText(error))
    },
    onSuccess: () => {
      if (done?.said) showSnackbar('success', done.said)
      done?.onDone?.()
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['admin'] }),
  })
}
