import { text, type } from '#contract/schema.ts'
import { lookNameMax } from './rules.ts'

const name = text(lookNameMax)
const params = type('object').as<Record<string, unknown>>().describe('options of the tool by their names')

/** PUT /api/user/looks */
export const lookInput = type({ tool: 'string <= 100', name, params })
/** PATCH /api/user/looks/{id} */
export const renameInput = type({ name })

/** One of GET /api/user/looks */
export const lookView = type({ id: 'string', tool: 'string', name: 'string', params })
export const lookList = type({ items: lookView.array() })
