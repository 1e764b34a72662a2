import { expect, test } from 'vitest'
import { createPlane } from '#engine/image/picture.ts'
import { completeSurfaces, dropIsolatedPatches, dropUnboundedAreas } from './skin-surfaces.ts'

const [width, height] = [120, 80]
const person = createPlane(width, height, 1)
const surface = () => {
  const lightness = createPlane(width, height)
  for (let i = 0; i < lightness.data.length; i++) lightness.data[i] = 0.3 + (0.3 * (i % width)) / width
  return lightness
}
const fill = ({ data }: { data: Float32Array }, value: number) => {
  for (let y = 20; y < 60; y++) data.fill(value, y * width + 50, y * width + 70)
}
const middle = 40 * width + 60

test('a patch without an outline is not skin', () => {
  const share = createPlane(width, height)
  fill(share, 0.9)
  dropUnboundedAreas(share, 0.4, 3, new Float32Array(width * height), { lightness: surface(), person })
  expect(Math.max(...share.data)).toBe(0)
})

test('an area with an outline stays, and so does skin that continues from the face', () => {
  const lightness = surface()
  fill(lightness, 0.8)
  const limb = createPlane(width, height)
  fill(limb, 0.9)
  dropUnboundedAreas(limb, 0.4, 3, new Float32Array(width * height), { lightness, person })
  expect(limb.data[middle]).toBeCloseTo(0.9)

  const neck = createPlane(width, height)
  fill(neck, 0.9)
  dropUnboundedAreas(neck, 0.4, 3, new Float32Array(width * height).fill(1), { lightness: surface(), person })
  expect(neck.data[middle]).toBeCloseTo(0.9)
})

test('a surface between edges is skin altogether or not at all', () => {
  const lightness = surface()
  fill(lightness, 0.8)
  const colouredRows = (rows: number) => {
    const limb = createPlane(width, height)
    for (let y = 20; y < 20 + rows; y++) limb.data.fill(0.9, y * width + 50, y * width + 70)
    const near = new Float32Array(width * height).fill(1, 0, 10 * width)
    completeSurfaces(limb, 0.4, near, { lightness, person })
    return [25, 40, 55].map((y) => limb.data[y * width + 60])
  }
  expect(colouredRows(30)).toEqual([1, 1, 1])
  expect(colouredRows(12)).toEqual([0, 0, 0])
})

test('of a surface that is mostly no skin only what continues the face stays', () => {
  const lightness = surface()
  fill(lightness, 0.8)
  const cloth = createPlane(width, height)
  for (let y = 20; y < 26; y++) cloth.data.fill(0.9, y * width + 50, y * width + 70)
  for (let y = 50; y < 56; y++) cloth.data.fill(0.9, y * width + 50, y * width + 70)
  completeSurfaces(cloth, 0.4, new Float32Array(width * height).fill(1, 0, 30 * width), { lightness, person })
  expect(cloth.data[23 * width + 60]).toBeCloseTo(0.9)
  expect(cloth.data[53 * width + 60]).toBe(0)
})

test('possible skin counts only where it touches certain skin', () => {
  const skin = createPlane(width, height)
  fill(skin, 0.4)
  skin.data.fill(0.4, 10, 20)
  skin.data[middle] = 0.6
  dropIsolatedPatches(skin, [0.3, 0.5])
  expect([skin.data[15], skin.data[middle + 5]]).toEqual([0, Math.fround(0.4)])
})
