import type { EngineError } from '#engine/error.ts'
import type { Facts, InputSpec, PhotoCheck, WarningCode } from '#tools/contract/tool.ts'

/** An encoded file on its way to an engine thread: where it lies, or its bytes. */
export type EngineFile = { contentType: string } & ({ path: string } | { bytes: Uint8Array })

/** A file of an input, what it is to be decoded as, and what is known of it. */
export type EngineInput = EngineFile & {
  kind: InputSpec['kind']
  width?: number
  height?: number
  seconds?: number
}

/** A layer, or the JSON beside the layers, under its name. */
export type KeptFile = EngineFile & { label: string }

/** A file an engine thread made; width and height in pixels. */
export interface EngineOutput {
  /** The output's or layer's name, or empty. */
  label: string
  /** Without a dot. */
  extension: string
  contentType: string
  bytes: Uint8Array
  width: number
  height: number
  /** Length of a video. */
  seconds?: number
}

/**
 * A free check, a whole run, the free rendering of one whose `kept` files are at hand, or a
 * preview: small, marked pictures of what a run would make.
 */
export interface EngineTask {
  step: 'check' | 'generate' | 'render' | 'preview'
  tool: string
  params: unknown
  /** Every input of the tool by its name, in order. */
  inputs: Record<string, EngineInput[]>
  kept?: KeptFile[]
  /** Tells the content of tool, parameters and inputs apart. */
  contentHash?: string
  /** Who does what the tool lets others do; the tool itself by default. */
  provider?: string
  /** Ids of jobs that earlier attempts started elsewhere. */
  remoteJobs?: Record<string, string>
}

export interface EngineOutcome {
  outputs: EngineOutput[]
  /** Absent where the first output has nothing to show. */
  thumbnail?: EngineOutput
  /**
   * Lossless layers, and JSON, from which the result can be rendered again; only of a whole run.
   */
  kept: EngineOutput[]
  /** Of the whole result, those that were kept included. */
  warnings: WarningCode[]
  facts: Facts
  /** Size of each picture, upright, by the input's name. */
  inputSizes: Record<string, { width: number; height: number }[]>
  /** Who did the work. */
  provider: string
  /** Who was to do it and could not. */
  fallbackFrom?: string
}

/** What the pool tells whoever does a task; `refused` when an answer cannot be had. */
export type PoolMessage = { kind: 'stop' } | { kind: 'answer'; number: number; answer: unknown; refused?: true }

/** What an engine thread wants of the pool. */
export type Question =
  /** What is remembered under a key of the {@link DetectionMemory}. */
  | { kind: 'recall'; key: string }
  /** That the id of a job that runs elsewhere is kept, for the next attempt. */
  | { kind: 'keep_remote_job'; key: string; id: string }

/** What the pool is told; `done` and `failed` are the last words about a task. */
export type ThreadMessage =
  | { kind: 'progress'; phase: 'detecting' | 'generating'; fraction: number }
  | { kind: 'question'; number: number; question: Question }
  | { kind: 'remember'; key: string; found: unknown }
  | { kind: 'done'; result: EngineOutcome | PhotoCheck }
  | { kind: 'failed'; code: EngineError['code']; reason: string }

/**
 * Errors that the person's input causes: they leave a thread as good as new; after any other it
 * waits to be killed.
 */
export const harmless = /^(upload|params|tool|engine)\.(?!failed$|crashed$|timeout$)/

/**
 * Kinds of work with threads of their own: what somebody waits for, runs, long runs, checks of
 * videos, and runs that mostly wait for another server.
 */
export const engineLanes = ['interactive', 'pictures', 'video', 'video_check', 'remote'] as const
export type EngineLane = (typeof engineLanes)[number]

export interface EngineRunOptions {
  /** `pictures` by default. */
  lane?: EngineLane
  signal?: AbortSignal
  /** Milliseconds after which the thread is stopped and the run fails with `engine.timeout`. */
  timeLimit: number
  onProgress?: (phase: 'detecting' | 'generating', fraction: number) => void
  /** Keeps the id of a job that runs elsewhere, for the next attempt. */
  onRemoteJob?: (key: string, id: string) => Promise<void>
}
