import type { PassportPreset } from '#tools/passport-photo/contract/definition.ts'
import type * as schemas from './schemas.ts'

export type PresetInput = typeof schemas.presetInput.infer

/** A preset as admins see it. */
export interface AdminPreset extends PassportPreset {
  position: number
  /** True if users can choose it; existing results keep it either way. */
  active: boolean
  /** 0 for an unchanged built-in preset. */
  version: number
  /** Earlier versions, newest first; `by` is an admin's id. */
  history: (PassportPreset & { position: number; active: boolean; at: string; by: string | null })[]
}

/** GET /api/admin/passport_presets */
export interface AdminPresetList {
  items: AdminPreset[]
}

/** GET /api/passport_presets: available presets in display order. */
export interface PresetList {
  items: PassportPreset[]
}
