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
      /** Provider for an admin's comparison; absent for visitors. */
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

/** The job's part of a chosen file. */
export function jobFile({ input, storageKey, contentType, width, height, seconds }: JobFile): JobFile {
  return { input, storageKey, contentType, width, height, seconds }
}

/** Work for a waiting request; its files are stored until the request ends. */
interface EngineRequest {
  jobId: string
  tool: string
  params: Record<string, unknown>
  inputs: JobFile[]
}

export interface PhotoCheckJob extends EngineRequest {
  contentHash: string
}

/**
 * Renders a result again for free. A lost job is not repeated by the server; the client sends the
 * request again.
 */
export interface Rerendering {
  jobId: string
  userId: string
  generationId: string
  params: Record<string, unknown>
  /** An earlier rendering to show again; undefined for a new rendering. */
  position?: number | undefined
  /** Inputs that replace earlier ones. */
  inputs: NewInput[]
}

/** A file that belongs to a generation only after its rendering has succeeded. */
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
  /** Threads of the engine that process the queue. */
  threads: EngineLane
  /** Jobs that one process runs at once, if fewer than its threads. */
  atOnce?: number
  /** Jobs of one user that run at once. */
  perOwner?: number
}

// Generations count their own attempts, in the row that is refunded; the queue must only keep
// delivering the job.
const run = {
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
const awaited = { expireInSeconds: 120, retryLimit: 1, retentionSeconds: 120, deleteAfterSeconds: 300 } as const

/** Queues of the engine's work; each kind has its own, so that none delays another. */
export const queues = {
  'run-generation': { ...run, threads: 'pictures' },
  'run-video': { ...run, threads: 'video' },
  'render-generation': { ...render, threads: 'interactive' },
  'render-video': { ...render, threads: 'video', expireInSeconds: 3600, retentionSeconds: 3600 },
  'check-photos': { ...awaited, step: 'check', threads: 'interactive' },
  'check-video': { ...awaited, step: 'check', threads: 'video_check' },
  // A single job at a time, so that visitors never delay paying users.
  'make-preview': { ...awaited, step: 'preview', threads: 'pictures', atOnce: 1 },
  'make-link-picture': { ...awaited, step: 'render', threads: 'interactive', atOnce: 1 },
  'make-thumbnail': { ...awaited, step: 'render', threads: 'interactive', atOnce: 1 },
} as const satisfies Partial<Record<keyof Jobs, EngineQueue>>

/** The engine's queues and all other queues. A gigabyte takes long over a slow connection. */
export const allQueues = {
  ...queues,
  'install-model': { expireInSeconds: 4 * 3600, retryLimit: 2, retryDelay: 30, deleteAfterSeconds: 3600 },
} as const satisfies Partial<Record<keyof Jobs, QueueOptions>>

export type QueueName = keyof typeof queues

/** Names of the engine's threads in the setting LANES. */
export const laneOf: Record<EngineLane, Lane> = {
  interactive: 'pictures',
  pictures: 'pictures',
  video: 'video',
  video_check: 'video',
}
/** Queues of paid generations. */
export type RunQueue = Extract<QueueName, `run-${string}`>
export const runQueues = (Object.keys(queues) as QueueName[]).filter((name): name is RunQueue =>
  name.startsWith('run-'),
)

export const runQueueOf = (tool: AnyTool): RunQueue => (isVideoTool(tool) ? 'run-video' : 'run-generation')
export const renderQueueOf = (tool: AnyTool) => (isVideoTool(tool) ? 'render-video' : 'render-generation')
export const checkQueueOf = (tool: AnyTool) => (isVideoTool(tool) ? 'check-video' : 'check-photos')

/** Queue options of a generation's job: users with fewer open generations go first. */
export function sendOptions({ userId, turn }: { userId: string; turn: number }) {
  return { priority: -turn, owner: userId }
}
