import { EngineError } from '#engine/error.ts'
import type { DigitalSource, Picture } from '#engine/image/picture.ts'
import type { LocationFile } from '#engine/node/location-file.ts'
import type { EncodedTask, TaskFile } from '#engine/node/task-files.ts'
import type { Facts, InputSpec, PhotoCheck, WarningCode } from '#tools/contract/tool.ts'

export type EngineFile = { contentType: string } & ({ path: string } | { bytes: Uint8Array })

export type EngineInput = EngineFile & {
  kind: InputSpec['kind']
  width?: number
  height?: number
  seconds?: number
}

export type KeptFile = EngineFile & { label: string }

export interface EngineOutput extends TaskFile {
  /** The label to sign; absent where the file's size is limited. */
  source?: DigitalSource
  seconds?: number
}

/**
 * `prepare` finds the tasks for providers; `render` is free and needs `kept`; `preview` makes
 * small, watermarked pictures; `location` reads the file of the only location, of no tool.
 */
export interface EngineTask {
  step: 'check' | 'prepare' | 'generate' | 'render' | 'preview' | 'location'
  tool: string
  params: unknown
  inputs: Record<string, EngineInput[]>
  kept?: KeptFile[]
  /** Files of the added locations that the parameters name. */
  locations?: LocationFile[]
  /** Hash of tool, parameters and inputs. */
  contentHash?: string
  /** Every picture, page and frame carries the visible AI label, drawn last. */
  labelled?: boolean
  /** For a test key: results are marked and have at most `testResultMaxPixels`. */
  test?: boolean
  /** Provider results by `taskKey`. */
  done?: KeptFile[]
  /** Key of a sample's watermark; absent: a random one. */
  watermark?: {
    key: Uint8Array
    /** For staff who compare providers by the work itself: nothing but the letters. */
    lettersOnly?: boolean
  }
}

export interface PreparedTask extends EncodedTask {
  /** The tool's name for the task and its number, such as `matte/0`. */
  taskKey: string
}

export interface EngineOutcome {
  outputs: EngineOutput[]
  /** Absent where the first output has nothing to show. */
  thumbnail?: EngineOutput
  /** Lossless layers and JSON for rendering again; only of a whole generation. */
  kept: EngineOutput[]
  warnings: WarningCode[]
  facts: Facts
  /** The tool's names of tasks whose results by providers broke the rules and were not used. */
  rejected?: readonly string[]
  /** Upright, by input name. */
  inputSizes: Record<string, { width: number; height: number }[]>
}

export type EngineResult = EngineOutcome | PhotoCheck | PreparedTask[]

/** A network stalled; unlike with a reached time limit, another attempt may succeed. */
export class EngineStalled extends EngineError {
  constructor(options: ErrorOptions) {
    super('engine.timeout', options)
  }
}

/** From the pool to the thread or process. */
export type PoolMessage =
  | { kind: 'stop' }
  /** Answer to the thread's question of that number. */
  | { kind: 'answer'; number: number; found?: unknown; failure?: { code: EngineError['code']; reason: string } }

/** From a thread to the pool; `done` and `failed` end a task. */
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
 * Errors caused by the user's input leave a thread intact; after any other it waits to be killed.
 */
export const inputErrorPattern = /^(upload|params|tool|engine)\.(?!failed$|crashed$|timeout$)/

/** Each lane has threads of its own. */
export const engineLanes = ['interactive', 'pictures', 'video', 'video_check'] as const
export type EngineLane = (typeof engineLanes)[number]

export interface EngineRunOptions {
  /** `pictures` by default. */
  lane?: EngineLane
  signal?: AbortSignal
  /**
   * Milliseconds of granted processor time after which the thread is stopped and the task fails
   * with `engine.timeout`.
   */
  timeLimit: number
  onProgress?: (phase: 'detecting' | 'generating', fraction: number) => void
}
