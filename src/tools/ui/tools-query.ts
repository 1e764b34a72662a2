import { useQuery } from '@tanstack/react-query'
import { useAtomValue } from 'jotai'
import { isConnectionFast, onlineAtom } from '#client/connection.ts'
import { apiQuery } from '#client/query.ts'
import { isAuthenticatedAtom } from '#client/session.ts'
import type { TaskName } from '#engine/task-types.ts'
import type { ToolView } from '../contract/schemas.ts'
import type { TaskSpecs, ToolDefinition } from '../contract/tool.ts'
import type { AnyToolPage } from './page.ts'

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

/** Options that need a task without a provider are hidden. */
export function useProvidedTasks(tool: string): (task: TaskName) => boolean {
  const others: readonly string[] = useTool(tool)?.others ?? []
  return (task) => others.includes(task)
}

/**
 * True if the server selects what the user taps: it finds people and things, but needs a signed-in
 * user and a connection for a picture of 150 kB.
 */
export function useServerSelection(): boolean {
  const signedIn = useAtomValue(isAuthenticatedAtom)
  const online = useAtomValue(onlineAtom)
  const { data } = useQuery(toolsQuery)
  return signedIn && online && isConnectionFast() && (data?.items[0]?.others.includes('selectObject') ?? false)
}

/** Tasks that improve no result, or only where an option asks for them. */
const nonImprovingTasks = new Set<TaskName>([
  ...(['safety', 'depth'] as const),
  ...(['portrait', 'outfit', 'cartoon', 'edit', 'restorePhoto', 'addDetail'] as const),
])

export const improvesResult = (task: TaskName): boolean => !nonImprovingTasks.has(task)

export function useBetterModel({ definition: { id, tasks } }: Pick<AnyToolPage, 'definition'>): boolean {
  const does = useProvidedTasks(id)
  return Object.values(tasks as TaskSpecs).some((task) => improvesResult(task) && does(task))
}
