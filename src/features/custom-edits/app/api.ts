import type { QueryClient } from '@tanstack/react-query'
import { apiQuery } from '#client/query.ts'
import type { Page } from '#shared/paging.ts'
import type { CustomEditView } from '../schemas.ts'

/** Stored data may predate the designer's last step even when it is recent. */
export const customEditsQuery = apiQuery<Page<CustomEditView>>(['custom-edits'], '/api/custom_edits', {
  staleTime: 0,
  meta: { persist: true },
})

export function refreshRequests(client: QueryClient): void {
  void client.invalidateQueries({ queryKey: customEditsQuery.queryKey })
  void client.invalidateQueries({
    queryKey: ['admin'],
    predicate: ({ queryKey: [, path] }) => typeof path === 'string' && path.startsWith('custom_edits'),
  })
}
