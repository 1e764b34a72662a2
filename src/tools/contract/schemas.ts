import type { AddedLocation } from '#engine/scenes.ts'
import { type } from '#shared/schema.ts'
import type { Facts, InputSpec } from './tool.ts'

// The app imports only types from here, so that its bundles carry no schema library.

export const whole = 'number.integer >= 0'
export const notice = type({ code: 'string', msg: 'string' })
const box = type({ x: 'number', y: 'number', width: 'number', height: 'number' })
// Typed as `Facts` below: a recursive type is too deep for the schema library.
export const facts = type('object').as<Record<string, unknown>>()

const faceView = type({
  input: 'string',
  position: whole,
  box: box.describe('in pixels of the input'),
  points: type('number[]').as<readonly number[]>().describe('alternating x and y'),
})
const problemView = notice.and({ path: type('string').describe('the parameter or input') })
const checkItemView = notice.and({
  status: "'ok' | 'warning' | 'failed'",
  measured: 'number | null',
  wanted: type({ 'min?': 'number', 'max?': 'number' }).or('null'),
})
/** 200 of POST /api/tools/{tool}/check */
export const photoCheckView = type({
  credits: type(whole).describe('price of the generation'),
  facts: facts.describe("the tool's findings about the inputs"),
  faces: faceView.array(),
  warnings: notice.array(),
  problems: problemView.array(),
  checks: checkItemView.array(),
})
const inputsOfTool = type('object').as<Record<string, Pick<InputSpec, 'kind' | 'min' | 'max'>>>()
/** Item of GET /api/tools */
const toolView = type({
  id: 'string',
  route: 'string',
  enabled: 'boolean',
  message: type({ id: 'string', en: 'string' }).or('null').describe('message by language while the tool is disabled'),
  credits: type(whole).describe('unit price'),
  markRequired: type('boolean').describe('every result carries the visible AI label'),
  inputs: inputsOfTool.describe('kind, min and max of each input by its name, in the order of a form’s files'),
  others: type('string[]').describe(
    'tasks currently done by a model or service before the engine, and selectObject wherever the server does it',
  ),
  remote: type('object')
    .as<Readonly<Record<string, string>>>()
    .describe('provider tasks for which pictures leave this server, with the receiving service'),
  'paramsSchema?': type('object')
    .as<Record<string, unknown>>()
    .describe('JSON Schema of the field params; not with schemas=none'),
})
export const toolList = type({ items: toolView.array() })

export type FaceView = typeof faceView.infer
export type CheckItemView = typeof checkItemView.infer
/** 200 of POST /api/tools/{tool}/check */
export type PhotoCheckView = Omit<typeof photoCheckView.infer, 'facts'> & { facts: Facts }
/** GET /api/tools */
export type ToolView = typeof toolView.infer

/** A location on offer; `picture` is the address of a sample. */
export interface OfferedLocation extends AddedLocation {
  picture: string
}
