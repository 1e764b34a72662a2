import { scope } from 'arktype'

const interpreted = () => scope({}, { jitless: true }).type

/**
 * ArkType's `type`, whose schemas are interpreted. Most of them describe responses and check
 * nothing; writing a function for each, and for each of their parts, as ArkType does by itself, is
 * a fifth of the time in which a server starts.
 */
export const type = /* @__PURE__ */ interpreted()

/** A text that is not empty, without spaces around it. */
export const text = <const Longest extends number>(longest: Longest) =>
  type('string.trim').to(`1 <= string <= ${longest}` as `1 <= string <= ${number}`)

let compiling: typeof type | undefined

/**
 * The same schema with a function of its own. What checks people's input needs it: only then do the
 * problems of a union lie at the fields of the branch that was meant.
 */
export function compiled<Schema>(schema: Schema): Schema {
  compiling ??= scope({}, { jitless: false }).type
  return compiling(schema as never) as Schema
}
