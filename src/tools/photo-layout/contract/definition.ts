import { type PlatformId, platformIds, platformOf } from '#engine/platforms.ts'
import { type PageShape, pageSize } from '#engine/tasks/layout/index.ts'
import type { ImageFormat } from '#shared/media.ts'
import type { SchemaParts } from '#tools/contract/define.ts'
import { type Logo, logoInput, logoProblems } from '#tools/contract/logo.ts'
import type { InputSpecs, ToolDefinition } from '#tools/contract/tool.ts'

/** Share of the page's shorter side. */
export const maxGap = 0.1

export const plainShapes = ['1:1', '4:5', '9:16', '3:2', 'a4', '4r'] as const
export type LayoutShape = (typeof plainShapes)[number] | PlatformId
/** Shapes with a size in millimetres. */
export const isPaper = (shape: LayoutShape): shape is 'a4' | '4r' => shape === 'a4' || shape === '4r'

/** Zoom 1 to 4 beyond covering the cell, and offsets from 0 to 1 between the edges. */
interface PictureView {
  zoom: number
  x: number
  y: number
}

export interface PhotoLayoutParams {
  /**
   * Division of the page; one that does not exist for this number of pictures falls back to the
   * plainest.
   */
  template: string
  shape: LayoutShape
  turned: boolean
  /** Space between and around the pictures, as a share of the page's shorter side, 0 to 0.1. */
  gap: number
  /** Corners: 0 square to 1 as round as the smallest cell allows. */
  radius: number
  /** `image`: the input `background`. */
  background: { type: 'color'; color: string } | { type: 'image' }
  /** Picture index of each cell, from 0; empty: in the given order. */
  order: readonly number[]
  /** Missing or null: determined by the picture's faces. */
  views: readonly (PictureView | null)[]
  text: string
  textColor: string
  textPlace: 'top' | 'bottom'
  logo: Logo | null
  /** A second output for printing on `a4` or `4r`, in true millimetres. */
  pdf: boolean
  format: ImageFormat
}

const inputs = {
  pictures: {
    kind: 'picture',
    label: /*i18n*/ { id: 'input.photo-layout.pictures', message: '4 sampai 8 foto' },
    min: 4,
    max: 8,
    wrongCount: 'upload.four_to_eight',
  },
  background: {
    kind: 'picture',
    label: /*i18n*/ { id: 'input.photo-layout.background', message: 'Latar halaman' },
    min: 0,
    max: 1,
  },
  logo: logoInput,
} as const satisfies InputSpecs
export type PhotoLayoutInputs = typeof inputs

export function pageOf({ shape, turned }: Pick<PhotoLayoutParams, 'shape' | 'turned'>) {
  const platform = platformOf(shape)
  if (!platform) return pageSize(shape as PageShape, turned)
  const { width, height } = platform
  return turned ? { width: height, height: width } : { width, height }
}

/** 4 to 8 pictures. Everything but the pictures can be changed for free. */
export const photoLayout: ToolDefinition<PhotoLayoutParams, PhotoLayoutInputs, 'photo-layout'> = {
  id: 'photo-layout',
  route: '/photo-layout',
  label: /*i18n*/ { id: 'tool.photo-layout', message: 'Tata Letak Foto' },
  inputs,
  defaults: {
    template: 'grid',
    shape: '1:1',
    turned: false,
    gap: 0.02,
    radius: 0.12,
    background: { type: 'color', color: '#ffffff' },
    order: [],
    views: [],
    text: '',
    textColor: '#1f1d1a',
    textPlace: 'bottom',
    logo: null,
    pdf: false,
    format: 'jpeg',
  },
  renderParams: [
    'template',
    'shape',
    'turned',
    'gap',
    'radius',
    'background',
    'order',
    'views',
    'text',
    'textColor',
    'textPlace',
    'logo',
    'pdf',
    'format',
  ],
  renderInputs: ['background', 'logo'],
  resultSize: pageOf,
  previewParams: { pdf: false },
  tasks: {},
  checksPhotos: true,
  problems({ background, order, views, pdf, shape, logo }, { inputs: { pictures, background: own, logo: logos } }) {
    const all = new Set(order)
    const misplaced =
      order.length > 0 &&
      (order.length !== pictures.length || all.size !== order.length || order.some((i) => i >= pictures.length))
    return [
      ...(background.type === 'image' && own.length === 0 ? [{ path: 'background', code: 'upload.missing' }] : []),
      ...(misplaced ? [{ path: 'order', code: 'form.invalid' }] : []),
      ...(views.length > pictures.length ? [{ path: 'views', code: 'form.invalid' }] : []),
      ...(pdf && !isPaper(shape) ? [{ path: 'pdf', code: 'form.invalid' }] : []),
      ...logoProblems(logo, logos),
    ]
  },
  price: (unit) => unit,
  timeLimit: () => 60,
  defaultUnitPrice: 3,
}

/** The letters in the font: western European letters, digits and marks. */
export const maxText = 60
export const textPattern = /^[\x20-\x7e\xa1-\xac\xae-\xff–—‘’“”•…€™ŒœŸ]*$/

const color = /^#[0-9a-fA-F]{6}$/

export const photoLayoutOptions = ({ type, logo }: SchemaParts) =>
  type({
    '+': 'reject',
    template: type(/^[a-z-]{1,30}$/).default('grid'),
    shape: type.enumerated(...plainShapes, ...platformIds).default('1:1'),
    turned: 'boolean = false',
    gap: `0 <= number <= ${maxGap} = 0.02` as const,
    radius: '0 <= number <= 1 = 0.12',
    background: type({ '+': 'reject', type: "'color'", color })
      .or({ '+': 'reject', type: "'image'" })
      .default(() => ({ type: 'color' as const, color: '#ffffff' })),
    order: type('(0 <= number.integer <= 7)[] <= 8').default(() => []),
    views: type({ '+': 'reject', zoom: '1 <= number <= 4', x: '0 <= number <= 1', y: '0 <= number <= 1' })
      .or('null')
      .array()
      .atMostLength(8)
      .default(() => []),
    text: type(textPattern).and(`string <= ${maxText}`).default(''),
    textColor: type(color).default('#1f1d1a'),
    textPlace: "'top' | 'bottom' = 'bottom'",
    logo,
    pdf: 'boolean = false',
    format: "'png' | 'webp' | 'jpeg' = 'jpeg'",
  })
