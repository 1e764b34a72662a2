import type { Json } from '#contract/json.ts'
import type { EngineHost } from '#engine/host.ts'
import type { Similarity } from '#engine/image/geometry.ts'
import type { MadeVideo, Matte, Picture, PictureEncoding, Plane, PrintPage, VideoFile } from '#engine/image/picture.ts'
import type { TaskResult, TaskWork } from '#engine/task-work.ts'
import type { Facts, InputSpecs, NoTasks, PhotoCheck, TaskSpecs, WarningCode } from '../contract/tool.ts'

type InputOfKind = { picture: Picture; plane: Plane; video: VideoFile }

/**
 * What others are asked to do, under the names of the contract's tasks; none where a list is empty.
 */
export type TaskRequests<Tasks extends TaskSpecs> = {
  [Name in keyof Tasks]: readonly TaskWork[Tasks[Name]][]
}

/**
 * What others did, in the order in which it was asked for; what is missing the engine does itself.
 */
type TasksDone<Tasks extends TaskSpecs> = {
  [Name in keyof Tasks]?: readonly (TaskResult[Tasks[Name]] | undefined)[]
}

/**
 * The decoded, upright inputs of a run by name, as many of each as the contract allows, and what
 * others did for it.
 */
export interface ToolInput<Params, Inputs extends InputSpecs = InputSpecs, Tasks extends TaskSpecs = NoTasks> {
  params: Params
  inputs: { [Name in keyof Inputs]: InputOfKind[Inputs[Name]['kind']][] }
  done: TasksDone<Tasks>
}

/**
 * What was generated and is kept so that a result can be rendered again; losslessly: planes are
 * stored as 8-bit grey, pictures as RGBA.
 */
export interface Generated<Data extends Json = Json> {
  layers: Record<string, Picture | Plane | Matte>
  /** Videos, which are kept as they were made. */
  videos?: Record<string, MadeVideo | VideoFile>
  /** Whatever else rendering needs: landmarks, a seed, strokes; null when nothing. */
  data: Data
  warnings: readonly WarningCode[]
  facts?: Facts
}

/**
 * Where the photograph's pixels came to in an output, so that both can be compared and strokes go
 * from one to the other; and the number of the subject that it shows, where several are cut out.
 */
export type Place = Similarity & { subject?: number }

/**
 * One finished result: a picture or pages for printing (PDF), still in pixels, which the host
 * encodes, or a whole file (video).
 */
export type Output =
  | { label?: string; picture: Picture; encoding: PictureEncoding; place?: Place }
  | { label?: string; pages: readonly PrintPage[] }
  | {
      label?: string
      file: Uint8Array
      contentType: string
      /** Without a dot, e.g. `webm`. */
      extension: string
      /** Pixels; 0 where it has none. */
      width: number
      height: number
      /** Length of a video, as it counts where the video is used again. */
      seconds?: number
      /** What lists show of it. */
      poster?: Picture
    }

/** What render made of a run, at least one output. */
export interface Rendering {
  outputs: Output[]
  warnings?: readonly WarningCode[]
  facts?: Facts
  /** What an engine without `generate` found on its way and a later rendering may begin with. */
  keep?: Generated
}

/**
 * A tool's engine. `check` is free and says what can be known before the charge. `prepare` says
 * what of the run others may do, and runs only where somebody else than the engine is to do it;
 * what they did is in `input.done` from then on. `generate` is what people pay for; `render` draws
 * the outputs and is free to repeat with other values of the tool's `renderParams`. An engine
 * without `generate` renders from its inputs, and what its first rendering wants to `keep`. All are
 * pure: pictures in, pictures out; no HTTP, no database. They throw `EngineError` for what the
 * person can mend and stop soon after `host.signal` aborts.
 */
export type ToolEngine<
  Params,
  Inputs extends InputSpecs = InputSpecs,
  Data extends Json = Json,
  Tasks extends TaskSpecs = NoTasks,
> = {
  check?(input: ToolInput<Params, Inputs>, host: EngineHost): Promise<PhotoCheck>
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

/** An engine for code that handles all of them alike. */
// biome-ignore lint/suspicious/noExplicitAny: the contract of the same id has made its parameters and inputs
export type AnyEngine = Omit<ToolEngine<any, any, any, any>, 'prepare'> & {
  // biome-ignore lint/suspicious/noExplicitAny: the same
  prepare?(input: ToolInput<any, any>, host: EngineHost): Promise<TaskRequests<TaskSpecs>>
}
/** The engines that a thread runs, by the id of their tool. */
export type EngineRegistry = Readonly<Record<string, AnyEngine>>
