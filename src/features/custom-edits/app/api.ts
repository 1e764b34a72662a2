import { queryOptions } from '@tanstack/react-query'
import { apiJson } from '#client/api.ts'
import type { Page } from '#contract/paging.ts'
import type { CustomEditView } from '../types.ts'

const openMilliseconds = 60_000

const isOpen = ({ status }: CustomEditView) => status === 'new' || status === 'in_progress'

/** The requests of the person, the newest first; asked again now and then while one is open. */
export const customEditsQuery = queryOptions({
  queryKey: ['custom-edits'],
  queryFn: ({ signal }) => apiJson<Page<CustomEditView>>('/api/custom_edits', { signal }),
  refetchInterval: ({ state }) => (state.data?.items.some(isOpen) ? openMilliseconds : false),
  // What was kept may be older than the designer's last step, whatever its age says.
  staleTime: 0,
  meta: { persist: true },
})
