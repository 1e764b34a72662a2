import { expect, test } from 'vitest'
import { createPlane } from '#engine/image/picture.ts'
import { boxBlur } from '#engine/image/plane.ts'
import { createRandom } from '#engine/image/random.ts'
import { continueAlongEdges, solveMembrane } from './expected-colours.ts'
import { inpaint } from './index.ts'
import { buildPyramid, channels, type PyramidLevel } from './pyramid.ts'

const size = 60

function levelWithStripe(): PyramidLevel {
  const pixels = new Uint8Array(size * size * channels)
  const hole = new Uint8Array(size * size)
  for (let i = 0; i < hole.length; i++) {
    const [x, y] = [i % size, Math.floor(i / size)]
    pixels.fill(inStripe(x, y) ? 200 : 40, channels * i, channels * i + 3)
    if (Math.hypot(x - 30, y - 30) < 11) hole[i] = 1
  }
  return buildPyramid({ width: size, height: size, pixels, hole })[0] as PyramidLevel
}

const inStripe = (x: number, y: number): boolean => Math.abs(0.55 * (x - 30) - 0.83 * (y - 30)) < 5

test('a slanted stripe continues through a hole in which a membrane would fade it', () => {
  const level = levelWithStripe()
  const inside = level.targets.filter((i) => level.hole[i] === 1)
  const values = Float32Array.from(level.pixels.filter((_, k) => k % channels === 0))
  const wrong = (): number => {
    const off = inside.filter((i) => {
      const stripe = inStripe((i % level.width) - 3, Math.floor(i / level.width) - 3)
      return (values[i] as number) > 120 !== stripe
    })
    return off.length / inside.length
  }
  solveMembrane(values, level, inside, 1)
  expect(wrong()).toBeGreaterThan(0.15)
  continueAlongEdges(values, level, inside, 1)
  expect(wrong()).toBeLessThan(0.08)
})

test('a beam in front of cloudy ground is restored where a part was removed', () => {
  const [width, height, radius] = [240, 220, 50]
  const inBeam = (x: number, y: number): boolean => Math.abs(0.8 * (x - 120) - 0.6 * (y - 110)) < 18
  const mask = createPlane(width, height)
  for (let i = 0; i < mask.data.length; i++) {
    if (Math.hypot((i % width) - 120, Math.floor(i / width) - 110) < radius) mask.data[i] = 1
  }
  let share = 0
  const seeds = [1, 2, 3, 4, 5, 6, 7, 8]
  for (const seed of seeds) {
    const random = createRandom(seed)
    const clouds = (): Float32Array => {
      const chance = { width, height, data: Float32Array.from(mask.data, () => 4 * random(256) - 512) }
      return boxBlur(boxBlur(chance, 4), 4).data
    }
    const [near, far] = [clouds(), clouds()]
    const data = new Uint8ClampedArray(4 * width * height)
    for (let i = 0; i < mask.data.length; i++) {
      const [light, dark] = [near[i] as number, far[i] as number]
      const beam = inBeam(i % width, Math.floor(i / width))
      data.set(beam ? [200 + light, 160 + light, 110 + light, 255] : [90 + dark, 85 + dark, 110 + dark, 255], 4 * i)
    }
    const filled = inpaint({ width, height, data }, mask).data
    const holePixels = [...mask.data.keys()].filter((i) => mask.data[i] === 1)
    const right = holePixels.filter((i) => {
      const beam = (filled[4 * i] as number) - (filled[4 * i + 2] as number) > 35
      return beam === inBeam(i % width, Math.floor(i / width))
    })
    share += right.length / holePixels.length / seeds.length
  }
  expect(share).toBeGreaterThan(0.95)
})
