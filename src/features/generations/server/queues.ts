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
      /** For an admin's comparison; absent for visitors. */
      provider?: string
    }
    'make-link-picture': { jobId: string; generationId: string; label: string; files: JobFile[] }
    'make-thumbnail': { jobId: string; storageKey: string; files: JobFile[] }
    /** Of files that no tool edits. */
    'check-safety': { jobId: string; files: JobFile[] }
    'install-model': { name: string }
  }
}

export interface JobFile {
  input: string
  storageKey: string
  contentType: string
  width: number
  height: number
  seconds: number
}

export function jobFile({ input, storageKey, contentType, width, height, seconds }: JobFile): JobFile {
  return { input, storageKey, contentType, width, height, seconds }
}

/** Its files are stored until the waiting request ends. */
interface EngineRequest {
  jobId: string
  tool: string
  params: Record<string, unknown>
  inputs: JobFile[]
}

export interface PhotoCheckJob extends EngineRequest {
  contentHash: string
}

/** The server does not repeat a lost job; the client sends the request again. */
export interface Rerendering {
  jobId: string
  userId: string
  generationId: string
  params: Record<string, unknown>
  /** An earlier rendering to restore. */
  position?: number | undefined
  inputs: NewInput[]
}

/** The file belongs to the generation only after the rendering has succeeded. */
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
  threads: EngineLane
  /** Limits the jobs of one process, if fewer than its threads. */
  concurrency?: number
  /** Jobs of one user at once. */
  perOwner?: number
}

// Attempts are counted in the generation's row; the queue only keeps delivering the job.
const generate = {
  step: 'generate',
  perOwner: 2,
  expireInSeconds: 3600,
  retryLimit: 1000,
  deleteAfterSeconds: 3600,
} as const
/** No request waits for this job longer than `retentionSeconds`. */
const render = {
  step: 'render',
  expireInSeconds: 600,
  retryLimit: 2,
  retentionSeconds: 300,
  deleteAfterSeconds: 600,
} as const
/** Long enough for a busy machine: the engine's own limits count granted processor time. */
const awaited = { expireInSeconds: 600, retryLimit: 1, retentionSeconds: 600, deleteAfterSeconds: 600 } as const

/** Each kind has its own queue, so that none delays another. */
export const queues = {
  'run-generation': { ...generate, threads: 'pictures' },
  'run-video': { ...generate, threads: 'video' },
  'render-generation': { ...render, threads: 'interactive' },
  'render-video': { ...render, threads: 'video', expireInSeconds: 3600, retentionSeconds: 3600 },
  'check-photos': { ...awaited, step: 'check', threads: 'interactive' },
  'check-video': { ...awaited, step: 'check', threads: 'video_check' },
  // A single job at a time, so that visitors never delay paying users.
  'make-preview': { ...awaited, step: 'preview', threads: 'pictures', concurrency: 1 },
  'make-link-picture': { ...awaited, step: 'render', threads: 'interactive', concurrency: 1 },
  'make-thumbnail': { ...awaited, step: 'render', threads: 'interactive', concurrency: 1 },
  'check-safety': { ...awaited, step: 'prepare', threads: 'interactive', concurrency: 1 },
} as const satisfies Partial<Record<keyof Jobs, EngineQueue>>

/** Moving files has a long limit: a gigabyte takes long over a slow connection. */
export const allQueues = {
  ...queues,
  'install-model': { expireInSeconds: 4 * 3600, retryLimit: 2, retryDelay: 30, deleteAfterSeconds: 3600 },
} as const satisfies Partial<Record<keyof Jobs, QueueOptions>>

export type QueueName = keyof typeof queues

/** Names as in the setting LANES. */
export const laneOf: Record<EngineLane, Lane> = {
  interactive: 'pictures',
  pictures: 'pictures',
  video: 'video',
  video_check: 'video',
}
export type GenerationQueue = Extract<QueueName, `run-${string}`>
export const generationQueues = (Object.keys(queues) as QueueName[]).filter((name): name is GenerationQueue =>
  name.startsWith('run-'),
)

export const generationQueueOf = (tool: AnyTool): GenerationQueue =>
  isVideoTool(tool) ? 'run-video' : 'run-generation'
export const renderQueueOf = (tool: AnyTool) => (isVideoTool(tool) ? 'render-video' : 'render-generation')
export const checkQueueOf = (tool: AnyTool) => (isVideoTool(tool) ? 'check-video' : 'check-photos')

/** Users with fewer open generations go first. */
export function sendOptions({ userId, turn }: { userId: string; turn: number }) {
  return { priority: -turn, owner: userId }
}
