import type { type } from 'arktype'
import type { MediaKind } from '#contract/media.ts'
import type { EngineHost } from '#engine/host.ts'
import type { Picture, Plane } from '#engine/picture.ts'

/** A message of the catalogues in `locale/`, named by id, with its Indonesian text. */
export interface Label {
  id: string
  message: string
}

/** What is known of the sources before they are decoded; prices may depend on it. */
export interface SourceFacts {
  count: number
  /** Seconds of video; 0 for pictures. */
  seconds: number
}

/** The part of a tool that everybody may know: no schema library, no pixels, so that the first page stays small. */
export interface ToolFacts<Params, Id extends string = string> {
  id: Id
  /** Address of the tool's page. */
  route: `/${string}`
  media: MediaKind
  label: Label
  /** How many sources one run takes. */
  sources: { min: number; max: number }
  /** Names of further files the tool may take beside its sources, e.g. `mask`. */
  extras: readonly string[]
  defaults: Params
  /** Parameters that a finished generation may change for free, because they are drawn from what was generated. */
  renderParams: readonly (keyof Params & string)[]
  /** Longest run in seconds; a job is stopped then and refunded. */
  timeLimit: number
  /** Price in credits, given the unit price that admins set. */
  price(unit: number, params: Params, source: SourceFacts): number
  /** It works on faces: nobody may use it who has not agreed to that (kind `biometric` of GET /api/user/consents). */
  needsConsent?: true
  /** Unit price in credits at first start; admins change it later. */
  defaultUnitPrice: number
}

/** A tool's whole contract: its facts and the schema that turns the JSON of `params` into `Params` (unknown keys are refused). */
export interface ToolContract<Params = unknown, Id extends string = string> extends ToolFacts<Params, Id> {
  paramsSchema: type.Any
  /** Validates and fills in defaults; `problems` maps a parameter path to a sentence. */
  parseParams(value: unknown): { ok: true; params: Params } | { ok: false; problems: Record<string, string> }
}

/** Decoded, upright sources and extras of a run. */
export interface ToolInput<Params> {
  sources: Picture[]
  extras: Partial<Record<string, Picture>>
  params: Params
}

/** What was generated and is kept, losslessly, so that a result can be rendered again: planes are stored as 8-bit grey, pictures as RGBA. */
export interface Intermediate {
  layers: Record<string, Picture | Plane>
  warnings: WarningCode[]
}

/** Things a person should know about a result; they repeat the specification's advice. */
export const warningCodes = [
  'low_resolution',
  'blurred',
  'overexposed',
  'too_dark',
  'uncertain_edges',
  'face_turned',
  'glasses',
  'provider_fallback',
] as const
export type WarningCode = (typeof warningCodes)[number]

/** One finished picture, still in pixels; the host encodes it. */
export interface Rendered {
  picture: Picture
  format: 'png' | 'webp' | 'jpeg'
}

/**
 * A tool's engine in two steps. `generate` is what people pay for; `render` draws the outputs from what was generated and is free to repeat
 * with other values of the tool's `renderParams`. Both are pure: pictures in, pictures out; no HTTP, no database.
 * They throw `EngineError` for what the person can mend and stop soon after `host.signal` aborts.
 */
export interface ToolEngine<Params> {
  generate(input: ToolInput<Params>, host: EngineHost): Promise<Intermediate>
  render(input: ToolInput<Params>, intermediate: Intermediate, host: EngineHost): Promise<Rendered[]>
}
