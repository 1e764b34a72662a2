import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { fillPolygon } from '#engine/image/geometry.ts'
import { createPlane, type Picture } from '#engine/image/picture.ts'
import { decodePicture } from '#engine/node/codecs.ts'
import { testHost } from '#tests/support/test-host.ts'
import { findFaces } from './faces.ts'
import { meshBox } from './mesh-geometry.ts'
import { pointOf } from './regions.ts'
import { faceSurface } from './skin.ts'

const host = testHost()
const picture = await decodePicture(readFileSync('tests/fixtures/photos/astronaut.jpg'))
const [face] = await findFaces(picture, host)
const points = face!.points

const cheek = createPlane(picture.width, picture.height)
fillPolygon(
  cheek,
  [132, 58, 172, 136, 214, 207, 187].map((index) => pointOf(points, index)),
)

/** Share of the cheek that counts as foreign, 0 to 1, with its colours scaled by `share`. */
function foreignOf(share: readonly [number, number, number]): number {
  const { x, width } = meshBox(points)
  const changed: Picture = { ...picture, data: picture.data.slice() }
  for (let i = 0; i < cheek.data.length; i++) {
    const across = ((i % picture.width) - x) / (0.25 * width)
    const amount = (cheek.data[i] as number) * Math.min(1, Math.max(0, 1.6 - 1.6 * across))
    for (let c = 0; c < 3; c++) {
      const value = changed.data[4 * i + c] as number
      changed.data[4 * i + c] = value * (1 + amount * ((share[c] as number) - 1))
    }
  }
  const { foreign } = faceSurface(changed, points)
  let [sum, count] = [0, 0]
  for (let i = 0; i < cheek.data.length; i++) {
    if (cheek.data[i] === 0) continue
    sum += foreign.data[i] as number
    count++
  }
  return sum / count
}

test('a cheek in reddish shadow is skin', () => {
  expect(foreignOf([0.62, 0.5, 0.46])).toBeLessThan(0.1)
})

test('an equally dark area on a cheek without the redness is not skin', () => {
  expect(foreignOf([0.5, 0.52, 0.5])).toBeGreaterThan(0.2)
})

function darkened(...polygons: (readonly number[])[]): Picture {
  const area = createPlane(picture.width, picture.height)
  for (const polygon of polygons) {
    fillPolygon(
      area,
      polygon.map((index) => pointOf(points, index)),
    )
  }
  const dark: Picture = { ...picture, data: picture.data.slice() }
  for (let i = 0; i < 4 * area.data.length; i++) if (i % 4 < 3 && area.data[i >> 2] === 1) dark.data[i]! *= 0.3
  return dark
}

test('a chin that is dark on both sides has a beard, a chin dark on one side has none', () => {
  const [left, right] = [
    [172, 150, 149, 176, 148, 152, 199, 208, 32, 211, 214],
    [397, 379, 378, 400, 377, 152, 199, 428, 262, 431, 434],
  ]
  expect(faceSurface(darkened(left!, right!), points).beard).toBeDefined()
  expect(faceSurface(darkened(left!), points).beard).toBeUndefined()
})

test('the frame of glasses is foreign and the skin around it is not', async () => {
  const worn = await decodePicture(readFileSync('tests/fixtures/photos/grace_hopper.jpg'))
  const [wearer] = await findFaces(worn, host)
  const { foreign, lenses } = faceSurface(worn, wearer!.points)
  expect(lenses).toBeDefined()
  const meanOf = (indices: readonly number[]) => {
    const area = createPlane(worn.width, worn.height)
    fillPolygon(
      area,
      indices.map((index) => pointOf(wearer!.points, index)),
    )
    const inside = foreign.data.filter((_, i) => area.data[i] === 1)
    return inside.reduce((sum, value) => sum + value, 0) / inside.length
  }
  const bridge = [193, 168, 417, 6]
  const cheeks = [
    [205, 50, 187, 207],
    [425, 280, 411, 427],
  ]
  expect(meanOf(bridge)).toBeGreaterThan(0.5)
  for (const cheek of cheeks) expect(meanOf(cheek)).toBeLessThan(0.3)
})
