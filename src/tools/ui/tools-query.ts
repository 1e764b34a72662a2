import { useQuery } from '@tanstack/react-query'
import { apiQuery } from '#client/query.ts'
import type { ToolDefinition } from '../contract/tool.ts'
import type { ToolView } from '../contract/views.ts'

/** Also for visitors. */
export const toolsQuery = apiQuery<{ items: ToolView[] }>(['tools'], '/api/tools?schemas=none', {
  staleTime: 5 * 60_000,
  meta: { persist: true },
})

export const useTool = (id: string | undefined): ToolView | undefined =>
  useQuery(toolsQuery).data?.items.find((tool) => tool.id === id)

/** The tool is switched on and, if the engine cannot do it, a provider is available. */
export function isOffered<Params>(
  { needs, defaults }: Pick<ToolDefinition<Params>, 'needs' | 'defaults'>,
  view: ToolView | undefined,
): view is ToolView {
  return view?.enabled === true && (needs?.(defaults) ?? []).every((task) => view.others.includes(task))
}
