import { useQuery } from '@tanstack/react-query'
import type { TaskName } from '#engine/task-work.ts'
import type { TaskSpecs } from '../contract/tool.ts'
import type { AnyToolPage } from './page.ts'
import { toolsQuery } from './tools-query.ts'

/** Whether what is paid for comes from a better model than a preview does. */
export function useBetterModel({ definition: { id, tasks } }: Pick<AnyToolPage, 'definition'>): boolean {
  const { data } = useQuery(toolsQuery)
  const others = data?.items.find((tool) => tool.id === id)?.others ?? []
  // These two make no result better.
  const quiet = new Set<TaskName>(['safety', 'depth'])
  return Object.values(tasks as TaskSpecs).some((task) => !quiet.has(task) && others.includes(task))
}
