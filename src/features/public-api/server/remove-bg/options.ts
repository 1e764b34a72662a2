import {
  type BackgroundRemovalParams,
  maxMargin,
  maxMarginPixels,
  type SideMargin,
} from '#tools/background-removal/contract/definition.ts'

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
  /** As in `errors[].code`. */
  readonly code: string

  constructor(field: string, problem: string, code = `invalid_${field}`) {
    super(`${field}: ${problem}`)
    this.name = 'InvalidOption'
    this.code = code
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

/** Accepted types, and how each level of detail names them in the answer. */
const types: Record<string, { coarse: string; fine: string }> = {
  auto: { coarse: 'other', fine: 'other' },
  person: { coarse: 'person', fine: 'person' },
  product: { coarse: 'product', fine: 'product' },
  animal: { coarse: 'animal', fine: 'animal' },
  car: { coarse: 'car', fine: 'car' },
  car_interior: { coarse: 'car', fine: 'car_interior' },
  car_part: { coarse: 'car', fine: 'car_part' },
  transportation: { coarse: 'other', fine: 'transportation' },
  graphic: { coarse: 'other', fine: 'graphics' },
  graphics: { coarse: 'other', fine: 'graphics' },
  other: { coarse: 'other', fine: 'other' },
}
const typeLevels = ['none', '1', '2', 'latest']
const shadowTypes = ['none', 'auto', 'drop', '3d', 'car']

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
  const { size = 'preview', type = 'auto', type_level = '1', channels = 'rgba' } = lowerCase(fields)
  if (!Object.hasOwn(maxPixels, size)) throw new InvalidOption('size', 'unknown size')
  if (!Object.hasOwn(types, type)) throw new InvalidOption('type', 'unknown type')
  if (!typeLevels.includes(type_level)) throw new InvalidOption('type_level', 'none, 1, 2 or latest')
  isTrue('semitransparency', fields.semitransparency)
  if (!['rgba', 'alpha'].includes(channels)) throw new InvalidOption('channels', 'rgba or alpha')
  const box = regionOf(fields.roi, picture)
  const most = maxPixels[size]
  const background = backgroundOf(fields.bg_color, hasBackground)
  const opaque = background.type === 'image' || (background.type === 'color' && background.color.length === 7)
  const zipped = isZip(fields)
  const format = zipped ? 'png' : formatOf(fields.format, !opaque)
  const position = positionOf(fields)
  const margins = marginsOf(fields.crop_margin)
  const opacity = opacityOf(fields.shadow_opacity)
  return {
    subject: type === 'auto' || type === 'person' ? type : 'object',
    ...(box && { box }),
    background: format === 'jpeg' ? onWhite(background) : background,
    format,
    crop: isTrue('crop', fields.crop),
    ...(margins && { margins }),
    shadow: hasShadow(fields),
    ...(opacity !== undefined && { shadowOpacity: opacity }),
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
  if (hasBackground && color) throw new InvalidOption('bg_color', 'not together with a background image')
  if (hasBackground) return { type: 'image' }
  if (!color) return { type: 'transparent' }
  const text = color.trim().toLowerCase().replace(/^#/, '')
  const hex = colourNames[text] ?? (/^[0-9a-f]{3,4}$/.test(text) ? text.replace(/./g, '$&$&') : text)
  if (!/^[0-9a-f]{6}([0-9a-f]{2})?$/.test(hex)) throw new InvalidOption('bg_color', 'hex code or colour name')
  const alpha = hex.slice(6)
  if (alpha === '00') return { type: 'transparent' }
  return { type: 'color', color: `#${alpha === 'ff' ? hex.slice(0, 6) : hex}` }
}

/** One value for all sides, two for top/bottom and left/right, or four from the top clockwise. */
function marginsOf(text = '0'): BackgroundRemovalParams['margins'] {
  const sides = (text.trim() || '0').split(/\s+/).map(marginOf)
  const [top, right = top, bottom = top, left = right] = sides
  if (!top || !right || !bottom || !left || ![1, 2, 4].includes(sides.length))
    throw new InvalidOption('crop_margin', 'one, two or four values, each up to 500px or 50%')
  return { top, right, bottom, left }
}

function marginOf(text: string): SideMargin | undefined {
  const [, amount, unit] = /^(\d+(?:\.\d+)?)(px|%)?$/i.exec(text) ?? []
  if (unit === '%') return Number(amount) / 100 <= maxMargin ? { share: Number(amount) / 100 } : undefined
  return Number(amount) <= maxMarginPixels ? { pixels: Number(amount) } : undefined
}

/** `shadow_type` takes the place of the older `add_shadow`; every type is the tool's one shadow. */
function hasShadow({ add_shadow, shadow_type = '' }: TextFields): boolean {
  const wanted = isTrue('add_shadow', add_shadow)
  const type = shadow_type.trim().toLowerCase()
  if (type === '') return wanted
  if (!shadowTypes.includes(type)) throw new InvalidOption('shadow_type', 'none, auto, drop, 3D or car')
  return type !== 'none'
}

/** Percent; `auto` is the usual one. */
function opacityOf(text = 'auto'): number | undefined {
  const value = text.trim().toLowerCase()
  if (value === 'auto' || value === '') return undefined
  const opacity = Number(/^(\d{1,3}(?:\.\d+)?)%?$/.exec(value)?.[1]) / 100
  if (!(opacity >= 0 && opacity <= 1)) throw new InvalidOption('shadow_opacity', 'auto, or from 0 to 100')
  return opacity
}

/** Value of `X-Type`: people as found, else the type of the request; undefined for `none`. */
export function typeOf(fields: TextFields, isPerson: boolean): string | undefined {
  const { type = 'auto', type_level = '1' } = lowerCase(fields)
  if (type_level === 'none') return undefined
  const found = types[type === 'auto' && isPerson ? 'person' : type]
  return type_level === '1' ? found?.coarse : found?.fine
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
