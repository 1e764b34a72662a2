import type { TaskName } from '#engine/task-types.ts'
import { useTool } from './tools-query.ts'

/** Options that need a task without a provider are hidden. */
export function useProvidedTasks(tool: string): (task: TaskName) => boolean {
  const others: readonly string[] = useTool(tool)?.others ?? []
  return (task) => others.includes(task)
}
