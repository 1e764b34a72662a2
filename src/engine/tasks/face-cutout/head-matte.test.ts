import { expect, test } from 'vitest'
import { solidPicture } from '#engine/image/composite.ts'
import { createPlane } from '#engine/image/picture.ts'
import { decodePicture } from '#engine/node/codecs.ts'
import { findFaces, headFrame, meshArea } from '#engine/tasks/faces/index.ts'
import { photo } from '#tests/support/composites.ts'
import { testHost } from '#tests/support/test-host.ts'
import { headCoordinates } from '../faces/head.ts'
import { headMatte } from './index.ts'

/** A known face with hair of `length` below the eyes over clothes of the hair's colour. */
async function portraitWith({ length, wide }: { length: number; wide: number }) {
  const photograph = await decodePicture(photo('astronaut.jpg'))
  const [face] = await findFaces(photograph, testHost())
  const frame = headFrame(face!.points)
  const { width, height } = photograph
  const picture = solidPicture(width, height, '#1e1916')
  const matte = createPlane(width, height)
  const skin = meshArea(matte, face!.points, 'face')
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
  const share = headMatte(picture, matte, face!.points, [face!.points])
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
