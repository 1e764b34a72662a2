import type { AdminPreset, PresetInput } from '#features/presets/types.ts'
import type { PassportPreset, PassportRule } from '#tools/passport-photo/contract/definition.ts'

/** A preset as the fields of its form hold it: shares are percent, and every number is text. */
export interface PresetFields {
  id: string
  nameId: string
  nameEn: string
  noteId: string
  noteEn: string
  width: string
  height: string
  unit: PassportRule['unit']
  dpi: string
  headMin: string
  headMax: string
  eyesMin: string
  eyesMax: string
  kbMin: string
  kbMax: string
  background: PassportPreset['background']
  sourceName: string
  sourceDate: string
  position: string
  active: boolean
}

const percent = (share: number) => String(Math.round(1000 * share) / 10)

export function fieldsOf(preset: AdminPreset | null, position: number): PresetFields {
  const { rule } = preset ?? {}
  return {
    id: preset?.id ?? '',
    nameId: preset?.name.id ?? '',
    nameEn: preset?.name.en ?? '',
    noteId: preset?.note.id ?? '',
    noteEn: preset?.note.en ?? '',
    width: String(rule?.width ?? 40),
    height: String(rule?.height ?? 60),
    unit: rule?.unit ?? 'mm',
    dpi: String(rule?.dpi ?? 300),
    headMin: percent(rule?.head.min ?? 0.46),
    headMax: percent(rule?.head.max ?? 0.58),
    eyesMin: percent(rule?.eyes.min ?? 0.54),
    eyesMax: percent(rule?.eyes.max ?? 0.7),
    kbMin: String(rule?.kilobytes?.min ?? ''),
    kbMax: String(rule?.kilobytes?.max ?? ''),
    background: preset?.background ?? 'red',
    sourceName: preset?.source.name ?? '',
    sourceDate: preset?.source.date ?? '',
    position: String(preset?.position ?? position),
    active: preset?.active ?? true,
  }
}

/**
 * What somebody typed, with a decimal comma or point; null where it is no number, which the server
 * then refuses.
 */
const numberOf = (text: string): number => {
  const value = Number(text.trim().replace(',', '.'))
  return (text.trim() === '' || Number.isNaN(value) ? null : value) as number
}

/** Shares keep what they were when nobody changed them: 25/51 is not 49 percent. */
const shareOf = (text: string, before: number | undefined): number => {
  if (before !== undefined && percent(before) === text.trim()) return before
  const value = numberOf(text)
  return (value === null ? null : value / 100) as number
}

export function ruleOf(fields: PresetFields, before: PassportRule | undefined): PassportRule {
  const { kbMin, kbMax } = fields
  return {
    width: numberOf(fields.width),
    height: numberOf(fields.height),
    unit: fields.unit,
    dpi: numberOf(fields.dpi),
    head: { min: shareOf(fields.headMin, before?.head.min), max: shareOf(fields.headMax, before?.head.max) },
    eyes: { min: shareOf(fields.eyesMin, before?.eyes.min), max: shareOf(fields.eyesMax, before?.eyes.max) },
    ...((kbMin.trim() !== '' || kbMax.trim() !== '') && {
      kilobytes: {
        ...(kbMin.trim() !== '' && { min: numberOf(kbMin) }),
        ...(kbMax.trim() !== '' && { max: numberOf(kbMax) }),
      },
    }),
  }
}

export function presetOf(fields: PresetFields, preset: AdminPreset | null): PresetInput {
  return {
    name: { id: fields.nameId, en: fields.nameEn },
    note: { id: fields.noteId, en: fields.noteEn },
    rule: ruleOf(fields, preset?.rule),
    background: fields.background,
    source: { name: fields.sourceName, date: fields.sourceDate.trim() },
    position: numberOf(fields.position),
    active: fields.active,
    version: preset?.version ?? 0,
  }
}

const within = (value: number, min: number, max: number) => Number.isFinite(value) && value >= min && value <= max

/** Whether a rule can be drawn as it is typed. */
export function isDrawable({ width, height, dpi, head, eyes }: PassportRule): boolean {
  const sides = within(width, 10, 3000) && within(height, 10, 3000) && within(dpi, 72, 600)
  return sides && within(head.min, 0.2, head.max) && head.max <= 0.9 && within(eyes.min, 0.3, eyes.max)
}
