import { queryOptions, useQuery } from '@tanstack/react-query'
import { apiJson } from '#client/api.ts'
import type { ToolView } from '../contract/views.ts'

/** Every tool with its price and whether it is switched on; also for visitors. */
export const toolsQuery = queryOptions({
  queryKey: ['tools'],
  queryFn: ({ signal }) => apiJson<{ items: ToolView[] }>('/api/tools?schemas=none', { signal }),
  staleTime: 5 * 60_000,
  meta: { persist: true },
})

/** One of them; undefined until they are known. */
export const useTool = (id: string | undefined): ToolView | undefined =>
  useQuery(toolsQuery).data?.items.find((tool) => tool.id === id)
