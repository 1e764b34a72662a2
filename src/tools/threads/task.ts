import type { EngineError } from '#engine/error.ts'
import type { DigitalSource, Picture } from '#engine/image/picture.ts'
import type { EncodedTask, TaskFile } from '#engine/node/task-files.ts'
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

/** A layer or a task's picture, or the JSON beside them, under its name. */
export type KeptFile = EngineFile & { label: string }

/** A file an engine thread made. */
export interface EngineOutput extends TaskFile {
  /** What part AI had in it, for whoever signs that; absent where the file's size is limited. */
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
  /** Every input of the tool by its name, in order. */
  inputs: Record<string, EngineInput[]>
  kept?: KeptFile[]
  /** Tells the content of tool, parameters and inputs apart. */
  contentHash?: string
  /** What others did for the run, by `place`. */
  done?: KeptFile[]
  /** Of samples: the key of their watermarks; absent: a random one. */
  watermark?: {
    key: Uint8Array
    /** For staff who compare providers by the work itself: nothing but the letters. */
    lettersOnly?: boolean
  }
}

/** What somebody else is to do for a run. */
export interface PreparedTask extends EncodedTask {
  /** The tool's name for it, and its number among those of that name, as `matte/0`. */
  place: string
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
}

/** Whatever a step comes to. */
export type EngineResult = EngineOutcome | PhotoCheck | PreparedTask[]

/** What the pool tells whoever does a task. */
export type PoolMessage =
  | { kind: 'stop' }
  /** What the thread asked for by that number, or why it could not be had. */
  | { kind: 'answer'; number: number; found?: unknown; failure?: string }

/** What the pool is told; `done` and `failed` are the last words about a task. */
export type ThreadMessage =
  | { kind: 'progress'; phase: 'detecting' | 'generating'; fraction: number }
  /** Asks what is remembered under a key of the {@link DetectionMemory}. */
  | { kind: 'recall'; number: number; key: string }
  /** Asks what stands out in a square. */
  | { kind: 'find_salience'; number: number; square: Picture }
  | { kind: 'remember'; key: string; found: unknown }
  | { kind: 'done'; result: EngineResult }
  | { kind: 'failed'; code: EngineError['code']; reason: string }

/**
 * Errors that the person's input causes: they leave a thread as good as new; after any other it
 * waits to be killed.
 */
export const harmless = /^(upload|params|tool|engine)\.(?!failed$|crashed$|timeout$)/

/**
 * Kinds of work with threads of their own: what somebody waits for, runs, long runs, and checks of
 * videos.
 */
export const engineLanes = ['interactive', 'pictures', 'video', 'video_check'] as const
export type EngineLane = (typeof engineLanes)[number]

export interface EngineRunOptions {
  /** `pictures` by default. */
  lane?: EngineLane
  signal?: AbortSignal
  /** Milliseconds after which the thread is stopped and the run fails with `engine.timeout`. */
  timeLimit: number
  onProgress?: (phase: 'detecting' | 'generating', fraction: number) => void
}
