import { describe, expect, it } from 'vitest'
import { inputSchema, text, type } from './schema.ts'

describe('lazy schemas', () => {
  const size = type({ width: 'number.integer > 0', 'height?': 'number.integer > 0' })
  const list = type({
    sizes: size.array().atMostLength(2),
    kind: type.enumerated('photo', 'video').default('photo'),
    names: type.Record('string', text(5)),
    'first?': size.or('null'),
  })

  it('accept, fill in defaults and reject like eager schemas', () => {
    expect(list({ sizes: [{ width: 3 }], names: { a: ' b ' } })).toEqual({
      sizes: [{ width: 3 }],
      kind: 'photo',
      names: { a: 'b' },
    })
    for (const schema of [list, inputSchema(list)]) {
      const refused = schema({ sizes: [{ width: 0 }], names: {}, first: null })
      expect(refused).toBeInstanceOf(type.errors)
      expect((refused as InstanceType<typeof type.errors>)[0]?.path.join('.')).toBe('sizes.0.width')
    }
  })

  it('implement the Standard Schema interface and JSON Schema', () => {
    expect(list['~standard'].validate({ sizes: [], names: {} })).toMatchObject({ value: { kind: 'photo' } })
    expect(size.in.toJsonSchema()).toMatchObject({ type: 'object', required: ['width'] })
    expect(size.array().in.toJsonSchema()).toMatchObject({ type: 'array', items: { required: ['width'] } })
  })

  it('throw for an invalid definition at first use', () => {
    const wrong = type({ width: 'numbre' } as never)
    expect(() => wrong({ width: 1 } as never)).toThrow('numbre')
  })
})

describe('input schemas', () => {
  const moved = type({ kind: "'moved'", by: { x: 'number' } })
  const input = inputSchema(
    type({
      name: text(20),
      tags: type({ word: 'string' }).array(),
      'place?': type({ street: 'string', 'door?': { number: 'number' } }).or('null'),
      step: moved.or({ kind: "'stopped'", after: 'number' }),
      named: type.Record('string', type({ count: 'number' })),
      active: 'boolean = true',
      'code?': type('string').pipe((written) => written.toUpperCase()),
      'options?': 'object',
    }).narrow(() => true),
  )
  const declared = {
    name: 'Sari',
    tags: [{ word: 'a' }, { word: 'b' }],
    place: { street: 'Melati', door: { number: 4 } },
    step: { kind: 'moved', by: { x: 1 } },
    named: { first: { count: 1 } },
    active: false,
    code: 'x',
    options: {},
  }
  const injected = '"userId":"x","role":"admin","__proto__":{"userId":"x"},"constructor":{"prototype":{"admin":true}}'
  /** Adds undeclared keys before and behind those of every object. */
  const withInjected = (value: unknown): string => {
    if (Array.isArray(value)) return `[${value.map(withInjected)}]`
    if (typeof value !== 'object' || value === null) return JSON.stringify(value)
    const own = Object.entries(value).map(([key, part]) => `${JSON.stringify(key)}:${withInjected(part)}`)
    return `{${[injected, ...own, '"id":"y"']}}`
  }

  it('remove undeclared keys from objects at any depth', () => {
    const { named, options: _, ...closed } = declared
    const given = JSON.parse(withInjected(closed)) as object
    const first = JSON.parse(withInjected(named.first)) as object
    expect(input({ ...given, named: { first } } as never)).toEqual({ ...closed, named, code: 'X' })
    const stopped = { kind: 'stopped', after: 2 }
    const step = JSON.parse(withInjected(stopped)) as object
    expect(input({ ...declared, step, place: null } as never)).toEqual({
      ...declared,
      code: 'X',
      step: stopped,
      place: null,
    })
  })

  it('do not modify their input', () => {
    const given = { ...structuredClone(declared), userId: 'x' }
    input(given as never)
    expect(given).toEqual({ ...declared, userId: 'x' })
  })

  it('keep the keys of an object that declares none', () => {
    expect(input({ ...declared, options: { any: { userId: 'x' } } } as never)).toMatchObject({
      options: { any: { userId: 'x' } },
    })
  })

  it('refuse undeclared keys where a schema requires it, at any depth', () => {
    const strict = inputSchema(type({ '+': 'reject', a: 'string', 'b?': { '+': 'reject', c: 'string' } }))
    expect(strict({ a: 'x', b: { c: 'y' } })).toEqual({ a: 'x', b: { c: 'y' } })
    expect(strict({ a: 'x', d: 1 } as never)).toBeInstanceOf(type.errors)
    expect(strict({ a: 'x', b: { c: 'y', d: 1 } } as never)).toBeInstanceOf(type.errors)
  })

  it('throw for a union whose branches accept the same object, because declared keys are then ambiguous', () => {
    const ambiguous = inputSchema(type({ upload: 'string' }).or({ file: 'string' }))
    expect(() => ambiguous({ upload: 'x' })).toThrow('indeterminate')
    const exact = inputSchema(type({ '+': 'reject', upload: 'string' }).or({ '+': 'reject', file: 'string' }))
    expect(exact({ file: 'x' })).toEqual({ file: 'x' })
    expect(exact({ upload: 'x', file: 'x' } as never)).toBeInstanceOf(type.errors)
  })
})
