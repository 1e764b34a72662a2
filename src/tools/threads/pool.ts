import { availableParallelism } from 'node:os'
import { createDetectionMemory } from '#engine/node/detection-memory.ts'
import type { PhotoCheck } from '#tools/contract/tool.ts'
import { type EngineLane, type EngineOutcome, type EngineRunOptions, type EngineTask, engineLanes } from './task.ts'
import { openThreadLane, type ThreadLaneOptions } from './thread-lane.ts'

/**
 * Worker threads that decode, compute and encode; videos, whose codecs are native code that may
 * crash, have processes.
 */
export interface EnginePool {
  /** Threads that each lane may use at once. */
  lanes: Record<EngineLane, number>
  /**
   * Generates or renders. Rejects with an EngineError; an aborted signal rejects with the signal's
   * reason. A crashed thread is replaced and its run rejects with `engine.crashed`.
   */
  run(task: EngineTask, options: EngineRunOptions): Promise<EngineOutcome>
  /** Checks the inputs of a task whose step is `check`; rejects as `run` does. */
  check(task: EngineTask, options: EngineRunOptions): Promise<PhotoCheck>
  close(): Promise<void>
}

export interface EnginePoolOptions extends Omit<ThreadLaneOptions, 'size' | 'isolated' | 'memory'> {
  /** Threads for pictures, and as many for interactive work; one a core by default. */
  size?: number
}

/**
 * Starts a pool. Its threads start with the first run that needs them; with `keepWarm` one for
 * interactive work is always there.
 */
export function createEnginePool({ size: given, keepWarm = false, ...options }: EnginePoolOptions): EnginePool {
  const size = Math.max(1, given ?? availableParallelism())
  const lanes = { interactive: size, pictures: size, video: 1, video_check: 1, remote: 4 }
  const memory = createDetectionMemory()
  const open = (lane: EngineLane) =>
    openThreadLane({
      ...options,
      memory,
      size: lanes[lane],
      keepWarm: keepWarm && lane === 'interactive',
      isolated: lane.startsWith('video'),
    })
  const threads = {
    interactive: open('interactive'),
    pictures: open('pictures'),
    video: open('video'),
    video_check: open('video_check'),
    remote: open('remote'),
  }
  return {
    lanes,
    run: (task, runOptions) => threads[runOptions.lane ?? 'pictures'].run<EngineOutcome>(task, runOptions),
    check: (task, runOptions) => threads[runOptions.lane ?? 'interactive'].run<PhotoCheck>(task, runOptions),
    async close() {
      await Promise.all(engineLanes.map((lane) => threads[lane].close()))
    },
  }
}
