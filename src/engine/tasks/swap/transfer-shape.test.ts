import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { MeshPoints } from '#engine/host.ts'
import { decodePicture } from '#engine/node/codecs.ts'
import { findFaces } from '#engine/tasks/faces/faces.ts'
import { meshBox, meshCentre, openness } from '#engine/tasks/faces/mesh-geometry.ts'
import { distance, outlines, pointOf } from '#engine/tasks/faces/regions.ts'
import { testHost } from '#tests/support/test-host.ts'
import { transferShape } from './transfer-shape.ts'

const host = testHost()
const [face] = await findFaces(await decodePicture(readFileSync('tests/fixtures/photos/astronaut.jpg')), host)
const target = face!.points
const size = meshBox(target).width

function withPart(part: readonly number[], { up = 0, scale = 1 }): MeshPoints {
  const [x, y] = meshCentre(target, part)
  return target.map((point, index) => {
    if (!part.includes(index)) return point
    return [x + scale * (point[0] - x), y + scale * (point[1] - y) - up * size, point[2]] as const
  })
}

const all = { moveEyes: true, moveMouth: true }
const span = (mesh: MeshPoints, a: number, b: number) => distance(pointOf(mesh, a), pointOf(mesh, b))

test('a face takes over the width of the other face’s eyes but not their opening', () => {
  const eyes = [...outlines.leftEye, ...outlines.rightEye]
  const shape = transferShape(target, withPart(outlines.leftEye, { scale: 1.15 }), all)
  expect(span(shape, 33, 133) / span(target, 33, 133)).toBeGreaterThan(1.1)
  expect(openness(shape, 'leftEye')).toBeCloseTo(openness(target, 'leftEye'), 2)
  const still = transferShape(target, withPart(eyes, { scale: 1.15 }), { ...all, moveEyes: false })
  expect(span(still, 33, 133)).toBeCloseTo(span(target, 33, 133), 3)
})

test('a face takes over a part of the brows’ height above the eyes', () => {
  const brows = [...outlines.leftBrow, ...outlines.rightBrow]
  const shape = transferShape(target, withPart(brows, { up: 0.05 }), all)
  const above = (mesh: MeshPoints) => meshCentre(mesh, outlines.leftEye)[1] - meshCentre(mesh, outlines.leftBrow)[1]
  const raised = (above(shape) - above(target)) / size
  expect(raised).toBeGreaterThan(0.02)
  expect(raised).toBeLessThan(0.045)
})

test('a face with other proportions stays in its outline', () => {
  const shape = transferShape(target, withPart([...outlines.lips, ...outlines.mouth], { scale: 1.3, up: 0.06 }), all)
  for (const index of outlines.face) expect(shape[index]).toEqual([...target[index]!])
})

test.each([
  ['turned as the target is', false],
  ['as they are seen', true],
])('glasses, %s, keep the shape they have in the source', (_, flat) => {
  const eyes = [...outlines.leftEye, ...outlines.rightEye]
  const source = withPart(outlines.leftEye, { scale: 1.2, up: 0.03 })
  const shape = transferShape(target, source, { moveEyes: false, moveMouth: true, glasses: { points: eyes, flat } })
  const ends = [33, 133, 362, 263, 159, 145, 386, 374] as const
  const sizes = ends.map((end) => span(shape, end, 263) / span(source, end, 263)).filter(Boolean)
  for (const size of sizes) expect(size / sizes[0]!).toBeCloseTo(1, 1)
})
