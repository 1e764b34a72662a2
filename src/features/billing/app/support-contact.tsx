import { queryOptions, useQuery } from '@tanstack/react-query'
import { apiJson } from '#client/api.ts'
import type { SiteView } from '#features/site/types.ts'

/** What the operator has set; it changes with a restart at most. */
const siteQuery = queryOptions({
  queryKey: ['site'],
  queryFn: ({ signal }) => apiJson<SiteView>('/api/site', { signal }),
  staleTime: Number.POSITIVE_INFINITY,
  meta: { persist: true },
})

/** The address at which people ask for help, as a link; undefined until it is known. */
export function useSupportLink(enabled = true) {
  const email = useQuery({ ...siteQuery, enabled }).data?.supportEmail
  return (
    email && (
      <a href={`mailto:${email}`} className="font-semibold text-primary-ink underline underline-offset-2">
        {email}
      </a>
    )
  )
}
