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
  const { size = 'preview', type = 'auto', channels = 'rgba' } = lowerCase(fields)
  if (!(size in maxPixels)) throw new InvalidOption('size', 'unknown size')
  if (!types.includes(type)) throw new InvalidOption('type', 'unknown type')
  if (!['rgba', 'alpha'].includes(channels)) throw new InvalidOption('channels', 'rgba or alpha')
  const box = regionOf(fields.roi, picture)
  const most = maxPixels[size]
  const background = backgroundOf(fields.bg_color, hasBackground)
  const opaque = background.type === 'image' || (background.type === 'color' && background.color.length === 7)
  const zipped = isZip(fields)
  const format = zipped ? 'png' : formatOf(fields.format, !opaque)
  const position = positionOf(fields)
  return {
    subject: type === 'auto' || type === 'person' ? type : 'object',
    ...(box && { box }),
    background: format === 'jpeg' ? onWhite(background) : background,
    format,
    crop: isTrue('crop', fields.crop),
    margin: marginOf(fields.crop_margin),
    shadow: isTrue('add_shadow', fields.add_shadow),
    ...(most !== undefined && { maxPixels: most }),
    ...(channels === 'alpha' && { channels }),
    ...(zipped && { channels: 'separate' as const }),
    ...(position && { position }),
  }
}

type Background = BackgroundRemovalParams['background']

/** JPEG has no transparency. */
function onWhite(background: Background): Background {
  if (background.type === 'transparent') return { type: 'color', color: '#ffffff' }
  if (background.type !== 'color' || background.color.length === 7) return background
  const [red = 0, green = 0, blue = 0, alpha = 0] = background.color.match(/[0-9a-f]{2}/gi)?.map(fromHex) ?? []
  const mixed = [red, green, blue].map((level) => Math.round(255 + ((level - 255) * alpha) / 255))
  return { type: 'color', color: `#${mixed.map((level) => level.toString(16).padStart(2, '0')).join('')}` }
}

const fromHex = (text: string) => Number.parseInt(text, 16)

const lowerCase = (fields: TextFields): TextFields =>
  Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, value.trim().toLowerCase()]))

/** A ZIP holds `color.jpg` and `alpha.png`. */
export const isZip = ({ format }: TextFields): boolean => format?.trim().toLowerCase() === 'zip'

/** A scaled subject stands in the centre unless `position` says otherwise. */
function positionOf(fields: TextFields): BackgroundRemovalParams['position'] {
  const { scale = '', position = '' } = lowerCase(fields)
  const share = ['original', ''].includes(scale) ? undefined : percentOf(scale)
  if (Number.isNaN(share) || (share !== undefined && (share < 0.1 || share > 1)))
    throw new InvalidOption('scale', 'original, or from 10% to 100%')
  if (['original', ''].includes(position)) return share === undefined ? undefined : { scale: share, x: 0.5, y: 0.5 }
  const [x = Number.NaN, y = x, ...more] = position === 'center' ? [0.5] : position.split(/\s+/).map(percentOf)
  if (more.length > 0 || !(x >= 0 && x <= 1 && y >= 0 && y <= 1))
    throw new InvalidOption('position', 'original, center, or one or two values from 0% to 100%')
  return { ...(share !== undefined && { scale: share }), x, y }
}

const percentOf = (text: string): number => Number(/^(\d+(?:\.\d+)?)%$/.exec(text)?.[1]) / 100

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

function backgroundOf(color: string | undefined, hasBackground: boolean): Background {
  if (hasBackground) return { type: 'image' }
  if (!color) return { type: 'transparent' }
  const text = color.trim().toLowerCase().replace(/^#/, '')
  const hex = colourNames[text] ?? (/^[0-9a-f]{3,4}$/.test(text) ? text.replace(/./g, '$&$&') : text)
  if (!/^[0-9a-f]{6}([0-9a-f]{2})?$/.test(hex)) throw new InvalidOption('bg_color', 'hex code or colour name')
  const alpha = hex.slice(6)
  if (alpha === '00') return { type: 'transparent' }
  return { type: 'color', color: `#${alpha === 'ff' ? hex.slice(0, 6) : hex}` }
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
