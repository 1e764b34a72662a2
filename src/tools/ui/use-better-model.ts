import type { TaskName } from '#engine/task-types.ts'
import type { TaskSpecs } from '../contract/tool.ts'
import type { AnyToolPage } from './page.ts'
import { useProvidedTasks } from './use-others.ts'

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
