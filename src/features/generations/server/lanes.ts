import type { Jobs } from '#server/jobs/queue.ts'
import type { AnyTool } from '#tools/tool.ts'

/** Where a run waits; each lane has threads and a concurrency of its own. */
export type RunLane = 'pictures' | 'video' | 'remote'

export const laneQueues = {
  pictures: 'run-generation',
  video: 'run-video',
  remote: 'run-remote',
} as const satisfies Record<RunLane, keyof Jobs>
export const runLanes = Object.keys(laneQueues) as RunLane[]

/** Runs of one person that may be under way at once in a lane. */
export const maxRunningPerUser = 2

export function laneOf({ lane = 'pictures' }: AnyTool): RunLane {
  return lane
}

/** How the job of a run is sent: it comes before those of people who have more open runs. */
export function sendOptions({ userId, turn }: { userId: string; turn: number }) {
  return { priority: -turn, owner: userId }
}
