import type { type } from 'arktype'
import type { AddedLocation, AddedLocationId } from '#engine/scenes.ts'
import type { TaskName } from '#engine/task-types.ts'
import type { ErrorCode } from '#shared/errors.ts'
import type { Box } from '#shared/media.ts'
import type { Json } from '#shared/schema.ts'

interface Label {
  id: string
  message: string
}

/** A `plane` is a grey picture in which white is 1. */
export interface InputSpec {
  kind: 'picture' | 'plane' | 'video'
  label: Label
  min: number
  max: number
  /** Error for a wrong number of files, where it deserves a sentence of its own. */
  wrongCount?: ErrorCode
}
export const onePicture = {
  kind: 'picture',
  label: /*i18n*/ { id: 'input.picture', message: 'Foto' },
  min: 1,
  max: 1,
} as const satisfies InputSpec

export type InputSpecs = Readonly<Record<string, InputSpec>>

export type TaskSpecs = Readonly<Record<string, TaskName>>
// biome-ignore lint/complexity/noBannedTypes: no name at all
export type NoTasks = {}

/**
 * Known before decoding: pixels of the upright picture, charged seconds of a video (0 for
 * pictures), bytes.
 */
export interface FileInfo {
  width: number
  height: number
  seconds: number
  bytes: number
  contentType: string
}

/** Facts before the charge. Every input is present by name, empty when nothing was sent for it. */
export interface GenerationInfo<Inputs extends InputSpecs = InputSpecs> {
  inputs: { readonly [Name in keyof Inputs]: readonly FileInfo[] }
  /** Present when the tool has a photo check and the photos were checked. */
  photoCheck?: PhotoCheck
}

/** `path` names a parameter or an input, `code` is a message key. */
export interface Problem {
  path: string
  code: string
}

/** Named rules maintained by admins (`src/features/presets`). */
interface ToolPresets<Params> {
  kind: 'passport'
  /**
   * A generation stores the filled-in rules, so that later changes of a preset change no result.
   */
  fillIn(params: Partial<Params>, keptRule: (name: string) => unknown): Partial<Params>
}

type PictureSize = Pick<FileInfo, 'width' | 'height'>

/** Public facts: no schema library, no pixels, so that the first page stays small. */
export interface ToolDefinition<
  Params,
  Inputs extends InputSpecs = InputSpecs,
  Id extends string = string,
  Tasks extends TaskSpecs = NoTasks,
> {
  id: Id
  route: `/${string}`
  label: Label
  /** Reached from another page while a provider can do it; in no list of tools. */
  unlisted?: true
  /** In display order; the first one is the field `image` of a multipart form. */
  inputs: Inputs
  defaults: Params
  /** May be changed for free on a finished generation. */
  renderParams: readonly (keyof Params & string)[]
  /** Belong to one picture and are not applied to others of a batch. */
  pictureParams?: readonly (keyof Params & string)[]
  /** May be replaced for free on a finished generation. */
  renderInputs?: readonly (keyof Inputs & string)[]
  /** Absent where admins maintain only the tool's price. */
  presets?: ToolPresets<Params>
  /**
   * Ids of the operator's locations that the parameters name, offered or not. A generation stores
   * them with their version as the parameter `locations`, so that later changes change no result.
   */
  locations?(params: Params, offered: readonly AddedLocation[]): readonly AddedLocationId[]
  /**
   * In pixels, for the photo's size; null where it depends on the photo's content. Absent: the
   * photo's own size.
   */
  resultSize?(params: Params, photo: PictureSize): PictureSize | null
  /** Fixed values in visitor previews, to avoid work that would only enlarge the result. */
  previewParams?: Partial<Params>
  /**
   * Makes one generation for each file of this input; absent: all files belong to one generation.
   */
  batch?: { input: keyof Inputs & string; max: number }
  /** `prepare` hands them to providers that admins choose. */
  tasks: Tasks
  /**
   * Tasks that the engine cannot do: without a provider the request is refused before the charge.
   */
  needs?(params: Params): readonly TaskName[]
  /** Names a parameter with words of the user's own, which are checked before the charge. */
  words?: keyof Params & string
  /** Problem where no provider does a task that the tool needs. */
  withoutProvider?: { path: string; code: ErrorCode }
  /**
   * The tool processes faces: users must have consented (kind `biometric` of GET
   * /api/user/consents).
   */
  needsConsent?: 'biometric'
  /** Edits other people's faces: refused to users below the operator's adult age. */
  adultsOnly?: true
  /**
   * The inputs have a free check, and problems may depend on its findings. Task names: a check that
   * finds problems is repeated with results of local providers of these tasks, which it judges.
   */
  checksPhotos?: true | readonly TaskName[]
  /**
   * Problems of the check that do not count where a provider of those tasks cannot be asked before
   * the charge: an external one, or one with slots.
   */
  solvedByProviders?: readonly ErrorCode[]
  /** The price depends on the check's findings: nothing is charged before it. */
  pricedByCheck?(params: Params): boolean
  /** A boolean parameter for the visible AI label, which admins may require of any tool. */
  mark?: keyof Params & string
  /** Validates beyond the schema, such as required inputs and boxes inside pictures. */
  problems?(params: Params, generation: GenerationInfo<Inputs>): Problem[]
  /** In credits, for the unit price that admins set. */
  price(unit: number, params: Params, generation: GenerationInfo<Inputs>): number
  /** In seconds; beyond it the generation is stopped and refunded. */
  timeLimit(generation: GenerationInfo<Inputs>): number
  /** In credits, at first start; admins change it later. */
  defaultUnitPrice: number
}

/** The schema parses the JSON of `params` and refuses unknown keys. */
export interface ToolContract<
  Params,
  Inputs extends InputSpecs = InputSpecs,
  Id extends string = string,
  Tasks extends TaskSpecs = NoTasks,
> extends ToolDefinition<Params, Inputs, Id, Tasks> {
  paramsSchema: type.Any
  /** Fills in defaults; `problems` maps the paths of at most ten parameters to message keys. */
  parseParams(value: unknown): { ok: true; params: Params } | { ok: false; problems: Record<string, string> }
}

/** For generic code: parameters are whatever the tool's own schema accepts. */
// biome-ignore lint/suspicious/noExplicitAny: each tool's methods take its own parameters, which parseParams has made
export interface AnyTool extends Omit<ToolContract<any, any, string, TaskSpecs>, 'inputs'> {
  inputs: InputSpecs
}
export function isVideoTool({ inputs }: Pick<AnyTool, 'inputs'>): boolean {
  return Object.values(inputs).some(({ kind }) => kind === 'video')
}

export type ToolRegistry = Readonly<Record<string, AnyTool>>

export function findTool(tools: ToolRegistry, id: string): AnyTool | undefined {
  return Object.hasOwn(tools, id) ? tools[id] : undefined
}

/** Box and points (alternating x, y) in pixels of its input. */
export interface CheckedFace {
  input: string
  position: number
  box: Box
  points?: readonly number[]
}

export interface CheckItem {
  /** Message key. */
  code: string
  status: 'ok' | 'warning' | 'failed'
  measured?: number
  wanted?: { min?: number; max?: number }
}

export interface PhotoCheck {
  faces?: readonly CheckedFace[]
  warnings: readonly WarningCode[]
  problems: readonly Problem[]
  checks?: readonly CheckItem[]
  facts: Facts
}

/** Named values for the screen, such as `likeness` or `seed`. */
export type Facts = { readonly [name: string]: Json }

export const warningCodes = [
  'low_resolution',
  'blurred',
  'overexposed',
  'too_dark',
  'uneven_light',
  'uncertain_edges',
  'face_turned',
  'face_covered',
  'little_alike',
  'glasses_decide',
  'glasses',
  'sound_lost',
  'tight_frame',
  'busy_background',
  'head_at_edge',
  'faces_cut',
  'old_background',
  'face_marked',
  'large_hole',
  'colours_unknown',
  'colours_partial',
  'colours_replaced',
  'people_unsure',
  'subject_unsure',
  'provider_fallback',
] as const
export type WarningCode = (typeof warningCodes)[number]
