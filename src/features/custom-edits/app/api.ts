import type { QueryClient } from '@tanstack/react-query'
import { apiQuery } from '#client/query.ts'
import type { Page } from '#contract/paging.ts'
import type { CustomEditView } from '../types.ts'

/**
 * The user's requests, newest first; events report changes. Stored data may predate the designer's
 * last step even when it is recent.
 */
export const customEditsQuery = apiQuery<Page<CustomEditView>>(['custom-edits'], '/api/custom_edits', {
  staleTime: 0,
  meta: { persist: true },
})

/** Refetches requests: the user's own, and the board of staff. */
export function refreshRequests(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: customEditsQuery.queryKey })
  void client.invalidateQueries({
    queryKey: ['admin'],
    predicate: ({ queryKey: [, path] }) => typeof path === 'string' && path.startsWith('custom_edits'),
  })
}
