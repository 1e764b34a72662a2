import type { ImageFormat, Stroke } from '#shared/media.ts'
import type { SchemaParts } from '#tools/contract/define.ts'
import { type InputSpecs, onePicture, type TaskSpecs, type ToolDefinition } from '#tools/contract/tool.ts'

/** Each colour survives JPEG encoding exactly. */
export const officialColours = { red: '#DB1514', blue: '#0090FF', orange: '#FF8A00', white: '#FFFFFF' } as const
type OfficialColour = keyof typeof officialColours

export interface Range {
  min: number
  max: number
}

/** A generation stores its rule, so that later changes of a preset change no photo. */
export interface PassportRule {
  width: number
  height: number
  unit: 'mm' | 'px'
  /** Dots per inch: converts millimetres to pixels and is written into the file. */
  dpi: number
  /** Chin to crown, hair included, as a share of the photo's height. */
  head: Range
  /** Lower edge to the line of the eyes, as a share of the photo's height. */
  eyes: Range
  kilobytes?: Partial<Range>
}

/** Names and notes are data, edited by admins in both languages. */
export interface PassportPreset {
  id: string
  name: { id: string; en: string }
  note: { id: string; en: string }
  rule: PassportRule
  background: OfficialColour | 'birth-year'
  forbidsGlasses?: boolean
  /** English name if different; a year or ISO date. */
  source: { name: string; en?: string; date: string }
}

/** An official colour, the one for a year of birth, or a custom colour. */
export type PassportBackground =
  | { type: 'red' | 'blue' | 'orange' | 'white' }
  | { type: 'birth-year'; year: number; foreigner: boolean }
  | { type: 'color'; color: string }

/** Shares of the photo's height, dots per inch, kilobytes, and sides by unit. */
export const ruleLimits = {
  mm: { width: { min: 10, max: 210 }, height: { min: 10, max: 297 } },
  px: { width: { min: 60, max: 3000 }, height: { min: 60, max: 3000 } },
  dpi: { min: 72, max: 600 },
  head: { min: 0.2, max: 0.9 },
  eyes: { min: 0.3, max: 0.85 },
  leastKilobytes: { min: 1, max: 2000 },
  mostKilobytes: { min: 10, max: 5000 },
} as const satisfies Record<string, Range | Record<'width' | 'height', Range>>

export const birthYears = { min: 1900, max: 2100 } as const

const papers = ['4r', 'a4'] as const
export type Paper = (typeof papers)[number]

/**
 * `this` is the photo itself, all others are presets, with their rule where known; 0 fills the
 * remaining space.
 */
export interface PrintedPhotos {
  preset: string
  rule?: PassportRule
  count: number
}

export interface PrintSheet {
  paper: Paper
  file: 'jpeg' | 'pdf'
  photos: readonly PrintedPhotos[]
  cutMarks: boolean
}

/** Put on by a provider; `own` keeps those of the photograph. */
const outfits = ['own', 'shirt', 'suit', 'hijab'] as const
export type Outfit = (typeof outfits)[number]

export interface PassportPhotoParams {
  outfit: Outfit

  /** Id of a preset, or `own`. */
  preset: string
  /** For `own` and for presets of the operator; absent: the built-in preset's. */
  rule?: PassportRule
  background: PassportBackground
  format: ImageFormat
  sheets: readonly PrintSheet[]
  /** In pixels of the upright input. */
  strokes: readonly Stroke[]
}

const inputs = {
  picture: onePicture,
} as const satisfies InputSpecs
export type PassportPhotoInputs = typeof inputs

const tasks = { safe: 'safety', dressed: 'outfit' } as const satisfies TaskSpecs
export type PassportPhotoTasks = typeof tasks

/** Everything but the photograph and the outfit can be changed for free. */
export const passportPhoto: ToolDefinition<
  PassportPhotoParams,
  PassportPhotoInputs,
  'passport-photo',
  PassportPhotoTasks
> = {
  id: 'passport-photo',
  route: '/passport-photo',
  label: /*i18n*/ { id: 'tool.passport-photo', message: 'Pasfoto' },
  inputs,
  defaults: { outfit: 'own', preset: '4x6', background: { type: 'red' }, format: 'jpeg', sheets: [], strokes: [] },
  renderParams: ['preset', 'rule', 'background', 'format', 'sheets', 'strokes'],
  pictureParams: ['strokes'],
  presets: { kind: 'passport', fillIn: fillInRules },
  previewParams: { outfit: 'own' },
  batch: { input: 'picture', max: 20 },
  tasks,
  needs: ({ outfit }) => (outfit === 'own' ? [] : ['outfit']),
  needsConsent: 'biometric',
  checksPhotos: true,
  problems: ({ rule }) =>
    rule && (rule.head.min > rule.head.max || rule.eyes.min > rule.eyes.max)
      ? [{ path: 'rule', code: 'form.invalid' }]
      : [],
  price: (unit, { outfit }) => (outfit === 'own' ? unit : 2 * unit),
  timeLimit: () => 60,
  defaultUnitPrice: 10,
}

function fillInRules(
  { preset, rule, sheets, ...rest }: Partial<PassportPhotoParams>,
  keptRule: (preset: string) => unknown,
): Partial<PassportPhotoParams> {
  const ruleOf = (name: unknown) =>
    typeof name === 'string' ? (keptRule(name) as PassportRule | undefined) : undefined
  const own = rule ?? ruleOf(preset)
  const withRule = (photo: PrintedPhotos): PrintedPhotos => {
    const found = photo?.rule ?? ruleOf(photo?.preset)
    return found ? { ...photo, rule: found } : photo
  }
  const filled = Array.isArray(sheets)
    ? sheets.map((sheet) => (Array.isArray(sheet?.photos) ? { ...sheet, photos: sheet.photos.map(withRule) } : sheet))
    : sheets
  return {
    ...rest,
    ...(preset !== undefined && { preset }),
    ...(own && { rule: own }),
    ...(filled !== undefined && { sheets: filled }),
  }
}

const within = ({ min, max }: Range) => `${min} <= number <= ${max}` as const
const wholeWithin = ({ min, max }: Range) => `${min} <= number.integer <= ${max}` as const
const rangeWithin = (limits: Range) => ({ '+': 'reject', min: within(limits), max: within(limits) }) as const

export const ruleSchema = ({ type }: Pick<SchemaParts, 'type'>) => {
  const anyUnit = {
    '+': 'reject',
    dpi: wholeWithin(ruleLimits.dpi),
    head: rangeWithin(ruleLimits.head),
    eyes: rangeWithin(ruleLimits.eyes),
    'kilobytes?': {
      '+': 'reject',
      'min?': within(ruleLimits.leastKilobytes),
      'max?': within(ruleLimits.mostKilobytes),
    },
  } as const
  return type({
    ...anyUnit,
    unit: "'mm'",
    width: within(ruleLimits.mm.width),
    height: within(ruleLimits.mm.height),
  }).or({
    ...anyUnit,
    unit: "'px'",
    width: wholeWithin(ruleLimits.px.width),
    height: wholeWithin(ruleLimits.px.height),
  })
}

export const passportPhotoOptions = (parts: SchemaParts) => {
  const { type, strokes } = parts
  const rule = ruleSchema(parts)
  return type({
    '+': 'reject',
    outfit: type.enumerated(...outfits).default('own'),
    preset: type(/^[a-z0-9-]{1,40}$/).default('4x6'),
    'rule?': rule,
    background: type({ '+': 'reject', type: "'red' | 'blue' | 'orange' | 'white'" })
      .or({ '+': 'reject', type: "'birth-year'", year: wholeWithin(birthYears), foreigner: 'boolean = false' })
      .or({ '+': 'reject', type: "'color'", color: /^#[0-9a-fA-F]{6}$/ })
      .default(() => ({ type: 'red' as const })),
    format: "'png' | 'webp' | 'jpeg' = 'jpeg'",
    sheets: type({
      '+': 'reject',
      paper: type.enumerated(...papers),
      file: "'jpeg' | 'pdf' = 'jpeg'",
      photos: type({
        '+': 'reject',
        preset: /^[a-z0-9-]{1,40}$/,
        'rule?': rule,
        count: '0 <= number.integer <= 60',
      })
        .array()
        .atLeastLength(1)
        .atMostLength(6),
      cutMarks: 'boolean = true',
    })
      .array()
      .atMostLength(4)
      .default(() => []),
    strokes,
  })
}

/** Pixels. */
export function photoSize({ width, height, unit, dpi }: PassportRule): { width: number; height: number } {
  const scale = unit === 'mm' ? dpi / 25.4 : 1
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) }
}

export function printSize({ width, height, unit, dpi }: PassportRule): { width: number; height: number } {
  const scale = unit === 'mm' ? 1 : 25.4 / dpi
  return { width: width * scale, height: height * scale }
}

/** Identity card: red for odd years of birth, blue for even ones, orange for foreigners. */
export function birthYearColour(year: number, foreigner: boolean): OfficialColour {
  if (foreigner) return 'orange'
  return year % 2 === 0 ? 'blue' : 'red'
}

/** `#rrggbb` */
export function backgroundColour(background: PassportBackground): string {
  if (background.type === 'color') return background.color
  if (background.type === 'birth-year') return officialColours[birthYearColour(background.year, background.foreigner)]
  return officialColours[background.type]
}
