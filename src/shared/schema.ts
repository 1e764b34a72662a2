import './schema-config.ts'
import { type as now, scope, type Type } from 'arktype'
import { reasonMaxLength } from './reason.ts'
import { duties, roles } from './roles.ts'

const makers = new WeakMap<object, () => Schema>()

interface Schema {
  (given: unknown): unknown
  [member: PropertyKey]: unknown
  '~standard': { validate(given: unknown): unknown }
}
type Maker = (...definition: never[]) => unknown

/** Methods of a schema that return another schema, which is deferred too. */
const derivingMethods = new Set<PropertyKey>(
  'and array as atLeast atLeastLength atMost atMostLength default describe filter get narrow or pipe to'.split(' '),
)

/** Schemas are created on first use, and an invalid definition throws only then. */
function lazySchema(make: Maker) {
  return (...definition: unknown[]): object => {
    let known: Schema | undefined
    const schema = () => (known ??= make(...(resolveDeferred(definition) as never[])) as Schema)
    const standard = {
      version: 1,
      vendor: 'arktype',
      validate: (given: unknown) => schema()['~standard'].validate(given),
    }
    const deferred = new Proxy(() => {}, {
      apply: (_target, _self, [given]) => schema()(given),
      has: (_target, key) => key in schema(),
      get(_target, key) {
        if (key === '~standard') return standard
        if (derivingMethods.has(key)) return lazySchema((...given) => (schema()[key] as Maker)(...given))
        const member = schema()[key]
        return typeof member === 'function' && !('~standard' in member) ? member.bind(schema()) : member
      },
    })
    makers.set(deferred, schema)
    return deferred
  }
}

/** Resolves deferred schemas inside a definition. */
function resolveDeferred(definition: unknown): unknown {
  const make = typeof definition === 'function' ? makers.get(definition) : undefined
  if (make) return make()
  if (Array.isArray(definition)) return definition.map(resolveDeferred)
  if (definition?.constructor !== Object) return definition
  return Object.fromEntries(Object.entries(definition).map(([key, value]) => [key, resolveDeferred(value)]))
}

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

export const isoDateTime = /* @__PURE__ */ type('string').describe('ISO 8601 in UTC')

/** An account in lists for staff. */
export const personFields = {
  id: 'string',
  name: 'string',
  email: 'string',
  role: /* @__PURE__ */ type.enumerated(...roles),
  duty: /* @__PURE__ */ type.enumerated(...duties).or('null'),
} as const

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

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json | undefined }
