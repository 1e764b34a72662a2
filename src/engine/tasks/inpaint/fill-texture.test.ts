import { expect, test } from 'vitest'
import { createRandom } from '#engine/image/random.ts'
import { hideSeam } from './fill-texture.ts'
import { buildPyramid, channels, type PyramidLevel } from './pyramid.ts'

const size = 120
const half = 30
const objectHalf = 12
const lighter = 15

function seam(): { finest: PyramidLevel; proposed: (i: number) => number[] } {
  const random = createRandom(3)
  const pixels = new Uint8Array(size * size * channels)
  const hole = new Uint8Array(size * size)
  const ground = Array.from({ length: size * size }, () => 80 + random(40))
  for (let i = 0; i < hole.length; i++) {
    const [x, y] = [(i % size) - size / 2, Math.floor(i / size) - size / 2]
    const own = ground[i] as number
    const inside = Math.max(Math.abs(x), Math.abs(y)) < half
    if (inside) hole[i] = 1
    const light = own + (inside ? 0 : lighter)
    pixels.set(!inside && y > 0 && Math.abs(x) < objectHalf ? [40, 60, 250, 0] : [light, light, light, 0], channels * i)
  }
  const [finest] = buildPyramid({ width: size, height: size, pixels, hole }) as [PyramidLevel]
  const margin = (finest.width - size) / 2
  const proposed = (i: number): number[] => {
    const own = ground[(Math.floor(i / finest.width) - margin) * size + (i % finest.width) - margin] as number
    return [own, own, own]
  }
  return { finest, proposed }
}

function meanChange(): readonly [red: number, blue: number] {
  const { finest, proposed } = seam()
  const before = finest.pixels.slice()
  hideSeam(finest, (i, out) => out.set(proposed(i)))
  const filled = [...finest.hole.keys()].filter((i) => finest.hole[i] === 1)
  const change = (c: number) =>
    filled.reduce(
      (sum, i) => sum + (finest.pixels[channels * i + c] as number) - (before[channels * i + c] as number),
      0,
    )
  return [change(0) / filled.length, change(2) / filled.length]
}

test('light continues into a hole, and the colour of an object that ends at its border does not', () => {
  const [red, blue] = meanChange()
  expect(red).toBeGreaterThan(10)
  expect(red).toBeLessThan(lighter + 1)
  expect(blue - red).toBeLessThan(3)
})
