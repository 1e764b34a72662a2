import type { PassportPreset } from '#tools/passport-photo/contract/definition.ts'
import type * as schemas from './schemas.ts'

export type PresetInput = typeof schemas.presetInput.infer

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
