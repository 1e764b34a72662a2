import { useQuery } from '@tanstack/react-query'
import type { TaskName } from '#engine/task-work.ts'
import { toolsQuery } from './tools-query.ts'

const none: readonly string[] = []

/**
 * Tasks of a tool that somebody else than the engine does now: an option that needs one is shown
 * only then.
 */
export function useOthers(tool: string): (task: TaskName) => boolean {
  const { data } = useQuery(toolsQuery)
  const others = data?.items.find(({ id }) => id === tool)?.others ?? none
  return (task) => others.includes(task)
}
