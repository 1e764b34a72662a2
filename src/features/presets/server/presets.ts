import { fillInPresets } from './fill-in-presets.ts'

/** Interface of presets for other features. */
export const presets = { fillIn: fillInPresets }
