import { t } from '@lingui/core/macro'
import { keepPreviousData, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { apiFetch, apiJson, errorText } from '#client/api.ts'
import type { Page } from '#shared/paging.ts'
import { showSnackbar } from '../snackbar.tsx'

export const adminQuery = <Body>(path: string, params?: Record<string, string>) =>
  queryOptions({
    queryKey: ['admin', path, params],
    queryFn: ({ signal }) =>
      apiJson<Body>(`/api/admin/${path}${params ? `?${new URLSearchParams(params)}` : ''}`, { signal }),
    staleTime: 10_000,
  })

/** The previous page stays until the next one is there. */
export const adminList = <Row>(path: string) => ({
  path,
  page: (params: Record<string, string>) => ({
    ...adminQuery<Page<Row>>(path, { limit: '25', ...params }),
    placeholderData: keepPreviousData,
  }),
})

export interface Change {
  /** Below /api/admin/. */
  path: string
  method?: 'POST' | 'PATCH' | 'PUT' | 'DELETE'
  json?: unknown
  /** A form with files, instead of JSON. */
  body?: FormData
  headers?: Record<string, string>
}

/** A function words the server's answer. */
export type SuccessMessage = string | ((answer: never) => string)

/**
 * Refetches all admin queries, since one change shows in many lists; `quiet` hides the server's
 * refusal.
 */
export function useChange({
  successMessage,
  quiet,
}: {
  successMessage?: SuccessMessage | undefined
  quiet?: boolean
} = {}) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: ({ path, ...init }: Change) =>
      apiFetch(`/api/admin/${path}`, { method: 'POST', ...init }).finally(() =>
        client.invalidateQueries({ queryKey: ['admin'] }),
      ),
    onError: (error) => !quiet && showSnackbar('error', errorText(error)),
    // 202: a second member of staff has to confirm it.
    onSuccess: async (response) => {
      if (response.status === 202) showSnackbar('success', t`Menunggu persetujuan staf lain.`)
      else if (typeof successMessage === 'function')
        showSnackbar('success', successMessage((await response.json()) as never))
      else if (successMessage) showSnackbar('success', successMessage)
    },
  })
}
