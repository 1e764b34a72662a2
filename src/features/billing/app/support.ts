import { queryOptions } from '@tanstack/react-query'
import { apiJson } from '#client/api.ts'
import type { SiteView } from '#features/site/types.ts'

/** What the operator has set; it changes with a restart at most. */
export const siteQuery = queryOptions({
  queryKey: ['site'],
  queryFn: ({ signal }) => apiJson<SiteView>('/api/site', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
  meta: { persist: true },
})
