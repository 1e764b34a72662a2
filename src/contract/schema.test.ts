import { describe, expect, it } from 'vitest'
import { compiled, text, type } from './schema.ts'

describe('schemas that are made when they are first used', () => {
  const size = type({ width: 'number.integer > 0', 'height?': 'number.integer > 0' })
  const list = type({
    sizes: size.array().atMostLength(2),
    kind: type.enumerated('photo', 'video').default('photo'),
    names: type.Record('string', text(5)),
    'first?': size.or('null'),
  })

  it('take, fill in and refuse as those that are made at once', () => {
    expect(list({ sizes: [{ width: 3 }], names: { a: ' b ' } })).toEqual({
      sizes: [{ width: 3 }],
      kind: 'photo',
      names: { a: 'b' },
    })
    for (const schema of [list, compiled(list)]) {
      const refused = schema({ sizes: [{ width: 0 }], names: {}, first: null })
      expect(refused).toBeInstanceOf(type.errors)
      expect((refused as InstanceType<typeof type.errors>)[0]?.path.join('.')).toBe('sizes.0.width')
    }
  })

  it('answer for themselves by the standard’s interface and in JSON Schema', () => {
    expect(list['~standard'].validate({ sizes: [], names: {} })).toMatchObject({ value: { kind: 'photo' } })
    expect(size.in.toJsonSchema()).toMatchObject({ type: 'object', required: ['width'] })
    expect(size.array().in.toJsonSchema()).toMatchObject({ type: 'array', items: { required: ['width'] } })
  })

  it('throw for a definition that is wrong, at the first use', () => {
    const wrong = type({ width: 'numbre' } as never)
    expect(() => wrong({ width: 1 } as never)).toThrow('numbre')
  })
})
