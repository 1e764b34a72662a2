import { i18n } from '@lingui/core'
import { type QueryClient, queryOptions } from '@tanstack/react-query'
import { apiFetch, apiJson } from '#client/api.ts'
import type { SharedLink, SharedResult, ShareInput } from '../schemas.ts'

export const sharedLinksQuery = queryOptions({
  queryKey: ['shared-links'],
  queryFn: async ({ signal }) => (await apiJson<{ items: SharedLink[] }>('/api/user/shared_results', { signal })).items,
  // The data contains the number of visits, which changes at any time.
  staleTime: 0,
})

export async function makeLink(client: QueryClient, given: ShareInput): Promise<SharedLink> {
  const link = await apiJson<SharedLink>('/api/user/shared_results', { json: given })
  await client.invalidateQueries({ queryKey: sharedLinksQuery.queryKey })
  return link
}

export async function revokeLink(client: QueryClient, id: string): Promise<void> {
  await apiFetch(`/api/user/shared_results/${id}`, { method: 'DELETE' })
  await client.invalidateQueries({ queryKey: sharedLinksQuery.queryKey })
}

/** The error tells if the link needs a password or has ended. */
export const openLink = (token: string, password: string | null) =>
  apiJson<SharedResult>(`/api/shared_results/${encodeURIComponent(token)}/open`, { json: { password } })

/** Includes the sender's language. */
export const addressOf = ({ path }: Pick<SharedLink, 'path'>) =>
  `${window.location.origin}${path}${i18n.locale === 'en' ? '?lang=en' : ''}`
