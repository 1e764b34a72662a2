import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { createPlane } from '#engine/image/plane.ts'
import { decodePicture } from '#engine/node/codecs.ts'
import { createNodeHost } from '#engine/node/host.ts'
import { findFaces } from '#engine/tasks/faces/faces.ts'
import { pointOf } from '#engine/tasks/faces/landmarks.ts'
import { meshBox } from '#engine/tasks/faces/mesh-geometry.ts'
import { mirroredLenses } from './worn-lenses.ts'

const host = createNodeHost(new AbortController().signal, () => {})
const picture = await decodePicture(readFileSync('tests/fixtures/photos/grace_hopper.jpg'))
const [face] = await findFaces(picture, host)
const { points } = face!
const unit = meshBox(points).width

/** A round lens before the eye on the left of the picture. */
const lens = createPlane(picture.width, picture.height)
const [outer, inner] = [pointOf(points, 33), pointOf(points, 133)]
const [x, y] = [(outer.x + inner.x) / 2, (outer.y + inner.y) / 2]
for (let i = 0; i < lens.data.length; i++) {
  if (Math.hypot((i % lens.width) - x, Math.floor(i / lens.width) - y) < 0.16 * unit) lens.data[i] = 1
}

function middleOf(yaw: number): { x: number; y: number; area: number } {
  const { data, width } = mirroredLenses(lens, points, yaw)
  let [left, top, area] = [0, 0, 0]
  for (let i = 0; i < data.length; i++) {
    if (data[i] === 0) continue
    left += i % width
    top += Math.floor(i / width)
    area++
  }
  return { x: left / area, y: top / area, area }
}

test('a lens tells where its twin before the other eye is', () => {
  const [a, b] = [pointOf(points, 263), pointOf(points, 362)]
  const middle = middleOf(0)
  expect(Math.abs(middle.x - (a.x + b.x) / 2)).toBeLessThan(0.04 * unit)
  expect(Math.abs(middle.y - (a.y + b.y) / 2)).toBeLessThan(0.04 * unit)
  const whole = lens.data.reduce((sum, value) => sum + value, 0)
  expect(middle.area / whole).toBeGreaterThan(0.8)
  expect(middle.area / whole).toBeLessThan(1.2)
})

test('on a turned head it lies further to the far side, since lenses stand before the face', () => {
  expect(middleOf(0.3).x - middleOf(0).x).toBeGreaterThan(0.04 * unit)
  expect(middleOf(-0.3).x - middleOf(0).x).toBeLessThan(-0.04 * unit)
})
