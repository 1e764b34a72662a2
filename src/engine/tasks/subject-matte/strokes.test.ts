import { expect, test } from 'vitest'
import type { EngineHost } from '#engine/host.ts'
import { createPlane, type Picture, type Plane } from '#engine/image/picture.ts'
import { alphaOf } from '#engine/image/pixels.ts'
import { shareAbove } from '#engine/image/plane.ts'
import { resamplePicture } from '#engine/image/resample-similarity.ts'
import type { Stroke } from '#shared/media.ts'
import { applyStrokes, correctCutOut, softenEdges } from './strokes.ts'

const width = 240
const height = 180
function scene(): Picture {
  const data = new Uint8ClampedArray(4 * width * height)
  let noise = 7
  for (let i = 0; i < width * height; i++) {
    const [x, y] = [i % width, Math.floor(i / width)]
    noise = (noise * 1103515245 + 12345) & 0x7fffffff
    const speck = (noise >> 16) % 9
    const colour = inDisc(x, y) ? [190, 40, 40] : inSquare(x, y) ? [40, 60, 190] : [150, 150, 145]
    data.set([...colour.map((value) => value + speck), 255], 4 * i)
  }
  return { width, height, data }
}
const inDisc = (x: number, y: number) => Math.hypot(x - 80, y - 90) < 45
const inSquare = (x: number, y: number) => x >= 122 && x < 190 && y >= 60 && y < 120

function matteOf(inside: (x: number, y: number) => boolean): Plane {
  const plane = createPlane(width, height)
  for (let i = 0; i < plane.data.length; i++) plane.data[i] = inside(i % width, Math.floor(i / width)) ? 1 : 0
  return plane
}

const host = {
  signal: new AbortController().signal,
  async resize(picture: Picture, w: number, h: number): Promise<Picture> {
    const data = new Uint8ClampedArray(4 * w * h)
    for (let i = 0; i < w * h; i++) {
      const x = Math.min(picture.width - 1, Math.floor((((i % w) + 0.5) * picture.width) / w))
      const y = Math.min(picture.height - 1, Math.floor(((Math.floor(i / w) + 0.5) * picture.height) / h))
      data.set(picture.data.subarray(4 * (y * picture.width + x), 4 * (y * picture.width + x) + 4), 4 * i)
    }
    return { width: w, height: h, data }
  },
} as unknown as EngineHost

const stroke = (mode: Stroke['mode'], points: number[], size = 16): Stroke => ({ mode, shape: 'line', size, points })

const planeOfAlpha = (picture: Picture) => alphaOf(picture) ?? createPlane(picture.width, picture.height, 1)

function overlap(a: Plane, b: Plane): number {
  let [both, either] = [0, 0]
  for (let i = 0; i < a.data.length; i++) {
    both += Math.min(a.data[i] as number, b.data[i] as number)
    either += Math.max(a.data[i] as number, b.data[i] as number)
  }
  return both / either
}

test('a short stroke over a missing part restores the whole part', async () => {
  const corrected = await applyStrokes(scene(), matteOf(inDisc), [stroke('keep', [145, 90, 165, 90])], host)
  expect(
    overlap(
      corrected,
      matteOf((x, y) => inDisc(x, y) || inSquare(x, y)),
    ),
  ).toBeGreaterThan(0.95)
})

test('a short stroke over a leftover part erases the whole part', async () => {
  const both = matteOf((x, y) => inDisc(x, y) || inSquare(x, y))
  const corrected = await applyStrokes(scene(), both, [stroke('erase', [145, 90, 165, 90])], host)
  expect(overlap(corrected, matteOf(inDisc))).toBeGreaterThan(0.95)
})

test('pixels under a stroke are certain, and a later stroke overrides an earlier one', async () => {
  const strokes = [stroke('keep', [20, 20, 40, 20], 8), stroke('erase', [30, 20], 8)]
  const corrected = await applyStrokes(scene(), matteOf(inDisc), strokes, host)
  const at = (x: number, y: number) => corrected.data[y * width + x]
  expect([at(21, 20), at(30, 20), at(39, 20)]).toEqual([1, 0, 1])
})

test('a thin stroke changes only what lies near it, and one that erases adds nothing', async () => {
  const both = matteOf((x, y) => inDisc(x, y) || inSquare(x, y))
  const thin = await applyStrokes(scene(), both, [stroke('erase', [145, 90, 165, 90], 3)], host)
  const isNear = (i: number) => Math.hypot((i % width) - 155, Math.floor(i / width) - 90) < 24
  expect(thin.data[90 * width + 155]).toBe(0)
  expect(thin.data.filter((value, i) => !isNear(i) && value !== both.data[i])).toHaveLength(0)
  const part = matteOf((x, y) => inDisc(x, y) || (inSquare(x, y) && x < 170))
  const erased = await applyStrokes(scene(), part, [stroke('erase', [165, 90, 171, 94], 8)], host)
  expect(erased.data.filter((value, i) => value > part.data[i]! + 0.3).length).toBeLessThan(10)
})

test('pixels far from a stroke do not change, and without strokes nothing changes', async () => {
  const matte = matteOf(inDisc)
  const corrected = await applyStrokes(scene(), matte, [stroke('erase', [80, 50])], host)
  expect(await applyStrokes(scene(), matte, [], host)).toBe(matte)
  const untouched = (plane: Plane) => plane.data.subarray(150 * width)
  expect(untouched(corrected)).toEqual(untouched(matte))
  expect(shareAbove(matte, 0.5)).toBe(shareAbove(matteOf(inDisc), 0.5))
})

test('a filled area counts as much as a line', async () => {
  const area: Stroke = { mode: 'keep', shape: 'area', size: 1, points: [130, 70, 180, 70, 180, 110, 130, 110] }
  const corrected = await applyStrokes(scene(), matteOf(inDisc), [area], host)
  expect(
    overlap(
      corrected,
      matteOf((x, y) => inDisc(x, y) || inSquare(x, y)),
    ),
  ).toBeGreaterThan(0.95)
})

test('a cut-out regains a part of the photograph and stays bit-identical elsewhere', async () => {
  // A quarter turn clockwise: the left side becomes the top.
  const place = { scale: 1, angle: Math.PI / 2, x: height, y: 0 }
  const turned = (inside: (x: number, y: number) => boolean): Picture => {
    const cut = resamplePicture(scene(), place, height, width)
    for (let i = 0; i < width * height; i++)
      if (!inside(Math.floor(i / height), height - 1 - (i % height))) cut.data.fill(0, 4 * i, 4 * i + 4)
    return cut
  }
  const before = turned(inDisc)
  const after = await correctCutOut(scene(), before, place, [stroke('keep', [145, 90, 165, 90])], host)
  expect(overlap(planeOfAlpha(after), planeOfAlpha(turned((x, y) => inDisc(x, y) || inSquare(x, y))))).toBeGreaterThan(
    0.95,
  )
  expect(after.data.subarray(0, 4 * height * 80)).toEqual(before.data.subarray(0, 4 * height * 80))
  expect(await correctCutOut(scene(), before, place, [], host)).toBe(before)
})

test('soft edges leave the inside and the outside unchanged', () => {
  const soft = softenEdges(matteOf(inDisc), 1)
  const at = (x: number, y: number) => soft.data[y * width + x] as number
  expect([at(80, 90), at(200, 20)]).toEqual([1, 0])
  expect(at(80 + 45, 90)).toBeGreaterThan(0.1)
  expect(at(80 + 45, 90)).toBeLessThan(0.9)
  const matte = matteOf(inDisc)
  expect(softenEdges(matte, 0)).toBe(matte)
})
