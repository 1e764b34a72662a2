import { type PlatformId, platformIds, platformOf } from '#engine/platforms.ts'
import { type AddedLocation, type RetiredSceneId, retiredScenes, type SceneId, sceneIds } from '#engine/scenes.ts'
import type { ImageFormat, Stroke } from '#shared/media.ts'
import type { SchemaParts } from '#tools/contract/define.ts'
import { type Logo, logoInput, logoProblems } from '#tools/contract/logo.ts'
import { type InputSpecs, onePicture, type TaskSpecs, type ToolDefinition } from '#tools/contract/tool.ts'

export interface BackgroundDiffusionParams {
  /** In Indonesian or English. */
  prompt: string
  /** `auto` derives it from the prompt. */
  scene: SceneId | 'auto'
  /** The operator's locations that the prompt or the scene names. */
  locations?: readonly AddedLocation[]
  subject: 'auto' | 'person' | 'object'
  /** 1 to 4, for one price. */
  variants: number
  /** Seed of the first variant; the others use the following numbers. */
  seed: number
  /** 1 as in the picture, about the middle of its lower edge. */
  scale: number
  /** In shares of the picture, to the right and down. */
  x: number
  y: number
  /** `auto` follows the subject's light. */
  light: 'auto' | 'left' | 'right' | 'front'
  shadow: boolean
  /** Strength of the subject's light colour on the scene, 0 to 1. */
  match: number
  /**
   * The photograph's own, or a platform's in its pixels and bytes, with the subject in the middle.
   */
  shape: 'own' | PlatformId
  logo: Logo | null
  format: ImageFormat
  /** Correct the cut-out, in pixels of the upright input. */
  strokes: readonly Stroke[]
}

const inputs = {
  picture: onePicture,
  logo: logoInput,
} as const satisfies InputSpecs
export type BackgroundDiffusionInputs = typeof inputs

const tasks = { safe: 'safety', matte: 'subjectMatte', backgrounds: 'background' } as const satisfies TaskSpecs
export type BackgroundDiffusionTasks = typeof tasks

/** Placement, light, shadow and the cut-out can be changed for free. */
export const backgroundDiffusion: ToolDefinition<
  BackgroundDiffusionParams,
  BackgroundDiffusionInputs,
  'background-diffusion',
  BackgroundDiffusionTasks
> = {
  id: 'background-diffusion',
  route: '/ai-background-diffusion',
  label: /*i18n*/ { id: 'tool.background-diffusion', message: 'Latar Baru' },
  inputs,
  defaults: {
    prompt: '',
    scene: 'auto',
    subject: 'auto',
    variants: 4,
    seed: 1,
    scale: 1,
    x: 0,
    y: 0,
    light: 'auto',
    shadow: true,
    match: 0.5,
    shape: 'own',
    logo: null,
    format: 'jpeg',
    strokes: [],
  },
  resultSize: ({ shape }, photo) => platformOf(shape) ?? photo,
  renderParams: ['scale', 'x', 'y', 'light', 'shadow', 'match', 'shape', 'logo', 'format', 'strokes'],
  pictureParams: ['strokes'],
  renderInputs: ['logo'],
  batch: { input: 'picture', max: 20 },
  tasks,
  checksPhotos: [tasks.matte],
  problems: ({ logo }, { inputs, photoCheck }) => [...(photoCheck?.problems ?? []), ...logoProblems(logo, inputs.logo)],
  price: (unit) => unit,
  timeLimit: () => 120,
  defaultUnitPrice: 10,
}

export const scaleLimits = { min: 0.2, max: 2 } as const
export const maxPrompt = 300
export const maxSeed = 9996

/** Remembered options may still name them. */
const retiredIds = Object.keys(retiredScenes) as RetiredSceneId[]

export const backgroundDiffusionOptions = ({ type, logo, strokes, addedLocationId, addedLocations }: SchemaParts) =>
  type({
    '+': 'reject',
    prompt: type(`string <= ${maxPrompt}`).default(''),
    scene: type
      .enumerated('auto', ...sceneIds, ...retiredIds)
      .or(addedLocationId)
      .default('auto'),
    'locations?': addedLocations,
    subject: "'auto' | 'person' | 'object' = 'auto'",
    variants: '1 <= number.integer <= 4 = 4',
    seed: `1 <= number.integer <= ${maxSeed} = 1` as const,
    scale: `${scaleLimits.min} <= number <= ${scaleLimits.max} = 1` as const,
    x: '-1 <= number <= 1 = 0',
    y: '-1 <= number <= 1 = 0',
    light: "'auto' | 'left' | 'right' | 'front' = 'auto'",
    shadow: 'boolean = true',
    match: '0 <= number <= 1 = 0.5',
    shape: type.enumerated('own', ...platformIds).default('own'),
    logo,
    format: "'png' | 'webp' | 'jpeg' = 'jpeg'",
    strokes,
  })
