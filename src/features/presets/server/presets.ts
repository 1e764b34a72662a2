import { fillInPresets } from './fill-in-presets.ts'

/** What other features may do with presets. */
export const presets = { fillIn: fillInPresets }
