import { queryOptions } from '@tanstack/react-query'
import type { ToolView } from '#features/generations/contract.ts'
import { apiJson } from './api.ts'

/** Every tool with its price and whether it is switched on; also for visitors. */
export const toolsQuery = queryOptions({
  queryKey: ['tools'],
  queryFn: ({ signal }) => apiJson<{ items: ToolView[] }>('/api/tools', { signal }),
  staleTime: 5 * 60_000,
  meta: { persist: true },
})
