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
