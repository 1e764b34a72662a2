import type { Lane } from '#server/config.ts'
import type { Jobs, QueueOptions } from '#server/jobs/queue.ts'
import { type AnyTool, isVideoTool } from '#tools/contract/tool.ts'
import type { EngineLane, EngineTask } from '#tools/threads/task.ts'

declare module '#server/jobs/queue.ts' {
  interface Jobs {
    'run-generation': { generationId: string }
    'run-video': { generationId: string }
    'render-generation': Rerendering
    'render-video': Rerendering
    'check-photos': PhotoCheckJob
    'check-video': PhotoCheckJob
    'make-preview': EngineRequest & {
      /** Who does what others may do of it, where admins compare; absent: nobody. */
      provider?: string
    }
    'make-link-picture': { jobId: string; generationId: string; label: string; files: JobFile[] }
    'make-thumbnail': { jobId: string; storageKey: string; files: JobFile[] }
    'install-model': { name: string }
  }
}

/** A stored file of a job, under the name of its input. */
export interface JobFile {
  input: string
  storageKey: string
  contentType: string
  width: number
  height: number
  seconds: number
}

/** What a job says of a file that somebody has chosen. */
export function jobFile({ input, storageKey, contentType, width, height, seconds }: JobFile): JobFile {
  return { input, storageKey, contentType, width, height, seconds }
}

/** Work that somebody waits for, with files that are stored for as long. */
interface EngineRequest {
  jobId: string
  tool: string
  params: Record<string, unknown>
  inputs: JobFile[]
}

/** A free check of inputs. */
export interface PhotoCheckJob extends EngineRequest {
  contentHash: string
}

/** The free re-rendering of a result; a lost job is only asked for again. */
export interface Rerendering {
  jobId: string
  userId: string
  generationId: string
  params: Record<string, unknown>
  /** The earlier rendering that is shown again; undefined for a new one. */
  position?: number | undefined
  /** Those that take the place of earlier ones. */
  inputs: NewInput[]
}

/** A file that belongs to a generation only when its rendering has succeeded. */
export interface NewInput extends Omit<JobFile, 'input'> {
  id: string
  generationId: string
  role: 'input'
  label: string
  position: number
  name: string
  bytes: number
  /** ISO 8601. */
  createdAt: string
}

export interface EngineQueue extends QueueOptions {
  step: EngineTask['step']
  /** The threads of the engine that work on it. */
  threads: EngineLane
  /** Jobs that one process works on at once, where that is fewer than there are threads. */
  atOnce?: number
  /** Jobs of one person that are worked on at once. */
  perOwner?: number
}

// Generations count their attempts themselves, in the row that is refunded; the queue only has to
// go on delivering.
const run = {
  step: 'generate',
  perOwner: 2,
  expireInSeconds: 3600,
  retryLimit: 1000,
  deleteAfterSeconds: 3600,
} as const
/** Nobody waits longer than `retentionSeconds` for it. */
const render = {
  step: 'render',
  expireInSeconds: 600,
  retryLimit: 2,
  retentionSeconds: 300,
  deleteAfterSeconds: 600,
} as const
const awaited = { expireInSeconds: 120, retryLimit: 1, retentionSeconds: 120, deleteAfterSeconds: 300 } as const

/** Where the engine's work waits; each queue has its own, so that none delays another. */
export const queues = {
  'run-generation': { ...run, threads: 'pictures' },
  'run-video': { ...run, threads: 'video' },
  'render-generation': { ...render, threads: 'interactive' },
  'render-video': { ...render, threads: 'video', expireInSeconds: 3600, retentionSeconds: 3600 },
  'check-photos': { ...awaited, step: 'check', threads: 'interactive' },
  'check-video': { ...awaited, step: 'check', threads: 'video_check' },
  // One at a time, so that visitors never keep those who paid waiting.
  'make-preview': { ...awaited, step: 'preview', threads: 'pictures', atOnce: 1 },
  'make-link-picture': { ...awaited, step: 'render', threads: 'interactive', atOnce: 1 },
  'make-thumbnail': { ...awaited, step: 'render', threads: 'interactive', atOnce: 1 },
} as const satisfies Partial<Record<keyof Jobs, EngineQueue>>

/** These and what else waits. A gigabyte over a slow line takes its time. */
export const allQueues = {
  ...queues,
  'install-model': { expireInSeconds: 4 * 3600, retryLimit: 2, retryDelay: 30, deleteAfterSeconds: 3600 },
} as const satisfies Partial<Record<keyof Jobs, QueueOptions>>

export type QueueName = keyof typeof queues

/** What LANES calls the work of the engine's threads. */
export const laneOf: Record<EngineLane, Lane> = {
  interactive: 'pictures',
  pictures: 'pictures',
  video: 'video',
  video_check: 'video',
}
/** Where a paid run waits. */
export type RunQueue = Extract<QueueName, `run-${string}`>
export const runQueues = (Object.keys(queues) as QueueName[]).filter((name): name is RunQueue =>
  name.startsWith('run-'),
)

export const runQueueOf = (tool: AnyTool): RunQueue => (isVideoTool(tool) ? 'run-video' : 'run-generation')
export const renderQueueOf = (tool: AnyTool) => (isVideoTool(tool) ? 'render-video' : 'render-generation')
export const checkQueueOf = (tool: AnyTool) => (isVideoTool(tool) ? 'check-video' : 'check-photos')

/** How the job of a run is sent: it comes before those of people who have more open runs. */
export function sendOptions({ userId, turn }: { userId: string; turn: number }) {
  return { priority: -turn, owner: userId }
}
