import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import type { MeshPoints } from '#engine/host.ts'
import { createPlane, type Picture, type Plane } from '#engine/image/picture.ts'
import { decodePicture } from '#engine/node/codecs.ts'
import { testHost } from '#tests/support/test-host.ts'
import { findFaces } from './faces.ts'
import { meshBox } from './mesh-geometry.ts'
import { meanPoint, outlineOf } from './regions.ts'
import { type FaceSurface, faceSurface } from './skin.ts'

const bare = await decodePicture(readFileSync('tests/fixtures/photos/astronaut.jpg'))
let points: MeshPoints

/** Black glasses: masks of the drawn frame (`worn`) and of the lenses. */
function drawn(): { worn: Plane; lenses: Plane } {
  const unit = meshBox(points).width
  const eyes = (['leftEye', 'rightEye'] as const).map((name) => meanPoint(outlineOf(points, name)))
  const [worn, lenses] = [createPlane(bare.width, bare.height), createPlane(bare.width, bare.height)]
  for (let i = 0; i < worn.data.length; i++) {
    const [x, y] = [i % bare.width, Math.floor(i / bare.width)]
    const away = eyes.map((eye) => Math.hypot((x - eye.x) / 0.18, (y - eye.y - 0.04 * unit) / 0.14) / unit)
    const least = Math.min(...away)
    const line = meanPoint(eyes as { x: number; y: number }[])
    const bridge = Math.abs(x - line.x) < 0.3 * unit && Math.abs(y - line.y - 0.03 * unit) < 0.015 * unit
    if (least < 0.9) lenses.data[i] = 1
    if ((least > 0.92 && least < 1.08) || (bridge && least > 1)) worn.data[i] = 1
  }
  return { worn, lenses }
}

function wearing(worn: Plane): Picture {
  const data = bare.data.slice()
  for (let i = 0; i < worn.data.length; i++) if (worn.data[i] === 1) data.set([20, 20, 22], 4 * i)
  return { ...bare, data }
}

function meanIn(plane: Plane, where: Plane): number {
  let [sum, count] = [0, 0]
  for (let i = 0; i < where.data.length; i++) {
    if (where.data[i] === 0) continue
    sum += plane.data[i] as number
    count++
  }
  return sum / count
}

let glasses: { worn: Plane; lenses: Plane }
let surface: FaceSurface
beforeAll(async () => {
  const [face] = await findFaces(bare, testHost())
  points = face!.points
  glasses = drawn()
  surface = faceSurface(wearing(glasses.worn), points)
})

test('closed rims of glasses are found around both eyes', () => {
  expect(meanIn(surface.frames!.rims, glasses.worn)).toBeGreaterThan(0.7)
})

test('the frame of glasses is foreign and the view through the lenses is not', () => {
  expect(meanIn(surface.foreign, glasses.worn)).toBeGreaterThan(0.9)
  expect(meanIn(surface.foreign, glasses.lenses)).toBeLessThan(0.2)
})

test('the lenses of sunglasses are foreign', () => {
  const dark = { ...glasses.worn, data: glasses.worn.data.map((value, i) => Math.max(value, glasses.lenses.data[i]!)) }
  const { foreign, frames } = faceSurface(wearing(dark), points)
  expect(meanIn(foreign, glasses.lenses)).toBeGreaterThan(0.95)
  expect(frames).toBeUndefined()
})

test('a bare face has no rims', () => {
  expect(faceSurface(bare, points).frames).toBeUndefined()
})
