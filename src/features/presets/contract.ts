import { type } from '#contract/schema.ts'
import type { PassportPreset } from '#tools/passport-photo/contract/definition.ts'
import { officialColours } from '#tools/passport-photo/contract/definition.ts'
import { ruleSchema } from '#tools/passport-photo/contract/schema.ts'

const text = (longest: number) => type('string.trim').to(`1 <= string <= ${longest}` as '1 <= string <= 60')
const inBoth = (longest: number) => type({ id: text(longest), en: text(longest) })
const inOrder = ({ min = 0, max = Number.POSITIVE_INFINITY }: { min?: number; max?: number }) => min <= max

/**
 * PUT /api/admin/passport_presets/{id}: a preset as it is from now on. `version` is the one that
 * was read, 0 for a new one.
 */
export const presetInput = /* @__PURE__ */ type({
  name: inBoth(60),
  note: inBoth(300),
  rule: ruleSchema,
  background: type.enumerated(...(Object.keys(officialColours) as (keyof typeof officialColours)[]), 'birth-year'),
  source: { name: text(120), date: /^\d{4}(-\d{2}-\d{2})?$/ },
  position: '0 <= number.integer <= 1000',
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

/** What ids of presets look like. `own` and `this` mean something else in parameters. */
export const presetId = /^(?!(?:own|this)$)[a-z0-9-]{1,40}$/

/** A preset as admins see it. */
export interface AdminPreset extends PassportPreset {
  position: number
  /** Whether people can choose it; results that were made by it keep it either way. */
  active: boolean
  /** 0 as long as it is the one that comes with the program. */
  version: number
  /** What it was before, the newest first; `by` is an admin's id. */
  history: (PassportPreset & { position: number; active: boolean; at: string; by: string | null })[]
}

/** GET /api/admin/passport_presets */
export interface AdminPresetList {
  items: AdminPreset[]
}

/**
 * GET /api/passport_presets: those that people can choose, in the order in which they are offered.
 */
export interface PresetList {
  items: PassportPreset[]
}
