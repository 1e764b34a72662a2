import type { type } from 'arktype'
import type { ErrorCode } from '#contract/errors.ts'
import type { Json } from '#contract/json.ts'
import type { Box } from '#contract/media.ts'
import type { TaskName } from '#engine/task-work.ts'

/** A message of the catalogues in `locale/`, named by id, with its Indonesian text. */
interface Label {
  id: string
  message: string
}

/**
 * One named input of a tool and how many files of which kind it takes. A `plane` is a grey picture,
 * white is 1.
 */
export interface InputSpec {
  kind: 'picture' | 'plane' | 'video'
  label: Label
  min: number
  max: number
  /**
   * What people are told when there are fewer or more, where that deserves a sentence of its own.
   */
  wrongCount?: ErrorCode
}
/** The one photograph that most tools take. */
export const onePicture = {
  kind: 'picture',
  label: /*i18n*/ { id: 'input.picture', message: 'Foto' },
  min: 1,
  max: 1,
} as const satisfies InputSpec

export type InputSpecs = Readonly<Record<string, InputSpec>>

/** Parts of a tool's work that others may do, by names of its own. */
export type TaskSpecs = Readonly<Record<string, TaskName>>
// biome-ignore lint/complexity/noBannedTypes: no name at all
export type NoTasks = {}

/**
 * What is known of a file before it is decoded: pixels of the upright picture, seconds for which a
 * video counts (0 for pictures), bytes.
 */
export interface FileInfo {
  width: number
  height: number
  seconds: number
  bytes: number
  contentType: string
}

/**
 * What is known of a run before the charge. Every input is there by its name, empty when nothing
 * was sent for it.
 */
export interface RunInfo<Inputs extends InputSpecs = InputSpecs> {
  inputs: { readonly [Name in keyof Inputs]: readonly FileInfo[] }
  /** Present when the tool `checksPhotos` and the photos were checked. */
  photoCheck?: PhotoCheck
}

/** What is wrong with a run: `path` names a parameter or an input, `code` is a message key. */
export interface Problem {
  path: string
  code: string
}

/**
 * Rules that admins keep under names (`src/features/presets`), and how they come into the
 * parameters that name them.
 */
interface ToolPresets<Params> {
  kind: 'passport'
  /**
   * The parameters with the rules of what they name; a run brings them along, so that a later
   * change changes no result.
   */
  fillIn(params: Partial<Params>, keptRule: (name: string) => unknown): Partial<Params>
}

/**
 * The part of a tool that everybody may know: no schema library, no pixels, so that the first page
 * stays small.
 */
export interface ToolDefinition<
  Params,
  Inputs extends InputSpecs = InputSpecs,
  Id extends string = string,
  Tasks extends TaskSpecs = NoTasks,
> {
  id: Id
  /** Address of the tool's page. */
  route: `/${string}`
  label: Label
  /** Another page leads to it, while somebody can do it; no list of tools does. */
  unlisted?: true
  /**
   * In the order in which people give them; the first one is the field `image` of a multipart form.
   */
  inputs: Inputs
  defaults: Params
  /** Parameters that a finished generation may change for free. */
  renderParams: readonly (keyof Params & string)[]
  /** Those of them that say something of one picture, and are not taken to others of a batch. */
  pictureParams?: readonly (keyof Params & string)[]
  /** Inputs that a finished generation may be given anew for free. */
  renderInputs?: readonly (keyof Inputs & string)[]
  /** Absent where nothing of the tool is kept by admins but its price. */
  presets?: ToolPresets<Params>
  /**
   * Values that a visitor's preview has whatever was chosen: what would only make it larger is not
   * computed.
   */
  previewParams?: Partial<Params>
  /**
   * Several files for this input mean several runs with the same parameters; absent: all files
   * belong to one run.
   */
  batch?: { input: keyof Inputs & string; max: number }
  /** What the engine's `prepare` asks others for; admins choose whom. */
  tasks: Tasks
  /**
   * Kinds of `tasks` that the engine cannot do itself and these parameters call for: without
   * somebody who can, the run is refused before the charge.
   */
  needs?(params: Params): readonly TaskName[]
  /**
   * It works on faces: nobody may use it who has not agreed to that (kind `biometric` of GET
   * /api/user/consents).
   */
  needsConsent?: 'biometric'
  /**
   * There is a free check of the inputs, and problems may depend on what it finds; the price only
   * where `pricedByCheck` says so. A task where all it finds is whether the engine can do that:
   * nothing is checked where somebody else on this server does it.
   */
  checksPhotos?: true | TaskName
  /** Whether the price depends on what the check finds: then nobody is charged before it. */
  pricedByCheck?(params: Params): boolean
  /**
   * A boolean parameter that shows on the result that AI made it; admins may require it in every
   * run.
   */
  mark?: keyof Params & string
  /**
   * Which inputs the parameters call for, whether boxes lie inside pictures, and whatever else the
   * schema cannot know.
   */
  problems?(params: Params, run: RunInfo<Inputs>): Problem[]
  /** Price in credits, given the unit price that admins set. */
  price(unit: number, params: Params, run: RunInfo<Inputs>): number
  /** Longest run in seconds; it is stopped then and refunded. */
  timeLimit(run: RunInfo<Inputs>): number
  /** Unit price in credits at first start; admins change it later. */
  defaultUnitPrice: number
}

/**
 * A tool's whole contract: its facts and the schema that turns the JSON of `params` into `Params`
 * (unknown keys are refused).
 */
export interface ToolContract<
  Params,
  Inputs extends InputSpecs = InputSpecs,
  Id extends string = string,
  Tasks extends TaskSpecs = NoTasks,
> extends ToolDefinition<Params, Inputs, Id, Tasks> {
  paramsSchema: type.Any
  /**
   * Validates and fills in defaults; `problems` maps the paths of at most ten parameters to message
   * keys.
   */
  parseParams(value: unknown): { ok: true; params: Params } | { ok: false; problems: Record<string, string> }
}

/**
 * A tool for code that handles all of them alike: its parameters are whatever its own schema lets
 * through.
 */
// biome-ignore lint/suspicious/noExplicitAny: each tool's methods take its own parameters, which parseParams has made
export interface AnyTool extends Omit<ToolContract<any, any, string, TaskSpecs>, 'inputs'> {
  inputs: InputSpecs
}
/** Whether a tool works on videos, which take long and have threads of their own. */
export function isVideoTool({ inputs }: Pick<AnyTool, 'inputs'>): boolean {
  return Object.values(inputs).some(({ kind }) => kind === 'video')
}

/** The tools of a server, by id. */
export type ToolRegistry = Readonly<Record<string, AnyTool>>

/** The tool of an id, or undefined when there is none. */
export function findTool(tools: ToolRegistry, id: string): AnyTool | undefined {
  return Object.hasOwn(tools, id) ? tools[id] : undefined
}

/**
 * A face that a check found: its box and points (x, y by turns) in pixels of the input it was found
 * in.
 */
export interface CheckedFace {
  /** Name and position of the input. */
  input: string
  position: number
  box: Box
  points?: readonly number[]
}

/** A line of a check list: what was measured, and between which values it should lie. */
export interface CheckItem {
  /** A message key. */
  code: string
  status: 'ok' | 'warning' | 'failed'
  measured?: number
  wanted?: { min?: number; max?: number }
}

/** What a free check finds in the inputs; price, problems and time limit may follow from it. */
export interface PhotoCheck {
  faces?: readonly CheckedFace[]
  warnings: readonly WarningCode[]
  problems: readonly Problem[]
  checks?: readonly CheckItem[]
  facts: Facts
}

/** Named values for the screen, such as `likeness` or `seed`. */
export type Facts = { readonly [name: string]: Json }

/** Things a person should know about a result. */
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
  'face_marked',
  'large_hole',
  'colours_unknown',
  'colours_replaced',
  'subject_unsure',
  'provider_fallback',
] as const
export type WarningCode = (typeof warningCodes)[number]
