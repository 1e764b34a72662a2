import './schema-config.ts'
import { type as now, scope, type Type } from 'arktype'
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
 * The schema as requests are checked by it. Undeclared keys are removed from every object in it
 * that does not refuse them (`'+': 'reject'`), so that a client of another version goes on working
 * and no request can overwrite a value of the server. An object type without declared keys, such as
 * a tool's parameters, keeps all of its keys.
 *
 * Compiled to a function of its own: only then do the problems of a union lie at the fields of the
 * branch that was meant. Branches of a union that accept the same object have to refuse undeclared
 * keys: ArkType throws at the first use when it cannot tell what to remove.
 */
export const inputSchema = /* @__PURE__ */ deferring((schema: unknown) => {
  compiling ??= scope({}, { jitless: false }).type
  return compiling(withoutUndeclared(schema as Type) as never)
}) as <Schema>(schema: Schema) => Schema

function withoutUndeclared(schema: Type): unknown {
  return schema.internal.transform((kind, inner) =>
    kind === 'structure' && !('undeclared' in inner) ? { ...inner, undeclared: 'delete' } : inner,
  )
}
