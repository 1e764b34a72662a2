import type { type as Types } from 'arktype'
import { addedLocationPattern } from '#engine/scenes.ts'
import { inputSchema, type } from '#shared/schema.ts'
import { logoLimits, logoPositions } from './logo.ts'
import type { InputSpecs, TaskSpecs, ToolContract, ToolDefinition } from './tool.ts'

/** Points of one stroke (two numbers each), and in total. */
const maxStrokes = { count: 200, points: 4000, total: 20_000 } as const

const stroke = type({
  '+': 'reject',
  mode: "'keep' | 'erase'",
  shape: "'line' | 'area' = 'line'",
  size: '1 <= number <= 8192',
  points: type('(-16384 <= number <= 16384)[]').narrow(
    ({ length }, context) =>
      (length >= 2 && length % 2 === 0 && length <= 2 * maxStrokes.points) ||
      context.mustBe(`x and y by turns, at most ${maxStrokes.points} points`),
  ),
  'subject?': '0 <= number.integer < 100',
})

/** Defaults to none. */
const strokes = stroke
  .array()
  .narrow(
    (given, context) =>
      (given.length <= maxStrokes.count &&
        given.reduce((sum, { points }) => sum + points.length, 0) <= 2 * maxStrokes.total) ||
      context.mustBe(`at most ${maxStrokes.count} strokes with ${maxStrokes.total} points`),
  )
  .default(() => [])

const { size, margin, opacity } = logoLimits

const logo = type({
  '+': 'reject',
  place: type.enumerated(...logoPositions),
  size: type.number.atLeast(size.min).atMost(size.max),
  margin: type.number.atLeast(margin.min).atMost(margin.max),
  opacity: type.number.atLeast(opacity.min).atMost(opacity.max),
})
  .or('null')
  .default(null)

const addedLocationId = type(addedLocationPattern)

/** Filled in by the server; whatever a client sends is replaced. */
const addedLocations = type({
  '+': 'reject',
  id: addedLocationId,
  version: 'number.integer >= 1',
  name: { '+': 'reject', id: 'string <= 60', en: 'string <= 60' },
  words: type('string <= 60').array().atMostLength(100),
  kind: "'probe' | 'photo'",
  exposure: '-4 <= number <= 4',
})
  .array()
  .atMostLength(40)

/** Handed to a tool's options: its definition must not load the schema library into the app. */
const schemaParts = { type, strokes, logo, addedLocationId, addedLocations }
export type SchemaParts = typeof schemaParts

const maxProblems = 10

/** Does not repeat the submitted value. */
function asProblem({ path, code }: { path: readonly PropertyKey[]; code: string }): [string, string] {
  const name = path.map(String).join('.').slice(0, 100) || 'params'
  return [name, code === 'required' ? 'form.required' : 'form.invalid']
}

/** The schema of the options must accept `{}` and then yield the definition's defaults. */
export function defineTool<Params, const Inputs extends InputSpecs, Id extends string, Tasks extends TaskSpecs>(
  definition: ToolDefinition<Params, Inputs, Id, Tasks>,
  options: (parts: SchemaParts) => Types.Any,
): ToolContract<Params, Inputs, Id, Tasks> {
  const paramsSchema = options(schemaParts)
  let check: Types.Any | undefined
  return {
    ...definition,
    paramsSchema,
    parseParams(value) {
      check ??= inputSchema(paramsSchema)
      const params = check(value)
      if (params instanceof type.errors) {
        return {
          ok: false,
          problems: Object.fromEntries(params.slice(0, maxProblems).map(asProblem)),
        }
      }
      return { ok: true, params: params as Params }
    },
  }
}
