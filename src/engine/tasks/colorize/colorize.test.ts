import { expect, test } from 'vitest'
import { fillPolygon } from '#engine/image/geometry.ts'
import { createPlane, type Picture } from '#engine/image/picture.ts'
import { outlineOf, outlines } from '#engine/tasks/faces/regions.ts'
import {
  applyColours,
  chromaOf,
  classifyPhotoColours,
  estimateColours,
  isUsableColouring,
  readFadedLightness,
} from './index.ts'
import { labOf, labToRgb } from './lab.ts'
import { geodesicDistance, geodesicSteps, spreadColours } from './spread-colours.ts'

function shades(from: number, to: number): Picture {
  const [width, height] = [64, 16]
  const data = new Uint8ClampedArray(4 * width * height).fill(255)
  for (let i = 0; i < width * height; i++) {
    data.fill(from + ((to - from) * (i % width)) / (width - 1), 4 * i, 4 * i + 3)
  }
  return { width, height, data }
}

test.each([
  ['dark without any white', 0, 175],
  ['bright without any black', 42, 255],
])('a photograph that is %s keeps its lightness', (_, from, to) => {
  const lightness = readFadedLightness(shades(from, to))
  expect(lightness.data).toEqual(readFadedLightness(shades(from, to), false).data)
})

test.each([
  ['black and white', 52, 205],
  ['black', 70, 255],
  ['contrast', 10, 130],
])('a photograph that has lost its %s counts as faded', (_, from, to) => {
  expect(readFadedLightness(shades(from, to)).data).not.toEqual(readFadedLightness(shades(from, to), false).data)
})

test('geodesic distance goes around an edge if that is shorter', () => {
  const [width, height] = [21, 21]
  const picture = createPlane(width, height)
  for (let y = 0; y < height - 3; y++) picture.data[y * width + 10] = 1
  const distance = new Float32Array(width * height).fill(Number.POSITIVE_INFINITY)
  distance[5] = 0
  geodesicDistance(geodesicSteps(picture, [], { step: 1, edge: 1000, grain: 0, label: 0 }), distance)
  expect(distance[15]).toBe(10 + 2 * 18)
})

test('geodesic distance across the border of a label is longer', () => {
  const label = createPlane(10, 1)
  label.data.fill(1, 5)
  const distance = new Float32Array(10).fill(Number.POSITIVE_INFINITY)
  distance[0] = 0
  geodesicDistance(geodesicSteps(createPlane(10, 1), [label], { step: 1, edge: 0, grain: 0, label: 7 }), distance)
  expect([...distance].slice(3, 7)).toEqual([3, 4, 12, 13])
})

test('colours fill similar areas and stop at an edge', () => {
  const [width, height] = [40, 30]
  const lightness = createPlane(width, height, 0.3)
  for (let i = 0; i < lightness.data.length; i++) if (i % width >= 20) lightness.data[i] = 0.7
  const [value, weight] = [createPlane(width, height), createPlane(width, height)]
  for (let y = 12; y < 18; y++) {
    for (const [x, colour] of [
      [10, 20],
      [30, -20],
    ] as const) {
      value.data[y * width + x] = colour
      weight.data[y * width + x] = 10
    }
  }
  const [spread] = spreadColours(lightness, { values: [value], weight })
  expect(spread?.data[25 * width + 18]).toBeGreaterThan(12)
  expect(spread?.data[5 * width + 21]).toBeLessThan(-12)
})

function wallWithPerson(level: number) {
  const [width, height] = [120, 60]
  const [lightness, person] = [createPlane(width, height, level), createPlane(width, height)]
  for (let i = 0; i < person.data.length; i++) if (Math.abs((i % width) - 60) < 20) person.data[i] = 1
  const hints = [{ color: '#203060', size: 8, points: [15, 30] }]
  const [made] = applyColours(lightness, estimateColours(lightness, { faces: [], person, hints, variants: [0] }), 1)
  const { data } = made as Picture
  const blueAt = (x: number) => {
    const i = 4 * (30 * width + x)
    return -labOf(data[i] as number, data[i + 1] as number, data[i + 2] as number)[2]
  }
  return { left: blueAt(30), onPerson: blueAt(60), right: blueAt(105) }
}

test('a hint beside a person also colours similar areas on the other side, but not the person', () => {
  const { left, onPerson, right } = wallWithPerson(0.25)
  expect(right).toBeGreaterThan(0.33 * left)
  expect(onPerson).toBeLessThan(0.35 * left)
})

test('a hint keeps its strength in the dark', () => {
  const wanted = -labOf(0x20, 0x30, 0x60)[2]
  expect(wallWithPerson(0.08).left).toBeGreaterThan(0.6 * wanted)
})

test('hints are exact over another provider’s colours, which stay elsewhere', () => {
  const [width, height] = [200, 120]
  const lightness = createPlane(width, height)
  for (let i = 0; i < lightness.data.length; i++) lightness.data[i] = i % width < 100 ? 0.7 : 0.35
  const flat = (value: number) => ({ width, height, data: new Float32Array(width * height).fill(value) })
  const base = { planes: [flat(-8), flat(22)], lightness }
  const hint = { color: '#b09080', size: 24, points: [30, 60, 60, 60] }
  const options = { faces: [], person: createPlane(1, 1), hints: [hint], variants: [0], base }
  const [picture] = applyColours(lightness, estimateColours(lightness, options), 1)
  const at = (x: number, y: number) =>
    labOf(...([0, 1, 2].map((c) => picture!.data[4 * (y * width + x) + c]!) as [number, number, number]))
  const [, a, b] = labOf(0xb0, 0x90, 0x80)
  const [, hintedA, hintedB] = at(45, 60)
  expect(Math.hypot(hintedA - a, hintedB - b)).toBeLessThan(3)
  const [, ownA, ownB] = at(180, 20)
  expect(Math.hypot(ownA + 8, ownB - 22)).toBeLessThan(4)
})

test('colours of another provider must not be weaker than what the engine is sure of', () => {
  const [grey, coloured] = [shades(40, 200), shades(40, 200)]
  for (let i = 0; i < coloured.data.length; i += 4) coloured.data[i + 2] = (coloured.data[i + 2] as number) / 2
  const [plain, strong] = [chromaOf(grey), chromaOf(coloured)]
  expect([isUsableColouring(strong, strong), isUsableColouring(strong, plain)]).toEqual([true, true])
  expect(isUsableColouring(plain, strong)).toBe(false)
})

test('the colour of a face does not run into a wall that the mask takes for the person', () => {
  const [width, height] = [160, 120]
  const lightness = createPlane(width, height, 0.35)
  const face: [number, number, number][] = Array.from({ length: 478 }, () => [80, 60, 0])
  for (const [k, index] of outlines.face.entries()) {
    const angle = (2 * Math.PI * k) / outlines.face.length
    face[index] = [80 + 18 * Math.sin(angle), 60 - 24 * Math.cos(angle), 0]
  }
  fillPolygon(lightness, outlineOf(face, 'face'))
  for (let i = 0; i < lightness.data.length; i++) lightness.data[i] = lightness.data[i] === 1 ? 0.55 : 0.35
  const options = { faces: [face], person: createPlane(1, 1, 1), hints: [], variants: [0] }
  const [a] = estimateColours(lightness, options).planes
  const at = (x: number, y: number) => Math.abs(a!.data[y * a!.width + x] as number)
  expect(at(80, 60)).toBeGreaterThan(10)
  expect(at(80, 96)).toBeLessThan(1.5)
})

test('a sepia print that is paler in places has no colours of its own; a weak second hue is one', () => {
  const print = (a: number, b: number): Picture => {
    const picture = shades(80, 180)
    const rgb: [number, number, number] = [0, 0, 0]
    for (let i = 0; i < 1024; i++) {
      const isPlace = i % 64 > 30 && i % 64 < 34
      labToRgb(52.5, isPlace ? a : 0, isPlace ? b : 26, rgb)
      picture.data.set(rgb, 4 * i)
    }
    return picture
  }
  expect(classifyPhotoColours(print(0, 12))).toBe('none')
  expect(classifyPhotoColours(print(13, 22))).toBe('some')
})
