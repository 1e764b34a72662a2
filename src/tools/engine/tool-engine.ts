import type { EngineHost } from '#engine/host.ts'
import { type Similarity, translationBy } from '#engine/image/geometry.ts'
import type {
  EncodedVideo,
  Matte,
  Picture,
  PictureEncoding,
  Plane,
  PrintPage,
  VideoFile,
} from '#engine/image/picture.ts'
import type { TaskInput, TaskResult } from '#engine/task-types.ts'
import type { Json } from '#shared/schema.ts'
import type { Facts, InputSpecs, NoTasks, PhotoCheck, TaskSpecs, WarningCode } from '../contract/tool.ts'

type InputOfKind = { picture: Picture; plane: Plane; video: VideoFile }

/** An empty list requests none. */
type TaskRequests<Tasks extends TaskSpecs> = {
  [Name in keyof Tasks]: readonly TaskInput[Tasks[Name]][]
}

/** In the order of the requests; the engine does missing ones itself. */
type TasksDone<Tasks extends TaskSpecs> = {
  [Name in keyof Tasks]?: readonly (TaskResult[Tasks[Name]] | undefined)[]
}

/** Inputs are decoded and upright, as many of each as the contract allows. */
export interface ToolInput<Params, Inputs extends InputSpecs = InputSpecs, Tasks extends TaskSpecs = NoTasks> {
  params: Params
  inputs: { [Name in keyof Inputs]: InputOfKind[Inputs[Name]['kind']][] }
  done: TasksDone<Tasks>
}

/** Kept for rendering again, stored losslessly: planes as 8-bit grey, pictures as RGBA. */
export interface Generated<Data extends Json = Json> {
  layers: Record<string, Picture | Plane | Matte>
  videos?: Record<string, EncodedVideo | VideoFile>
  /** Other data for rendering: landmarks, a seed, strokes; null for none. */
  data: Data
  warnings: readonly WarningCode[]
  facts?: Facts
  /** The tool's names of tasks whose results by providers broke the rules and were not used. */
  rejected?: readonly string[]
}

/** Maps the photograph's pixels into an output; `subject` is the number of the one shown. */
export type Placement = Similarity & { subject?: number }

/** Pictures or printable pages (PDF) in pixels, which the host encodes, or a whole file (video). */
export type Output =
  | { label?: string; picture: Picture; encoding: PictureEncoding; placement?: Placement }
  | { label?: string; pages: readonly PrintPage[] }
  | {
      label?: string
      file: Uint8Array
      contentType: string
      /** Without a dot, such as `webm`. */
      extension: string
      /** Pixels; 0 for none. */
      width: number
      height: number
      /** Charged length of a video when it is used again. */
      seconds?: number
      poster?: Picture
    }

export interface Rendering {
  outputs: Output[]
  warnings?: readonly WarningCode[]
  facts?: Facts
  /** See {@link Generated}. */
  rejected?: readonly string[]
  /** The user wants the visible AI label on every picture and page. */
  labelled?: boolean
  /** Intermediate results of an engine without `generate`, for later renderings. */
  keep?: Generated
}

/**
 * `check` is free and reports findings before the charge, where needed a second time with the
 * results of local providers. `prepare` names tasks for providers and
 * runs only where one will do them; results are in `input.done` afterwards. `generate` is the paid
 * part; `render` can be repeated with other `renderParams` for free. An engine without `generate`
 * renders from its inputs and from what its first rendering chose to `keep`. All are pure: pictures
 * in, pictures out; no HTTP, no database. They throw `EngineError` for problems that the user can
 * solve, and stop soon after `host.signal` aborts.
 */
export type ToolEngine<
  Params,
  Inputs extends InputSpecs = InputSpecs,
  Data extends Json = Json,
  Tasks extends TaskSpecs = NoTasks,
> = {
  check?(input: ToolInput<Params, Inputs, Tasks>, host: EngineHost): Promise<PhotoCheck>
  generate?(input: ToolInput<Params, Inputs, Tasks>, host: EngineHost): Promise<Generated<Data>>
  /** `generated` is undefined where nothing was generated or kept. */
  render(
    input: ToolInput<Params, Inputs, Tasks>,
    generated: Generated<Data> | undefined,
    host: EngineHost,
  ): Promise<Rendering>
} & (keyof Tasks extends never
  ? { prepare?: undefined }
  : { prepare(input: ToolInput<Params, Inputs>, host: EngineHost): Promise<TaskRequests<Tasks>> })

// biome-ignore lint/suspicious/noExplicitAny: the contract of the same id has made its parameters and inputs
export type AnyEngine = Omit<ToolEngine<any, any, any, any>, 'prepare'> & {
  // biome-ignore lint/suspicious/noExplicitAny: the same
  prepare?(input: ToolInput<any, any>, host: EngineHost): Promise<TaskRequests<TaskSpecs>>
}
export type EngineRegistry = Readonly<Record<string, AnyEngine>>

/** Metadata label of a picture partly made by a trained model. */
export const aiEdited = {
  source: 'compositeWithTrainedAlgorithmicMedia',
} as const satisfies PictureEncoding['metadata']

/** Of a capture joined with a photographed background. */
export const joinedCaptures = { source: 'compositeCapture' } as const satisfies PictureEncoding['metadata']

interface Sized {
  width: number
  height: number
}

/**
 * Null where the output does not show the photograph or the mapping is unknown. Tools without an
 * entry keep the picture's shape.
 */
export function outputPlacement(facts: Facts, index: number, output: Sized | undefined, source: Sized | undefined) {
  if (!output || !source) return null
  if (Array.isArray(facts.places)) return (facts.places[index] as Placement | null | undefined) ?? null
  const scale = output.width / source.width
  const same = Math.abs(scale * source.height - output.height) < 0.01 * output.height
  return same ? ({ ...translationBy(0, 0), scale } satisfies Placement as Placement) : null
}
