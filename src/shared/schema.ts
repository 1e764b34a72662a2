import './schema-config.ts'
import { type as now, scope, type Type } from 'arktype'
import { lazySchema } from './lazy-schema.ts'
import { reasonMaxLength } from './reason.ts'

/**
 * ArkType's `type`, lazy and interpreted: creating all schemas with compiled functions takes a
 * third of the server's start, although most only describe responses.
 */
export const type = /* @__PURE__ */ Object.assign(lazySchema(now), {
  errors: now.errors,
  number: now.number,
  enumerated: lazySchema(now.enumerated),
  Record: lazySchema(now.Record),
}) as unknown as typeof now

/** Not empty, without surrounding spaces. */
export const text = <const Longest extends number>(longest: Longest) =>
  type('string.trim').to(`1 <= string <= ${longest}` as `1 <= string <= ${number}`)

export const reason = text(reasonMaxLength)

let compiling: typeof now | undefined

/** Compiled, because only compiled unions report problems at the fields of the intended branch. */
export const inputSchema = /* @__PURE__ */ lazySchema((schema: unknown) => {
  compiling ??= scope({}, { jitless: false }).type
  return compiling(withoutUndeclared(schema as Type) as never)
}) as <Schema>(schema: Schema) => Schema

function withoutUndeclared(schema: Type): unknown {
  return schema.internal.transform((kind, inner) =>
    kind === 'structure' && !('undeclared' in inner) ? { ...inner, undeclared: 'delete' } : inner,
  )
}
