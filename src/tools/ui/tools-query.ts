import { useQuery } from '@tanstack/react-query'
import { apiQuery } from '#client/query.ts'
import type { ToolDefinition } from '../contract/tool.ts'
import type { ToolView } from '../contract/views.ts'

/** Every tool with its price and whether it is switched on; also for visitors. */
export const toolsQuery = apiQuery<{ items: ToolView[] }>(['tools'], '/api/tools?schemas=none', {
  staleTime: 5 * 60_000,
  meta: { persist: true },
})

/** One of them; undefined until they are known. */
export const useTool = (id: string | undefined): ToolView | undefined =>
  useQuery(toolsQuery).data?.items.find((tool) => tool.id === id)

/** Whether a tool is switched on, and somebody does now what the engine cannot. */
export function isOffered<Params>(
  { needs, defaults }: Pick<ToolDefinition<Params>, 'needs' | 'defaults'>,
  view: ToolView | undefined,
): view is ToolView {
  return view?.enabled === true && (needs?.(defaults) ?? []).every((task) => view.others.includes(task))
}
