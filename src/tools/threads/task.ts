import { EngineError } from '#engine/error.ts'
import type { DigitalSource, Picture } from '#engine/image/picture.ts'
import type { EncodedTask, TaskFile } from '#engine/node/task-files.ts'
import type { Facts, InputSpec, PhotoCheck, WarningCode } from '#tools/contract/tool.ts'

/** An encoded file for an engine thread: its path or its bytes. */
export type EngineFile = { contentType: string } & ({ path: string } | { bytes: Uint8Array })

/** A file of an input: target of the decoding, and known facts. */
export type EngineInput = EngineFile & {
  kind: InputSpec['kind']
  width?: number
  height?: number
  seconds?: number
}

/** A named layer, provider picture or JSON. */
export type KeptFile = EngineFile & { label: string }

/** A file made by an engine thread. */
export interface EngineOutput extends TaskFile {
  /** AI's part in it, for the signature; absent where the file's size is limited. */
  source?: DigitalSource
  /** Length of a video. */
  seconds?: number
}

/**
 * A free check, what others are to do for a run, a whole run, the free rendering of one whose
 * `kept` files are at hand, or a preview: small, watermarked pictures of what a run would make.
 */
export interface EngineTask {
  step: 'check' | 'prepare' | 'generate' | 'render' | 'preview'
  tool: string
  params: unknown
  /** Every input of the tool by name, in order. */
  inputs: Record<string, EngineInput[]>
  kept?: KeptFile[]
  /** Hash of tool, parameters and inputs. */
  contentHash?: string
  /** Provider results by `place`. */
  done?: KeptFile[]
  /** Of samples: the key of their watermarks; absent: a random one. */
  watermark?: {
    key: Uint8Array
    /** For staff who compare providers by the work itself: nothing but the letters. */
    lettersOnly?: boolean
  }
}

/** A task for a provider. */
export interface PreparedTask extends EncodedTask {
  /** The tool's name for it and its number among those of that name, such as `matte/0`. */
  place: string
}

export interface EngineOutcome {
  outputs: EngineOutput[]
  /** Absent where the first output has nothing to show. */
  thumbnail?: EngineOutput
  /** Lossless layers and JSON for rendering again; only of a whole generation. */
  kept: EngineOutput[]
  /** Warnings of the whole result, including kept ones. */
  warnings: WarningCode[]
  facts: Facts
  /** Size of each picture, upright, by input name. */
  inputSizes: Record<string, { width: number; height: number }[]>
}

/** Result of any step. */
export type EngineResult = EngineOutcome | PhotoCheck | PreparedTask[]

/**
 * A network of the engine stalled during a task; unlike a task that reaches its own time limit,
 * another attempt may go well.
 */
export class EngineStalled extends EngineError {
  constructor(options: ErrorOptions) {
    super('engine.timeout', options)
  }
}

/** Messages of the pool to the thread or process that does a task. */
export type PoolMessage =
  | { kind: 'stop' }
  /** The thread's question of that number, answered or failed. */
  | { kind: 'answer'; number: number; found?: unknown; failure?: { code: EngineError['code']; reason: string } }

/** Message from a thread to the pool; `done` and `failed` end a task. */
export type ThreadMessage =
  | { kind: 'progress'; phase: 'detecting' | 'generating'; fraction: number }
  /** Looks up a key of the {@link DetectionCache}. */
  | { kind: 'recall'; number: number; key: string }
  /** Requests the salience of a square picture. */
  | { kind: 'find_salience'; number: number; square: Picture }
  | { kind: 'remember'; key: string; found: unknown }
  | { kind: 'done'; result: EngineResult }
  | { kind: 'failed'; code: EngineError['code']; reason: string }

/**
 * Errors caused by the user's input, which leave a thread intact; after any other error it waits to
 * be killed.
 */
export const harmless = /^(upload|params|tool|engine)\.(?!failed$|crashed$|timeout$)/

/**
 * Kinds of work with threads of their own: interactive requests, pictures, videos, checks of
 * videos.
 */
export const engineLanes = ['interactive', 'pictures', 'video', 'video_check'] as const
export type EngineLane = (typeof engineLanes)[number]

export interface EngineRunOptions {
  /** `pictures` by default. */
  lane?: EngineLane
  signal?: AbortSignal
  /** Milliseconds after which the thread is stopped and the task fails with `engine.timeout`. */
  timeLimit: number
  onProgress?: (phase: 'detecting' | 'generating', fraction: number) => void
}
