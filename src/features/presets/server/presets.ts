import { fillInPresets } from './fill-in-presets.ts'

export const presets = { fillIn: fillInPresets }
