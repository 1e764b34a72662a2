import type { QueryClient } from '@tanstack/react-query'
import { apiQuery } from '#client/query.ts'
import type { Page } from '#contract/paging.ts'
import type { CustomEditView } from '../types.ts'

/**
 * The requests of the person, the newest first; events say when one changed. What was kept may be
 * older than the designer's last step, whatever its age says.
 */
export const customEditsQuery = apiQuery<Page<CustomEditView>>(['custom-edits'], '/api/custom_edits', {
  staleTime: 0,
  meta: { persist: true },
})

/** What shows requests asks for them anew: the person's own, and for staff the board. */
export function refreshRequests(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: customEditsQuery.queryKey })
  void client.invalidateQueries({
    queryKey: ['admin'],
    predicate: ({ queryKey: [, path] }) => typeof path === 'string' && path.startsWith('custom_edits'),
  })
}
