import type { ProviderInfo } from '#engine/provider.ts'
import type { Jobs } from '#server/jobs/queue.ts'
import type { AnyTool, ToolLane } from '#tools/contract/tool.ts'
import type { EngineLane } from '#tools/threads/task.ts'

/** Where a run waits; each lane has threads and a concurrency of its own. */
export type RunLane = 'pictures' | 'video' | 'remote'

export const laneQueues = {
  pictures: 'run-generation',
  video: 'run-video',
  remote: 'run-remote',
} as const satisfies Record<RunLane, keyof Jobs>
export const runLanes = Object.keys(laneQueues) as RunLane[]

/** Which queue renders a tool's results again, and which lane of the engine does it. */
export const renderQueues = {
  pictures: { queue: 'render-generation', lane: 'interactive' },
  video: { queue: 'render-video', lane: 'video' },
} as const satisfies Record<ToolLane, { queue: keyof Jobs; lane: EngineLane }>

/** Runs of one person that may be under way at once in a lane. */
export const maxRunningPerUser = 2

/**
 * Runs whose provider computes elsewhere mostly wait, so they take no thread from those that are
 * computed here.
 */
export function laneOf({ lane = 'pictures', capabilities }: AnyTool, provider: ProviderInfo | undefined): RunLane {
  const elsewhere = provider?.remote && capabilities.some((name) => provider.capabilities.includes(name))
  return elsewhere ? 'remote' : lane
}

/** What is known of a provider; undefined for the server itself. */
export function providerOf(providers: readonly ProviderInfo[], name: string): ProviderInfo | undefined {
  return providers.find((provider) => provider.name === name)
}

/** How the job of a run is sent: it comes before those of people who have more open runs. */
export function sendOptions({ userId, turn }: { userId: string; turn: number }) {
  return { priority: -turn, owner: userId }
}
