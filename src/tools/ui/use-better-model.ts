import type { TaskName } from '#engine/task-types.ts'
import type { TaskSpecs } from '../contract/tool.ts'
import type { AnyToolPage } from './page.ts'
import { useOthers } from './use-others.ts'

/** Tasks that improve no result, or only where an option asks for them. */
const quiet = new Set<TaskName>([
  ...(['safety', 'depth'] as const),
  ...(['portrait', 'outfit', 'cartoon', 'edit', 'restorePhoto', 'addDetail'] as const),
])

export const isHelp = (task: TaskName): boolean => !quiet.has(task)

export function useBetterModel({ definition: { id, tasks } }: Pick<AnyToolPage, 'definition'>): boolean {
  const does = useOthers(id)
  return Object.values(tasks as TaskSpecs).some((task) => isHelp(task) && does(task))
}
