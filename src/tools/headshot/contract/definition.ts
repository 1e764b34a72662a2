import { type AddedLocation, type AddedLocationId, isAddedLocation, locationIds } from '#engine/scenes.ts'
import type { ImageFormat, Stroke } from '#shared/media.ts'
import type { SchemaParts } from '#tools/contract/define.ts'
import {
  type GenerationInfo,
  type InputSpecs,
  onePicture,
  type Problem,
  type TaskSpecs,
  type ToolDefinition,
} from '#tools/contract/tool.ts'

export const maxFaces = 12

export const sampleSize = { width: 84, height: 112 }

/** Studio sheets of the engine, in display order. */
const sheetNames = ['grey', 'white', 'charcoal', 'sand', 'blue', 'sage', 'canvas'] as const
/** Offered for new results. */
export const backdropNames = [...sheetNames, ...locationIds] as const
/** Drawn scenes of earlier results. */
const retiredBackdrops = ['window', 'office', 'garden', 'evening'] as const
export type HeadshotBackdrop = (typeof backdropNames)[number] | (typeof retiredBackdrops)[number] | AddedLocationId

/** Directions in which a location can be seen. */
export const viewCount = 6

const headshotRatios = ['3:4', '1:1', '4:5'] as const
export type HeadshotRatio = (typeof headshotRatios)[number]

/** `photo` is the photograph before a backdrop; the others are new photographs by a provider. */
const headshotStyles = ['photo', 'office', 'studio', 'outdoor', 'traditional'] as const
export type HeadshotStyle = (typeof headshotStyles)[number]

/** For one price. */
export const proposalCount = 4

export interface HeadshotParams {
  style: HeadshotStyle
  /** Only new photographs keep clothes and pose by choice. */
  ownOutfit: boolean
  ownPose: boolean
  mode: 'each' | 'group'
  /**
   * Indices for single headshots; empty: the largest. A group shows all persons, whatever is
   * chosen.
   */
  faces: number[]
  backdrop: HeadshotBackdrop
  /** The operator's location that the backdrop names. */
  locations?: readonly AddedLocation[]
  /** Direction of the view of a location, 1 to {@link viewCount}. */
  view: number
  /** Only single headshots; groups keep the photograph's shape. */
  ratio: HeadshotRatio
  /** Strength of skin retouching and relighting, 0 to 1. */
  retouch: number
  light: number
  format: ImageFormat
  /** By headshot index, in pixels of the upright input. */
  strokes: readonly Stroke[]
}

const inputs = {
  picture: onePicture,
} as const satisfies InputSpecs
export type HeadshotInputs = typeof inputs

const tasks = { safe: 'safety', proposals: 'portrait' } as const satisfies TaskSpecs
export type HeadshotTasks = typeof tasks

/** Charged by faces; backdrop, crop, retouch and light can be changed for free. */
export const headshot: ToolDefinition<HeadshotParams, HeadshotInputs, 'headshot', HeadshotTasks> = {
  id: 'headshot',
  route: '/ai-headshot',
  label: /*i18n*/ { id: 'tool.headshot', message: 'Headshot AI' },
  inputs,
  defaults: {
    style: 'photo',
    ownOutfit: false,
    ownPose: true,
    mode: 'each',
    faces: [],
    backdrop: 'grey',
    view: 1,
    ratio: '3:4',
    retouch: 0.5,
    light: 0.6,
    format: 'jpeg',
    strokes: [],
  },
  renderParams: ['backdrop', 'view', 'ratio', 'retouch', 'light', 'format', 'strokes'],
  pictureParams: ['strokes'],
  locations: ({ backdrop }) => (isAddedLocation(backdrop) ? [backdrop] : []),
  previewParams: { style: 'photo' },
  batch: { input: 'picture', max: 20 },
  tasks,
  needs: ({ style }) => (style === 'photo' ? [] : ['portrait']),
  needsConsent: 'biometric',
  checksPhotos: true,
  pricedByCheck: ({ mode }) => mode === 'group',
  problems,
  price: (unit, params, facts) => (params.style === 'photo' ? unit * countFaces(params, facts) : 2 * unit),
  timeLimit: () => 120,
  defaultUnitPrice: 20,
}

function countFaces({ mode, faces }: HeadshotParams, { photoCheck }: GenerationInfo<HeadshotInputs>): number {
  const made = mode === 'group' ? Math.min(photoCheck?.faces?.length ?? 1, maxFaces) : faces.length
  return Math.max(1, made)
}

function problems({ faces, mode, style }: HeadshotParams, { photoCheck }: GenerationInfo<HeadshotInputs>): Problem[] {
  if (style !== 'photo' && (mode === 'group' || faces.length > 1)) return [{ path: 'style', code: 'headshot.one_face' }]
  const found = photoCheck?.faces?.length
  if (mode === 'each' && faces.length === 0 && (found ?? 0) > 1)
    return [{ path: 'faces', code: 'engine.face_not_chosen' }]
  const stray = new Set(faces).size < faces.length || (found !== undefined && faces.some((face) => face >= found))
  return stray ? [{ path: 'faces', code: 'headshot.faces' }] : []
}

export const headshotOptions = ({ type, strokes, addedLocationId, addedLocations }: SchemaParts) =>
  type({
    '+': 'reject',
    style: type.enumerated(...headshotStyles).default('photo'),
    ownOutfit: 'boolean = false',
    ownPose: 'boolean = true',
    mode: "'each' | 'group' = 'each'",
    faces: type('0 <= number.integer <= 99')
      .array()
      .atMostLength(maxFaces)
      .default(() => []),
    backdrop: type
      .enumerated(...backdropNames, ...retiredBackdrops)
      .or(addedLocationId)
      .default('grey'),
    'locations?': addedLocations,
    view: `1 <= number.integer <= ${viewCount} = 1` as const,
    ratio: type.enumerated(...headshotRatios).default('3:4'),
    retouch: '0 <= number <= 1 = 0.5',
    light: '0 <= number <= 1 = 0.6',
    format: "'png' | 'webp' | 'jpeg' = 'jpeg'",
    strokes,
  })
