import { expect, test } from 'vitest'
import type { Picture, Plane } from '#engine/image/picture.ts'
import { boxBlur, createPlane } from '#engine/image/plane.ts'
import { createRandom } from '#engine/image/random.ts'
import { inpaint } from './inpaint.ts'
import { buildPyramid, channels, type Level } from './level.ts'
import { predictRegions, type Regions, regionColours, regionTrust } from './regions.ts'

const side = 60

/** A level with a round hole of 12 pixels in its middle. */
function levelOf(paint: (x: number, y: number) => readonly number[]): Level {
  const pixels = new Uint8Array(side * side * channels)
  const hole = new Uint8Array(side * side)
  for (let i = 0; i < hole.length; i++) {
    const [x, y] = [i % side, Math.floor(i / side)]
    pixels.set(paint(x, y), channels * i)
    if (Math.hypot(x - 30, y - 30) < 12) hole[i] = 1
  }
  return buildPyramid({ width: side, height: side, pixels, hole }, [])[0] as Level
}

test('the colours expected where a region ends are those of it or of the other', () => {
  const random = createRandom(4)
  const level = levelOf((x, y) => {
    const light = random(9) - 4
    return y < 30 && Math.abs(x - 30) < 9
      ? [200 + light, 30 + light, 40 + light, 10]
      : [220 + light, 230 + light, 225 + light, 10]
  })
  const mixed = (certainty: number): number => {
    const colours = regionColours(level, predictRegions(level) as Regions, certainty)
    const greens = [...level.targets].filter((i) => level.hole[i] === 1).map((i) => colours[channels * i + 1] as number)
    return greens.filter((green) => green > 70 && green < 190).length / greens.length
  }
  expect(mixed(1)).toBeGreaterThan(0.3)
  expect(mixed(6)).toBeLessThan(0.2)
})

test('expected colours are trusted less where they are a mean of unlike ones, and wholly in a gradient', () => {
  const leastTrust = (paint: (x: number, y: number) => readonly number[]): number => {
    const level = levelOf(paint)
    const trust = regionTrust(level, predictRegions(level) as Regions)
    return Math.min(...[...level.targets].filter((i) => level.hole[i] === 1).map((i) => trust[i] as number))
  }
  const ending = leastTrust((x, y) => (y < 30 && Math.abs(x - 30) < 9 ? [200, 30, 40, 10] : [220, 230, 225, 10]))
  const gradient = leastTrust((_, y) => [150 + y / 2, 170 + y / 3, 200, 5])
  expect(ending).toBeLessThan(0.5)
  expect(gradient).toBeGreaterThan(0.9)
})

test('the border of regions is as sharp at a finer level as that can show', () => {
  const [width, height] = [200, 160]
  const hole = new Uint8Array(width * height)
  const pixels = new Uint8Array(width * height * channels)
  for (let i = 0; i < hole.length; i++) {
    const [x, y] = [i % width, Math.floor(i / width)]
    pixels.set(x + y / 2 < 140 ? [200, 40, 40, 10] : [40, 40, 200, 10], channels * i)
    if (Math.hypot(x - 100, y - 80) < 40) hole[i] = 1
  }
  const levels = buildPyramid({ width, height, pixels, hole }, [])
  const [finest, coarsest] = [levels[0], levels.at(-1)] as [Level, Level]
  const colours = regionColours(finest, predictRegions(coarsest) as Regions, 3, levels.length - 1)
  const reds = [...finest.targets].filter((i) => finest.hole[i] === 1).map((i) => colours[channels * i] as number)
  expect(levels.length).toBeGreaterThan(2)
  expect(reds.filter((red) => red > 80 && red < 160).length / reds.length).toBeLessThan(0.08)
  expect(reds.filter((red) => red >= 160).length / reds.length).toBeGreaterThan(0.4)
})

test('what is strewn by chance is no region', () => {
  const random = createRandom(6)
  const strewn = levelOf(() => {
    const light = random(4) === 0 ? 200 : 60
    return [light, light, light, 40]
  })
  const layered = levelOf((_, y) => (y < 30 ? [90, 130, 200, 5] : [60, 90, 40, 30]))
  expect(predictRegions(strewn)?.clearness).toBeLessThan(0.2)
  expect(predictRegions(layered)?.clearness).toBe(1)
})

test('a bank of clouds goes on through a hole that is mostly in the sky', () => {
  const [width, height] = [360, 260]
  const mask = createPlane(width, height)
  for (let i = 0; i < mask.data.length; i++) {
    const [across, down] = [((i % width) - 180) / 80, (Math.floor(i / width) - 115) / 75]
    if (across * across + down * down < 1) mask.data[i] = 1
  }
  const shares = [3, 5, 8].map((seed) => {
    const { data } = inpaint(cloudsBetweenSkyAndLand(width, height, seed), mask)
    let bright = 0
    for (let y = 135; y < 155; y++) {
      for (let x = 130; x < 230; x++) if ((data[4 * (y * width + x)] as number) > 170) bright++
    }
    return bright / (20 * 100)
  })
  expect(shares.reduce((sum, share) => sum + share, 0) / shares.length).toBeGreaterThan(0.6)
  expect(Math.min(...shares)).toBeGreaterThan(0.5)
})

function cloudsBetweenSkyAndLand(width: number, height: number, seed: number): Picture {
  const random = createRandom(seed)
  const rough = (radius: number, strength: number): Float32Array => {
    const chance = { width, height, data: Float32Array.from({ length: width * height }, () => random(256) - 128) }
    const soft: Plane = boxBlur(boxBlur(chance, radius), radius)
    return soft.data.map((value) => strength * value)
  }
  const [puffs, bushes, grain] = [rough(4, 6), rough(2, 4), rough(1, 1.2)] as const
  const data = new Uint8ClampedArray(4 * width * height)
  for (let i = 0; i < width * height; i++) {
    const [x, y] = [i % width, Math.floor(i / width)]
    const [puff, bush] = [puffs[i] as number, bushes[i] as number]
    const top = 128 + (puffs[20 * width + x] as number) / 8
    const land = [70 + bush, 65 + bush, 45 + bush]
    const cloud = [225 + puff, 215 + puff, 190 + puff]
    const colour = y < top ? [90 + y / 4, 130 + y / 4, 165] : y < 158 ? cloud : land
    data.set([...colour.map((value) => value + (grain[i] as number)), 255], 4 * i)
  }
  return { width, height, data }
}
