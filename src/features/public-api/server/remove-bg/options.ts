import type { BackgroundRemovalParams } from '#tools/background-removal/contract/definition.ts'
import { maxMargin } from '#tools/background-removal/contract/definition.ts'

/** Text fields of POST /v1.0/removebg, as remove.bg documents them. */
export const textFields = [
  'image_file_b64',
  'image_url',
  'size',
  'type',
  'type_level',
  'format',
  'roi',
  'crop',
  'crop_margin',
  'scale',
  'position',
  'channels',
  'add_shadow',
  'shadow_type',
  'shadow_opacity',
  'semitransparency',
  'bg_color',
  'bg_image_url',
] as const
export type TextFields = Partial<Record<(typeof textFields)[number], string>>

/** A field that the documented interface refuses, or that this server cannot honour. */
export class InvalidOption extends Error {
  readonly field: string

  constructor(field: string, problem: string) {
    super(`${field}: ${problem}`)
    this.name = 'InvalidOption'
    this.field = field
  }
}

const maxPixels: Record<string, number | undefined> = {
  preview: 250_000,
  small: 250_000,
  regular: 250_000,
  medium: 1_500_000,
  hd: 4_000_000,
  full: undefined,
  '4k': undefined,
  '50mp': undefined,
  auto: undefined,
}

const types = ['auto', 'person', 'product', 'car', 'animal', 'graphic', 'transportation', 'other']

/** HTML 4 names. */
const colourNames: Record<string, string> = {
  black: '000000',
  silver: 'c0c0c0',
  gray: '808080',
  grey: '808080',
  white: 'ffffff',
  maroon: '800000',
  red: 'ff0000',
  purple: '800080',
  fuchsia: 'ff00ff',
  green: '008000',
  lime: '00ff00',
  olive: '808000',
  yellow: 'ffff00',
  navy: '000080',
  blue: '0000ff',
  teal: '008080',
  aqua: '00ffff',
  orange: 'ffa500',
}

/** Options of the tool for the given fields. Throws InvalidOption. */
export function optionsOf(
  fields: TextFields,
  { picture, hasBackground }: { picture: { width: number; height: number }; hasBackground: boolean },
): Partial<BackgroundRemovalParams> {
  refuseUnsupported(fields)
  const { size = 'preview', type = 'auto', channels = 'rgba' } = lowerCase(fields)
  if (!(size in maxPixels)) throw new InvalidOption('size', 'unknown size')
  if (!types.includes(type)) throw new InvalidOption('type', 'unknown type')
  if (!['rgba', 'alpha'].includes(channels)) throw new InvalidOption('channels', 'rgba or alpha')
  const box = regionOf(fields.roi, picture)
  const most = maxPixels[size]
  const background = backgroundOf(fields.bg_color, hasBackground)
  const format = formatOf(fields.format, background.type === 'transparent')
  return {
    subject: type === 'auto' || type === 'person' ? type : 'object',
    ...(box && { box }),
    background: format === 'jpeg' && background.type === 'transparent' ? white : background,
    format,
    crop: isTrue('crop', fields.crop),
    margin: marginOf(fields.crop_margin),
    shadow: isTrue('add_shadow', fields.add_shadow),
    ...(most !== undefined && { maxPixels: most }),
    ...(channels === 'alpha' && { alphaOnly: true }),
  }
}

const white = { type: 'color', color: '#ffffff' } as const

const lowerCase = (fields: TextFields): TextFields =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value.trim().toLowerCase()]))

/** Options whose effect a client would miss. */
function refuseUnsupported(fields: TextFields): void {
  const { scale = 'original', position = 'original', format } = lowerCase(fields)
  if (!['original', '100%', ''].includes(scale)) throw new InvalidOption('scale', 'only original')
  if (!['original', ''].includes(position)) throw new InvalidOption('position', 'only original')
  if (format === 'zip') throw new InvalidOption('format', 'zip is not available; png, jpg, webp and auto are')
}

function formatOf(format = 'auto', transparent: boolean): 'png' | 'jpeg' | 'webp' {
  switch (format.toLowerCase()) {
    case 'auto':
      return transparent ? 'png' : 'jpeg'
    case 'jpg':
    case 'jpeg':
      return 'jpeg'
    case 'png':
    case 'webp':
      return format.toLowerCase() as 'png' | 'webp'
    default:
      throw new InvalidOption('format', 'auto, png, jpg or webp')
  }
}

function backgroundOf(color: string | undefined, hasBackground: boolean): BackgroundRemovalParams['background'] {
  if (hasBackground) return { type: 'image' }
  if (!color) return { type: 'transparent' }
  const text = color.trim().toLowerCase().replace(/^#/, '')
  const hex = colourNames[text] ?? (/^[0-9a-f]{3,4}$/.test(text) ? text.replace(/./g, '$&$&') : text)
  if (!/^[0-9a-f]{6}([0-9a-f]{2})?$/.test(hex)) throw new InvalidOption('bg_color', 'hex code or colour name')
  const alpha = hex.slice(6)
  if (alpha === '00') return { type: 'transparent' }
  if (alpha !== '' && alpha !== 'ff') throw new InvalidOption('bg_color', 'half transparent colours are not available')
  return { type: 'color', color: `#${hex.slice(0, 6)}` }
}

function marginOf(text: string | undefined): number {
  if (!text?.trim()) return 0
  const sides = text.trim().split(/\s+/)
  const [first = ''] = sides
  const percent = /^(\d+(?:\.\d+)?)%$/.exec(first)?.[1]
  const margin = first === '0' || first === '0px' ? 0 : Number(percent ?? Number.NaN) / 100
  if (Number.isNaN(margin) || margin > maxMargin || sides.some((side) => side !== first))
    throw new InvalidOption('crop_margin', 'one percentage from 0% to 50% for all sides')
  return margin
}

function isTrue(field: string, text = 'false'): boolean {
  const value = text.trim().toLowerCase()
  if (['true', '1', 'yes', 'on'].includes(value)) return true
  if (['false', '0', 'no', 'off', ''].includes(value)) return false
  throw new InvalidOption(field, 'true or false')
}

/** `x1 y1 x2 y2` in pixels or percent; undefined for the whole picture. */
function regionOf(text: string | undefined, { width, height }: { width: number; height: number }) {
  if (!text?.trim()) return undefined
  const corners = text.trim().split(/\s+/)
  const inPixels = corners.map((corner, index) => {
    const [, amount, unit] = /^(\d+(?:\.\d+)?)(px|%)$/.exec(corner) ?? []
    const side = index % 2 === 0 ? width : height
    return unit === '%' ? (Number(amount) / 100) * side : Number(amount)
  })
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = inPixels.map(Math.round)
  const isValid = corners.length === 4 && x2 - x1 >= 8 && y2 - y1 >= 8 && x2 <= width && y2 <= height
  if (!isValid) throw new InvalidOption('roi', 'x1 y1 x2 y2 inside the picture, in px or %')
  if (x1 === 0 && y1 === 0 && x2 === width && y2 === height) return undefined
  return { x: x1, y: y1, width: x2 - x1, height: y2 - y1 }
}
