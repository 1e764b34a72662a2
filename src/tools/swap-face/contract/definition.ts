import type { ImageFormat } from '#shared/media.ts'
import type { SchemaParts } from '#tools/contract/define.ts'
import type { GenerationInfo, InputSpecs, Problem, TaskSpecs, ToolDefinition } from '#tools/contract/tool.ts'

/** Indices of the faces that the check finds in each input. */
export interface FacePair {
  source: number
  target: number
}

export interface SwapFaceParams {
  /** Empty: the largest source face replaces the largest target face. */
  pairs: FacePair[]
  /** All persons in the pictures are adults and consent; required for every generation. */
  consent: boolean
  /** Otherwise glasses of a target face are removed, and the whole face is the source's. */
  keepGlasses: boolean
  mark: boolean
  format: ImageFormat
}

export const maxPairs = 10

const inputs = {
  target: {
    kind: 'picture',
    label: /*i18n*/ { id: 'input.swap-face.target', message: 'Tujuan' },
    min: 1,
    max: 1,
  },
  faces: {
    kind: 'picture',
    label: /*i18n*/ { id: 'input.swap-face.faces', message: 'Wajah baru' },
    min: 1,
    max: 6,
  },
} as const satisfies InputSpecs
export type SwapFaceInputs = typeof inputs

const tasks = { safe: 'safety' } as const satisfies TaskSpecs
export type SwapFaceTasks = typeof tasks

/** Charged by swapped faces; glasses, label and format can be changed for free. */
export const swapFaceTool: ToolDefinition<SwapFaceParams, SwapFaceInputs, 'swap-face', SwapFaceTasks> = {
  id: 'swap-face',
  route: '/ai-swap-face',
  label: /*i18n*/ { id: 'tool.swap-face', message: 'Tukar Wajah' },
  inputs,
  defaults: { pairs: [], consent: false, keepGlasses: true, mark: false, format: 'jpeg' },
  renderParams: ['keepGlasses', 'mark', 'format'],
  batch: { input: 'target', max: 20 },
  tasks,
  needsConsent: 'biometric',
  adultsOnly: true,
  checksPhotos: true,
  mark: 'mark',
  problems,
  price: (unit, { pairs }) => unit * Math.max(1, pairs.length),
  timeLimit: () => 90,
  defaultUnitPrice: 10,
}

function problems({ pairs, consent }: SwapFaceParams, { photoCheck }: GenerationInfo<SwapFaceInputs>): Problem[] {
  const found: Problem[] = consent ? [] : [{ path: 'consent', code: 'swap.consent' }]
  const count = (input: keyof SwapFaceInputs) => photoCheck?.faces?.filter((face) => face.input === input).length
  const [sources, targets] = [count('faces'), count('target')]
  const outside = ({ source, target }: FacePair) =>
    (sources !== undefined && source >= sources) || (targets !== undefined && target >= targets)
  const twice = new Set(pairs.map(({ target }) => target)).size < pairs.length
  if (pairs.length === 0 && ((sources ?? 0) > 1 || (targets ?? 0) > 1))
    found.push({ path: 'pairs', code: 'engine.face_not_chosen' })
  if (twice || pairs.some(outside)) found.push({ path: 'pairs', code: 'swap.pairs' })
  return found
}

export const swapFaceOptions = ({ type }: SchemaParts) =>
  type({
    '+': 'reject',
    pairs: type({ '+': 'reject', source: '0 <= number.integer <= 119', target: '0 <= number.integer <= 19' })
      .array()
      .atMostLength(maxPairs)
      .default(() => []),
    consent: 'boolean = false',
    keepGlasses: type('boolean')
      .describe('keep the glasses of the target face; false removes them, for a closer likeness to the source')
      .default(true),
    mark: 'boolean = false',
    format: "'png' | 'webp' | 'jpeg' = 'jpeg'",
  })
