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
export function lazySchema(make: Maker) {
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
