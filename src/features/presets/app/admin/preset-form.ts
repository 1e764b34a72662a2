import { parseNumber } from '#client/format.ts'
import type { PassportRule } from '#tools/passport-photo/contract/definition.ts'
import type { AdminPreset, PresetInput } from '../../schemas.ts'

const percent = (share: number | undefined, usual: number) => String(Math.round(1000 * (share ?? usual)) / 10)

/** Shares in percent, every number as text. */
export function fieldsOf(preset: AdminPreset | null, position: number) {
  const { rule } = preset ?? {}
  return {
    id: preset?.id ?? '',
    name: preset?.name ?? { id: '', en: '' },
    note: preset?.note ?? { id: '', en: '' },
    rule: {
      width: String(rule?.width ?? 40),
      height: String(rule?.height ?? 60),
      unit: rule?.unit ?? 'mm',
      dpi: String(rule?.dpi ?? 300),
      head: { min: percent(rule?.head.min, 0.46), max: percent(rule?.head.max, 0.58) },
      eyes: { min: percent(rule?.eyes.min, 0.54), max: percent(rule?.eyes.max, 0.7) },
      kilobytes: { min: String(rule?.kilobytes?.min ?? ''), max: String(rule?.kilobytes?.max ?? '') },
    },
    background: preset?.background ?? 'red',
    source: { en: '', ...(preset?.source ?? { name: '', date: '' }) },
    position: String(preset?.position ?? position),
    active: preset?.active ?? true,
  }
}

type PresetFields = ReturnType<typeof fieldsOf>

interface Range {
  min: number
  max: number
}

/** Unchanged shares keep their exact value: 25/51 is not 49 percent. */
function sharesOf(typed: { min: string; max: string }, before: Range | undefined): Range {
  const share = (end: 'min' | 'max') => {
    if (before && percent(before[end], 0) === typed[end].trim()) return before[end]
    const value = parseNumber(typed[end])
    return typeof value === 'number' ? value / 100 : value
  }
  return { min: share('min'), max: share('max') } as Range
}

/** As typed; the server rejects invalid numbers. */
export function ruleOf({ rule }: PresetFields, before: PassportRule | undefined): PassportRule {
  const { min, max } = { min: parseNumber(rule.kilobytes.min), max: parseNumber(rule.kilobytes.max) }
  const kilobytes = { ...(min !== null && { min }), ...(max !== null && { max }) }
  return {
    width: parseNumber(rule.width),
    height: parseNumber(rule.height),
    unit: rule.unit,
    dpi: parseNumber(rule.dpi),
    head: sharesOf(rule.head, before?.head),
    eyes: sharesOf(rule.eyes, before?.eyes),
    ...(Object.keys(kilobytes).length > 0 && { kilobytes }),
  } as PassportRule
}

export function presetOf(fields: PresetFields, preset: AdminPreset | null): PresetInput {
  const { name, note, background, source, active } = fields
  return {
    name,
    note,
    background,
    active,
    version: preset?.version ?? 0,
    rule: ruleOf(fields, preset?.rule),
    source: { name: source.name, ...(source.en.trim() && { en: source.en }), date: source.date.trim() },
    position: parseNumber(fields.position) as number,
  }
}

const within = (value: number, min: number, max: number) => Number.isFinite(value) && value >= min && value <= max

export function isDrawable({ width, height, dpi, head, eyes }: PassportRule): boolean {
  const sides = within(width, 10, 3000) && within(height, 10, 3000) && within(dpi, 72, 600)
  return sides && within(head.min, 0.2, head.max) && head.max <= 0.9 && within(eyes.min, 0.3, eyes.max)
}
