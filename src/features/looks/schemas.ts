import { text, type } from '#shared/schema.ts'
import { logoMaxCharacters, lookNameMax } from './rules.ts'

const name = text(lookNameMax)
const params = type('object').as<Record<string, unknown>>().describe('tool options by name')

export const lookInput = type({ tool: 'string <= 100', name, params })
export type LookInput = typeof lookInput.infer
export const renameInput = type({ name })

const png = type(/^data:image\/png;base64,[A-Za-z0-9+/]+={0,2}$/).and(`string <= ${logoMaxCharacters}`)
export const logoInput = type({ picture: png.describe('a PNG as a data URL') })
export const logoView = type({ picture: type('string | null').describe('a PNG as a data URL; null without one') })
export type LogoView = typeof logoView.infer

export const lookView = type({ id: 'string', tool: 'string', name: 'string', params })
export type LookView = typeof lookView.infer
export const lookList = type({ items: lookView.array() })
export type LookList = typeof lookList.infer
