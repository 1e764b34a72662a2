import './schema-config.ts'
import { type as now, scope } from 'arktype'
import { deferring } from './deferred-schema.ts'

/**
 * ArkType's `type`, whose schemas are made when they are first used, and interpreted. Most of them
 * describe responses and check nothing; making all of them, each part with a function of its own,
 * is a third of the time in which a server starts.
 */
export const type = /* @__PURE__ */ Object.assign(deferring(now), {
  errors: now.errors,
  number: now.number,
  enumerated: deferring(now.enumerated),
  Record: deferring(now.Record),
}) as unknown as typeof now

/** A text that is not empty, without spaces around it. */
export const text = <const Longest extends number>(longest: Longest) =>
  type('string.trim').to(`1 <= string <= ${longest}` as `1 <= string <= ${number}`)

let compiling: typeof now | undefined

/**
 * The same schema with a function of its own. What checks people's input needs it: only then do the
 * problems of a union lie at the fields of the branch that was meant.
 */
export const compiled = /* @__PURE__ */ deferring((schema: unknown) => {
  compiling ??= scope({}, { jitless: false }).type
  return compiling(schema as never)
}) as <Schema>(schema: Schema) => Schema
