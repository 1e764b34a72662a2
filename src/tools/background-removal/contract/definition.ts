import { type PlatformId, platformIds, platformOf } from '#engine/platforms.ts'
import { type Box, type ImageFormat, imageLimits, type Stroke } from '#shared/media.ts'
import type { SchemaParts } from '#tools/contract/define.ts'
import { type Logo, logoInput, logoProblems } from '#tools/contract/logo.ts'
import { type InputSpecs, onePicture, type TaskSpecs, type ToolDefinition } from '#tools/contract/tool.ts'

type Background =
  | { type: 'transparent' }
  /** `#rrggbb`, or with an opacity `#rrggbbaa`. */
  | { type: 'color'; color: string }
  | { type: 'blur' | 'lens' }
  | { type: 'image' }

export interface Position {
  /** Share of the picture that the subject's box fills, 0.1 to 1; its own size if absent. */
  scale?: number
  /** 0 left or top, to 1 right or bottom. */
  x: number
  y: number
}

/** Share of the subject's box. */
export const maxMargin = 0.5
/** Pixels of the upright input. */
export const maxMarginPixels = 500

/** Pixels of the upright input, or a share of that side of the subject's box. */
export type SideMargin = { pixels: number } | { share: number }
/** Entries in {@link BackgroundRemovalParams.people}. */
export const maxPeople = 64

/** In pixels of the upright input. */
export interface Tap {
  x: number
  y: number
}

export interface BackgroundRemovalParams {
  /** `auto` decides from the picture; an object is the most salient thing. */
  subject: 'auto' | 'person' | 'object'
  /** In pixels of the upright input; everything outside is removed. */
  box?: Box
  /**
   * Boxes around the people to keep, or points on them, in the same pixels; everyone else who is
   * found is removed.
   */
  people?: readonly (Box | Tap)[]
  background: Background
  format: ImageFormat
  crop: boolean
  /** Share of the longer side of the subject's box, 0 to 0.5. */
  margin: number
  /** For programs: a margin to each side of a crop, also beyond the photograph. */
  margins?: { top: SideMargin; right: SideMargin; bottom: SideMargin; left: SideMargin }
  /**
   * The photograph's own; a ratio with the subject centred and `margin` around it; or a platform's
   * (a sticker is a WebP with a white border).
   */
  shape: 'own' | '1:1' | '4:5' | PlatformId
  shadow: boolean
  /** For programs: 0 to 1; the usual one if absent. */
  shadowOpacity?: number
  /** Pixels to keep or remove, in pixels of the upright input; later strokes win. */
  strokes: readonly Stroke[]
  /** 0 as found, up to 1. */
  softness: number
  logo: Logo | null
  /** The result is reduced to so many pixels; for programs. */
  maxPixels?: number
  /**
   * For programs: `alpha` gives the matte alone as a grey picture, `separate` the colours as JPEG
   * and the matte.
   */
  channels?: 'alpha' | 'separate'
  /** For programs: where the subject stands in a picture of the photograph's size. */
  position?: Position
}

const inputs = {
  picture: onePicture,
  background: {
    kind: 'picture',
    label: /*i18n*/ { id: 'input.background-removal.background', message: 'Latar baru' },
    min: 0,
    max: 1,
  },
  logo: logoInput,
} as const satisfies InputSpecs
export type BackgroundRemovalInputs = typeof inputs

const tasks = { matte: 'subjectMatte', depth: 'depth' } as const satisfies TaskSpecs
export type BackgroundRemovalTasks = typeof tasks

/** With `background.type` = `image` the new background is the input `background`. */
export const backgroundRemoval: ToolDefinition<
  BackgroundRemovalParams,
  BackgroundRemovalInputs,
  'background-removal',
  BackgroundRemovalTasks
> = {
  id: 'background-removal',
  route: '/ai-background-removal',
  label: /*i18n*/ { id: 'tool.background-removal', message: 'Hapus Latar' },
  inputs,
  defaults: {
    subject: 'auto',
    background: { type: 'transparent' },
    format: 'png',
    crop: false,
    margin: 0.05,
    shape: 'own',
    shadow: false,
    strokes: [],
    softness: 0,
    logo: null,
  },
  renderParams: [
    'background',
    'format',
    'crop',
    'margin',
    'margins',
    'shape',
    'shadow',
    'shadowOpacity',
    'strokes',
    'softness',
    'logo',
    'maxPixels',
    'channels',
    'position',
  ],
  pictureParams: ['box', 'people', 'strokes'],
  resultSize: ({ shape, crop }, photo) => platformOf(shape) ?? (shape === 'own' && !crop ? photo : null),
  renderInputs: ['background', 'logo'],
  batch: { input: 'picture', max: 20 },
  tasks,
  checksPhotos: [tasks.matte],
  problems({ background, box, people, logo }, { inputs: { picture, background: own, logo: logos }, photoCheck }) {
    const [source] = picture
    const isOutside = ({ x, y, width = 1, height = 1 }: Tap & Partial<Box>) =>
      source !== undefined && (x + width > source.width || y + height > source.height)
    const found = photoCheck?.problems ?? []
    return [
      ...found.filter(({ code }) => !box && (!people || code === 'engine.person_not_found')),
      ...(background.type === 'image' && own.length === 0 ? [{ path: 'background', code: 'upload.missing' }] : []),
      ...(box && isOutside(box) ? [{ path: 'box', code: 'box.outside' }] : []),
      ...(people?.some(isOutside) ? [{ path: 'people', code: 'box.outside' }] : []),
      ...logoProblems(logo, logos),
    ]
  },
  price: (unit) => unit,
  // Of a crowd each missed person takes about a second.
  timeLimit: () => 120,
  defaultUnitPrice: 5,
}

const pixel = 'number.integer >= 0'
const side = 'number.integer >= 8'

export const backgroundRemovalOptions = ({ type, strokes, logo }: SchemaParts) => {
  const boxSchema = type({ '+': 'reject', x: pixel, y: pixel, width: side, height: side })
  const pointSchema = type({ '+': 'reject', x: pixel, y: pixel })

  const sideMargin = type({ '+': 'reject', pixels: `0 <= number <= ${maxMarginPixels}` as const }).or({
    '+': 'reject',
    share: `0 <= number <= ${maxMargin}` as const,
  })
  return type({
    '+': 'reject',
    subject: "'auto' | 'person' | 'object' = 'auto'",
    'box?': boxSchema,
    'people?': boxSchema.or(pointSchema).array().atLeastLength(1).atMostLength(maxPeople),
    background: type({ '+': 'reject', type: "'transparent' | 'blur' | 'lens' | 'image'" })
      .or({ '+': 'reject', type: "'color'", color: /^#[0-9a-fA-F]{6}([0-9a-fA-F]{2})?$/ })
      .default(() => ({ type: 'transparent' as const })),
    format: "'png' | 'webp' | 'jpeg' = 'png'",
    crop: 'boolean = false',
    margin: `0 <= number <= ${maxMargin} = 0.05` as const,
    'margins?': { '+': 'reject', top: sideMargin, right: sideMargin, bottom: sideMargin, left: sideMargin },
    shape: type.enumerated('own', '1:1', '4:5', ...platformIds).default('own'),
    shadow: 'boolean = false',
    'shadowOpacity?': '0 <= number <= 1',
    strokes,
    softness: '0 <= number <= 1 = 0',
    logo,
    'maxPixels?': `1000 <= number.integer <= ${imageLimits.pixels}`,
    'channels?': "'alpha' | 'separate'",
    'position?': { '+': 'reject', 'scale?': '0.1 <= number <= 1', x: '0 <= number <= 1', y: '0 <= number <= 1' },
  })
}
