import { expect, test } from 'vitest'
import { createPlane, type Picture } from '#engine/image/picture.ts'
import { applyLevels, lightGains, matchLevels } from './match-light.ts'

type Colour = readonly [number, number, number]
const size = { width: 20, height: 20 }

function filled(colourAt: (y: number) => Colour): Picture {
  const data = new Uint8ClampedArray(size.width * size.height * 4)
  for (let i = 0; i < data.length / 4; i++) data.set([...colourAt(Math.floor(i / size.width)), 255], 4 * i)
  return { ...size, data }
}

function faceOf(skin: Colour, brows: Colour) {
  const part = (inside: (y: number) => boolean) => {
    const plane = createPlane(size.width, size.height)
    plane.data.forEach((_, i) => {
      plane.data[i] = inside(Math.floor(i / size.width)) ? 1 : 0
    })
    return plane
  }
  const [features, bare] = [part((y) => y < 5), part((y) => y >= 5)]
  const none = part(() => false)
  const picture = filled((y) => (y < 5 ? brows : skin))
  return { picture, hull: part(() => true), skin: bare, features, foreign: none, shade: none }
}

function matched(colour: Colour, own: ReturnType<typeof faceOf>, other: ReturnType<typeof faceOf>): number[] {
  const picture = filled(() => colour)
  applyLevels(picture, matchLevels(own, other))
  return [...picture.data.subarray(0, 3)]
}

test('skin matches the other face’s skin, and shadow on it stays as warm', () => {
  const warm = faceOf([221, 157, 126], [85, 62, 52])
  const pale = faceOf([236, 201, 178], [12, 10, 9])
  expect(matched([221, 157, 126], warm, pale)).toEqual([236, 201, 178])
  const [red, green, blue] = matched([125, 80, 62], warm, pale) as [number, number, number]
  expect(red / green).toBeGreaterThan(236 / 201)
  expect(green / blue).toBeGreaterThan(1)
})

test('highlights keep their gradation when a face is matched to a paler one', () => {
  const [dark, pale] = [faceOf([150, 96, 80], [40, 28, 22]), faceOf([231, 202, 182], [20, 16, 14])]
  const [less, more] = [matched([185, 140, 120], dark, pale), matched([225, 190, 170], dark, pale)]
  for (let c = 0; c < 3; c++) expect(more[c]).toBeGreaterThan(less[c] as number)
})

test('black frames stay black when matched to a face without black', () => {
  const worn = faceOf([200, 140, 120], [15, 12, 10])
  const hazy = faceOf([210, 170, 150], [110, 95, 90])
  const frame = ({ glasses }: { glasses: boolean }) => {
    const picture = filled(() => [15, 12, 10])
    applyLevels(picture, matchLevels(worn, hazy, { glasses }))
    return Math.max(...picture.data.subarray(0, 3))
  }
  expect(frame({ glasses: false })).toBeGreaterThan(60)
  expect(frame({ glasses: true })).toBeLessThan(35)
})

/** Logarithmic, left relative to right, when the target's left side is darker by `shadow`. */
function shadowTransferred(shadow: number): number {
  const side = 80
  const grey = (left: number, right: number): Picture => {
    const data = new Uint8ClampedArray(side * side * 4)
    for (let i = 0; i < side * side; i++) data.fill(i % side < side / 2 ? left : right, 4 * i, 4 * i + 4)
    return { width: side, height: side, data }
  }
  const skin = createPlane(side, side, 1)
  const depth = new Float32Array(side * side).fill(side)
  const border = createPlane(side, side)
  const [, gain] = lightGains(grey(160, 160), grey(160 * Math.exp(-shadow), 160), { skin, border, depth, unit: side })
  const at = (x: number) => gain.data[(side / 2) * side + x] as number
  return at(0.85 * side) - at(0.15 * side)
}

test('a face keeps its own form and receives a deep shadow of the target', () => {
  expect(shadowTransferred(0.3)).toBeLessThan(0.12)
  expect(shadowTransferred(1.2)).toBeGreaterThan(0.5)
})
