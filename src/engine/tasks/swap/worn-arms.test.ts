import { describe, expect, test } from 'vitest'
import type { Picture, Plane } from '#engine/image/picture.ts'
import { createPlane } from '#engine/image/plane.ts'
import { logTones } from '#engine/tasks/faces/tones.ts'
import { armBeyond, type Seen } from './worn-arms.ts'
import type { UprightAxes } from './worn-glasses.ts'
import { rimsBeyond } from './worn-rims.ts'

const [width, height, unit] = [320, 260, 200]
const [middle, eyes] = [160, 110]
const axes: UprightAxes = {
  unit,
  across: (x) => (x - middle) / unit,
  down: (_, y) => (y - eyes) / unit,
  at: (across, down) => ({ x: middle + across * unit, y: eyes + down * unit }),
}

/** A face as an ellipse before a wall, with what `dark` says of each pixel drawn over both. */
function face(dark: (x: number, y: number) => boolean): Seen {
  const picture: Picture = { width, height, data: new Uint8ClampedArray(4 * width * height).fill(255) }
  const [hull, rims] = [createPlane(width, height), createPlane(width, height)]
  for (let i = 0; i < width * height; i++) {
    const [x, y] = [i % width, Math.floor(i / width)]
    const inside = ((x - middle) / (0.5 * unit)) ** 2 + ((y - 130) / (0.6 * unit)) ** 2 < 1
    if (inside) hull.data[i] = 1
    if (inside && dark(x, y)) rims.data[i] = 1
    const grain = (x * 7 + y * 13) % 5
    picture.data.set(dark(x, y) ? [30, 30, 32] : inside ? [205 + grain, 165, 145] : [150 + grain, 160, 165], 4 * i)
  }
  return { tones: logTones(picture), hull, rims, axes }
}

const found = (plane: Plane, x: number, y: number) => plane.data[y * width + x]
const count = (plane: Plane) => plane.data.reduce((sum, value) => sum + value, 0)

describe('an arm of glasses', () => {
  const arm = face((x, y) => x > 225 && x < 280 && Math.abs(y - 104) < 4)

  test('is found from the outline to where it ends, on its side only', () => {
    const plane = armBeyond(arm, 1)
    for (let x = 258; x < 278; x++) expect(found(plane, x, 104), `at ${x}`).toBe(1)
    expect(found(plane, 290, 104)).toBe(0)
    expect(found(plane, 268, 124)).toBe(0)
    expect(count(armBeyond(arm, -1))).toBe(0)
  })

  test('is not where nothing of glasses reaches the outline', () => {
    expect(count(armBeyond({ ...arm, rims: createPlane(width, height) }, 1))).toBe(0)
  })
})

test('a rim that reaches over the outline is followed around, and a dark wall behind it is not', () => {
  const away = (x: number, y: number) => Math.hypot(x - 245, y - 115)
  const seen = face((x, y) => Math.abs(away(x, y) - 30) < 3 || x > 300)
  const expected = createPlane(width, height)
  for (let i = 0; i < expected.data.length; i++) {
    if (away(i % width, Math.floor(i / width)) < 27) expected.data[i] = 1
  }
  const plane = rimsBeyond(seen, expected)
  for (const [x, y] of [
    [275, 115],
    [271, 100],
    [271, 130],
    [266, 115],
  ] as const) {
    expect(found(plane, x, y), `at ${x}, ${y}`).toBe(1)
  }
  for (let y = 0; y < height; y++) expect(found(plane, 305, y)).toBe(0)
  expect(count(rimsBeyond(seen, createPlane(width, height)))).toBe(0)
})
