import type { PassportPreset } from '#tools/passport-photo/contract/definition.ts'
import type * as schemas from './schemas.ts'

export type PresetInput = typeof schemas.presetInput.infer

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
