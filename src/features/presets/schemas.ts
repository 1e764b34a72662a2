import { text, type } from '#shared/schema.ts'
import { officialColours, type PassportPreset, ruleSchema } from '#tools/passport-photo/contract/definition.ts'
import { maxPosition, presetTexts } from './rules.ts'

const upTo = (longest: number) => type('string.trim').to(`string <= ${longest}` as `string <= ${number}`)
const inBoth = (longest: number) => type({ id: text(longest), en: text(longest) })
const inOrder = ({ min = 0, max = Number.POSITIVE_INFINITY }: { min?: number; max?: number }) => min <= max

/** `version` is the one that was read, 0 for a new preset. */
export const presetInput = type({
  name: inBoth(presetTexts.name),
  note: inBoth(presetTexts.note),
  rule: ruleSchema({ type }),
  background: type.enumerated(...(Object.keys(officialColours) as (keyof typeof officialColours)[]), 'birth-year'),
  // A size that explains itself names no source.
  source: { name: upTo(presetTexts.source), 'en?': text(presetTexts.source), date: /^\d{4}(-\d{2}-\d{2})?$/ },
  position: `0 <= number.integer <= ${maxPosition}` as const,
  active: 'boolean = true',
  version: 'number.integer >= 0',
}).narrow(
  ({ rule }, context) =>
    (inOrder(rule.head) || context.reject({ path: ['rule', 'head', 'max'], expected: 'more than the least' })) &&
    (inOrder(rule.eyes) || context.reject({ path: ['rule', 'eyes', 'max'], expected: 'more than the least' })) &&
    (inOrder(rule.kilobytes ?? {}) ||
      context.reject({ path: ['rule', 'kilobytes', 'max'], expected: 'more than the least' })),
)
export type PresetInput = typeof presetInput.infer

export interface AdminPreset extends PassportPreset {
  position: number
  /** Existing results keep it either way. */
  active: boolean
  /** 0 for an unchanged built-in preset. */
  version: number
  /** Newest first; `by` is an admin's id. */
  history: (PassportPreset & { position: number; active: boolean; at: string; by: string | null })[]
}

export interface AdminPresetList {
  items: AdminPreset[]
}

export interface PresetList {
  items: PassportPreset[]
}
