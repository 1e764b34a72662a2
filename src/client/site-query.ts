import { apiQuery } from '#client/query.ts'
import type { Site } from '#shared/site.ts'

/** Changes only with a restart of the server. */
export const siteQuery = apiQuery<Site>(['site'], '/api/site', {
  staleTime: Number.POSITIVE_INFINITY,
  meta: { persist: true },
})
