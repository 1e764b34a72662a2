import { type ImageFormat, imageLimits } from '#shared/media.ts'
import type { SchemaParts } from '#tools/contract/define.ts'
import { type InputSpecs, onePicture, type TaskSpecs, type ToolDefinition } from '#tools/contract/tool.ts'

export interface EnhancementParams {
  scale: 1 | 2 | 4
  /** Removal of noise and JPEG blocks, 0 to 1. */
  denoise: number
  /** 0 to 1. */
  sharpness: number
  /** Preference for eyes, brows and lips over skin when sharpening, 0 to 1. */
  faces: number
  /** Lifts shadows and spreads brightness, 0 to 1. */
  light: number
  /** Removes a colour cast and strengthens faint colours, 0 to 1. */
  colour: number
  /** A provider adds detail; faces keep theirs. */
  invent: boolean
  /** Keeps camera and settings in EXIF and writes a colour profile; never the location. */
  metadata: boolean
  format: ImageFormat
}

const inputs = {
  picture: onePicture,
} as const satisfies InputSpecs
export type EnhancementInputs = typeof inputs

const tasks = { large: 'upscale', faces: 'restoreFaces', detailed: 'addDetail' } as const satisfies TaskSpecs
export type EnhancementTasks = typeof tasks

/** Results above 50 megapixels are refused before the charge. */
export const enhancement: ToolDefinition<EnhancementParams, EnhancementInputs, 'enhancement', EnhancementTasks> = {
  id: 'enhancement',
  route: '/ai-enhancement',
  label: /*i18n*/ { id: 'tool.enhancement', message: 'Perjelas Foto' },
  inputs,
  defaults: {
    scale: 2,
    denoise: 0.8,
    sharpness: 0.3,
    faces: 0.6,
    light: 0.3,
    colour: 0.2,
    invent: false,
    metadata: false,
    format: 'jpeg',
  },
  renderParams: ['denoise', 'sharpness', 'faces', 'light', 'colour', 'metadata', 'format'],
  resultSize: ({ scale }, { width, height }) => ({ width: scale * width, height: scale * height }),
  previewParams: { scale: 1, invent: false },
  batch: { input: 'picture', max: 20 },
  tasks,
  checksPhotos: [tasks.large, tasks.faces],
  solvedByProviders: ['engine.too_blurred'],
  needs: ({ invent }) => (invent ? ['addDetail'] : []),
  problems({ scale, invent }, { inputs: { picture } }) {
    const pixels = Math.max(0, ...picture.map(({ width, height }) => width * height * scale * scale))
    if (pixels > imageLimits.pixels) return [{ path: 'scale', code: 'upload.too_many_pixels' }]
    return invent && pixels > maxDetailPixels ? [{ path: 'scale', code: 'enhancement.invented_size' }] : []
  },
  price: (unit, { scale, invent }) => unit * (scale === 4 ? 2 : 1) * (invent ? 2 : 1),
  timeLimit: () => 120,
  defaultUnitPrice: 5,
}

/**
 * Pixels of the largest result with added detail: beyond, providers would return less than the
 * input has.
 */
const maxDetailPixels = 4_200_000

const share = '0 <= number <= 1'

export const enhancementOptions = ({ type }: SchemaParts) =>
  type({
    '+': 'reject',
    scale: '1 | 2 | 4 = 2',
    denoise: `${share} = 0.8`,
    sharpness: `${share} = 0.3`,
    faces: `${share} = 0.6`,
    light: `${share} = 0.3`,
    colour: `${share} = 0.2`,
    invent: 'boolean = false',
    metadata: 'boolean = false',
    format: "'png' | 'webp' | 'jpeg' = 'jpeg'",
  })
