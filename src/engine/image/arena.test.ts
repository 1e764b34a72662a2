import { describe, expect, it } from 'vitest'
import { bytes, doubles, floats, inArena, ints } from './arena.ts'

const overlaps = (a: ArrayBufferView, b: ArrayBufferView): boolean =>
  a.buffer === b.buffer && a.byteOffset < b.byteOffset + b.byteLength && b.byteOffset < a.byteOffset + a.byteLength

describe('the arena', () => {
  it('lends the same memory to one computation after the other', () => {
    const place = () => floats(1000)
    const { buffer, byteOffset } = inArena(place)
    expect(inArena(place)).toMatchObject({ buffer, byteOffset })
  })

  it('lends zeros, whatever was written there before', () => {
    inArena(() => void bytes(100_000).fill(7))
    inArena(() => {
      for (const array of [floats(5000), doubles(5000), ints(5000), bytes(5001), floats(1)]) {
        expect(array.every((value) => value === 0)).toBe(true)
      }
    })
  })

  it('lends nothing twice at the same time, not even to computations inside others', () => {
    inArena(() => {
      const lent: ArrayBufferView[] = [bytes(3), floats(5), bytes(1), doubles(700_000), ints(700_000), floats(900_000)]
      inArena(() => lent.push(floats(100), ints(2_000_000)))
      const inner = lent.splice(-2)
      for (const [i, one] of lent.entries()) {
        for (const other of [...lent.slice(0, i), ...inner]) expect(overlaps(one, other)).toBe(false)
      }
    })
  })

  it('takes back what an inner computation was lent, and keeps what the outer one has', () => {
    inArena(() => {
      const outer = floats(100).fill(1)
      const first = inArena(() => floats(100).fill(2))
      const second = inArena(() => floats(100).fill(3))
      expect(second.byteOffset).toBe(first.byteOffset)
      expect(outer.every((value) => value === 1)).toBe(true)
    })
  })

  it('takes memory back when a computation fails', () => {
    const { byteOffset } = inArena(() => floats(10))
    expect(() =>
      inArena(() => {
        floats(100)
        throw new Error('no')
      }),
    ).toThrow('no')
    expect(inArena(() => floats(10)).byteOffset).toBe(byteOffset)
  })

  it('gives arrays memory of their own outside of computations, and where they are larger than a block', () => {
    expect(floats(10).buffer.byteLength).toBe(40)
    expect(inArena(() => bytes(20 << 20)).buffer.byteLength).toBe(20 << 20)
    expect(floats(10).buffer).not.toBe(inArena(() => floats(10)).buffer)
  })
})
