import type { TaskName } from '#engine/task-work.ts'
import { useTool } from './tools-query.ts'

/**
 * Tasks of a tool that somebody else than the engine does now: an option that needs one is shown
 * only then.
 */
export function useOthers(tool: string): (task: TaskName) => boolean {
  const others: readonly string[] = useTool(tool)?.others ?? []
  return (task) => others.includes(task)
}
