import { expect, test } from 'vitest'
import { solidPicture } from '#engine/image/composite.ts'
import { translationBy } from '#engine/image/geometry.ts'
import { createPlane } from '#engine/image/picture.ts'
import { decodePicture } from '#engine/node/codecs.ts'
import { findFaces, headFrame, meshArea } from '#engine/tasks/faces/index.ts'
import { photo } from '#tests/support/composites.ts'
import { testHost } from '#tests/support/test-host.ts'
import { headCoordinates } from '../faces/head.ts'
import { moveMesh } from '../faces/mesh-geometry.ts'
import { sideOfSeam } from './head-likeness.ts'
import { fillFace, headMatte } from './index.ts'

async function knownFace() {
  const photograph = await decodePicture(photo('astronaut.jpg'))
  const [face] = await findFaces(photograph, testHost())
  return { photograph, points: face!.points, frame: headFrame(face!.points) }
}

/** A known face with hair of `length` below the eyes over clothes of the hair's colour. */
async function portraitWith({ length, wide }: { length: number; wide: number }) {
  const { photograph, points, frame } = await knownFace()
  const { width, height } = photograph
  const picture = solidPicture(width, height, '#1e1916')
  const matte = createPlane(width, height)
  const skin = meshArea(matte, points, 'face')
  const place = headCoordinates(width, frame)
  for (let i = 0; i < matte.data.length; i++) {
    const { below, beside } = place(i)
    const isHair = below > -1.2 && below < length && beside < wide
    const isNeck = below > 0 && below < 1.5 && beside < 0.45
    const isClothes = below > 0.95 && beside > (below < 1.5 ? 0.45 : 0)
    if (isHair || isNeck || isClothes || skin.data[i] === 1) matte.data[i] = 1
    if (skin.data[i] === 1 || isNeck)
      picture.data.set(skin.data[i] ? photograph.data.subarray(4 * i, 4 * i + 3) : [190, 140, 120], 4 * i)
  }
  const share = headMatte(picture, matte, points, [points])
  const at = (below: number, beside: number): number => {
    const x = frame.centre.x + below * frame.eyesToChin * frame.down.x + beside * frame.eyesToChin * frame.down.y
    const y = frame.centre.y + below * frame.eyesToChin * frame.down.y - beside * frame.eyesToChin * frame.down.x
    return share.data[Math.round(y) * width + Math.round(x)] as number
  }
  return at
}

test('hair that falls past the chin ends in one curve with the neck, also over clothes of its colour', async () => {
  const at = await portraitWith({ length: 2.2, wide: 1.15 })
  for (const beside of [-0.9, -0.6, 0, 0.6, 0.9]) {
    expect(at(0.7, beside)).toBeGreaterThan(0.95)
    expect(at(1.05, beside)).toBeGreaterThan(0.95)
    expect(at(1.7, beside)).toBe(0)
  }
})

test('short hair keeps neither neck nor clothes of its colour', async () => {
  const at = await portraitWith({ length: 0.3, wide: 0.95 })
  expect(at(0.9, 0)).toBeGreaterThan(0.95)
  for (const beside of [-0.9, -0.3, 0, 0.3, 0.9]) expect(at(1.4, beside)).toBe(0)
})

test('the seam between heads that touch follows their edge, not the line halfway', async () => {
  const { points, frame } = await knownFace()
  const [width, height, row] = [400, 300, 150]
  const placed = (x: number) => moveMesh(points, translationBy(x - frame.centre.x, row - frame.centre.y))
  const [left, right] = [200 - 0.75 * frame.width, 200 + 0.75 * frame.width]
  const [own, other] = [placed(left), placed(right)]
  // The neighbour is in front and covers a part of the nearer half.
  const edge = Math.round(200 - 0.18 * frame.width)
  const picture = solidPicture(width, height, '#6b4a35')
  for (let i = 0; i < width * height; i++) if (i % width >= edge) picture.data.set([224, 186, 160], 4 * i)
  const sideOf = (one: typeof own) => sideOfSeam(picture, one, [own, other], createPlane(width, height))!
  const [mine, theirs] = [sideOf(own), sideOf(other)]
  for (const [x, isMine] of [
    [edge - 5, 1],
    [edge + 5, 0],
  ] as const) {
    expect(mine.data[row * width + x]).toBeCloseTo(isMine, 1)
    expect(theirs.data[row * width + x]).toBeCloseTo(1 - isMine, 1)
  }
  expect(sideOfSeam(picture, own, [own], mine)).toBeUndefined()
})

test('a hole of the matte inside a face is closed, and nothing outside it', async () => {
  const { photograph, points, frame } = await knownFace()
  const matte = createPlane(photograph.width, photograph.height)
  fillFace(matte, points)
  const at = (below: number) =>
    matte.data[Math.round(frame.centre.y + below * frame.eyesToChin) * matte.width + Math.round(frame.centre.x)]
  expect([at(0), at(0.8), at(1.15)]).toEqual([1, 1, 0])
})
