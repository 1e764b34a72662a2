import type { TaskName } from '#engine/task-types.ts'
import { useTool } from './tools-query.ts'

/**
 * Tests for tasks of a tool that a provider does now: an option that needs one is hidden otherwise.
 */
export function useOthers(tool: string): (task: TaskName) => boolean {
  const others: readonly string[] = useTool(tool)?.others ?? []
  return (task) => others.includes(task)
}
