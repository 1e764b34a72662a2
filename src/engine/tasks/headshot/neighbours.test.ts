import { expect, test } from 'vitest'
import type { MeshPoints } from '#engine/host.ts'
import { solidPicture } from '#engine/image/composite.ts'
import { wholeOf } from '#engine/image/geometry.ts'
import { createPlane } from '#engine/image/picture.ts'
import { pastePicture } from '#engine/image/pixels.ts'
import { outlines } from '#engine/tasks/faces/regions.ts'
import { testHost } from '#tests/support/test-host.ts'
import { removeNeighbours } from './neighbours.ts'

const unit = 30
const size = { width: 320, height: 200 }

/** A face whose chin is a unit below the eyes. */
function faceAt(x: number, y: number): MeshPoints {
  const points = Array.from({ length: 468 }, () => [x, y, 0] as [number, number, number])
  for (const [name, side] of [
    ['leftEye', -1],
    ['rightEye', 1],
  ] as const) {
    for (const index of outlines[name]) points[index] = [x + 0.35 * side * unit, y, 0]
  }
  outlines.face.forEach((index, i) => {
    const angle = (2 * Math.PI * i) / outlines.face.length
    points[index] = [x + 0.6 * unit * Math.sin(angle), y - 0.9 * unit * Math.cos(angle) + 0.1 * unit, 0]
  })
  return points
}

/** Two people in coats that touch at the column `border`; `own` is on the left. */
async function separate(own: MeshPoints, other: MeshPoints, border: number, coats: readonly [string, string]) {
  const picture = solidPicture(size.width, size.height, '#d8d8d0')
  const matte = createPlane(size.width, size.height)
  const paint = (x: number, y: number, width: number, height: number, colour: string) => {
    pastePicture(picture, solidPicture(width, height, colour), x, y)
    for (let row = y; row < y + height; row++) matte.data.fill(1, row * size.width + x, row * size.width + x + width)
  }
  paint(40, 100, border - 40, 100, coats[0])
  paint(border, 90, 300 - border, 110, coats[1])
  for (const mesh of [own, other]) {
    const [x, y] = mesh[0] as readonly [number, number, number]
    paint(x - 20, y - 30, 40, 65, '#c09078')
  }
  const crop = { picture, box: wholeOf(size), part: picture, matte }
  const isMixed = await removeNeighbours(crop, own, [other], testHost())
  return { isMixed, at: (x: number, y: number) => matte.data[y * size.width + x] as number }
}

test('a neighbour’s coat at the shoulder goes with the neighbour, at the edge of the coats', async () => {
  const { isMixed, at } = await separate(faceAt(110, 60), faceAt(220, 50), 150, ['#304a80', '#6a4a30'])
  expect(isMixed).toBe(false)
  expect([at(110, 60), at(60, 150), at(144, 150)]).toEqual([1, 1, 1])
  expect([at(220, 50), at(156, 150), at(290, 150)]).toEqual([0, 0, 0])
})

test('a neighbour who hides the chest stays, and is told', async () => {
  const { isMixed, at } = await separate(faceAt(110, 60), faceAt(110, 140), 299, ['#304a80', '#304a80'])
  expect(isMixed).toBe(true)
  expect([at(110, 60), at(110, 140), at(60, 150)]).toEqual([1, 1, 1])
})
