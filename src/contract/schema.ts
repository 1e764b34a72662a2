import './schema-config.ts'
import { type as now, scope, type Type } from 'arktype'
import { lazySchema } from './deferred-schema.ts'

/**
 * ArkType's `type` with lazy, interpreted schemas. Most of them only describe responses; creating
 * all of them with compiled functions takes a third of the server's start.
 */
export const type = /* @__PURE__ */ Object.assign(lazySchema(now), {
  errors: now.errors,
  number: now.number,
  enumerated: lazySchema(now.enumerated),
  Record: lazySchema(now.Record),
}) as unknown as typeof now

/** A non-empty text without surrounding spaces. */
export const text = <const Longest extends number>(longest: Longest) =>
  type('string.trim').to(`1 <= string <= ${longest}` as `1 <= string <= ${number}`)

let compiling: typeof now | undefined

/**
 * The same schema, compiled. Input validation needs it: only compiled unions report problems at the
 * fields of the intended branch.
 */
export const inputSchema = /* @__PURE__ */ lazySchema((schema: unknown) => {
  compiling ??= scope({}, { jitless: false }).type
  return compiling(withoutUndeclared(schema as Type) as never)
}) as <Schema>(schema: Schema) => Schema

function withoutUndeclared(schema: Type): unknown {
  return schema.internal.transform((kind, inner) =>
    kind === 'structure' && !('undeclared' in inner) ? { ...inner, undeclared: 'delete' } : inner,
  )
}
