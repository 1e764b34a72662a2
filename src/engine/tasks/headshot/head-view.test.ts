import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, test } from 'vitest'
import { inverse, transform } from '#engine/image/geometry.ts'
import { createPlane, type Picture } from '#engine/image/picture.ts'
import { decodePicture } from '#engine/node/codecs.ts'
import { findFaces } from '#engine/tasks/faces/index.ts'
import { compose } from '#tests/support/composites.ts'
import { testHost } from '#tests/support/test-host.ts'
import { frameHead, headView } from './index.ts'

const photo = join(import.meta.dirname, '../../../../tests/fixtures/photos/grace_hopper.jpg')

test('rejects a photograph if the matte is of another person', async () => {
  const host = testHost()
  const picture = await decodePicture(await readFile(photo))
  const [face] = await findFaces(picture, host)
  const beside = createPlane(256, 256)
  for (let i = 0; i < beside.data.length; i++) beside.data[i] = i % 256 < 40 ? 1 : 0
  const misled = { ...host, personMask: async () => beside }
  await expect(headView(picture, face!, [], misled)).rejects.toMatchObject({ code: 'engine.person_unclear' })
})

test('notices a wall of logos behind a head, and no other background', async () => {
  const host = testHost()
  const viewIn = async (picture: Picture) => {
    const [face] = await findFaces(picture, host)
    return headView(picture, face!, [], host)
  }
  const { png, alpha } = await compose('sky', 600, 600, 1, 44)
  const before = await decodePicture(png)
  const wall = { ...before, data: before.data.slice() }
  const marks = [
    [30, 90, 220],
    [220, 30, 60],
    [20, 150, 70],
  ] as const
  for (let i = 0; i < alpha.length; i++) {
    const [x, y] = [i % 600, Math.floor(i / 600)]
    const mark = marks[(Math.floor(x / 50) + Math.floor(y / 50)) % 3]!
    const colour = Math.hypot((x % 50) - 25, (y % 50) - 25) < 17 ? mark : [250, 250, 250]
    if (alpha[i]! < 128) wall.data.set(colour, 4 * i)
  }
  expect(await viewIn(wall)).toMatchObject({ remnants: true })
  expect(await viewIn(before)).toMatchObject({ remnants: false, bodiless: false })
  if (process.env.SOAK) expect((await viewIn(await decodePicture(await readFile(photo)))).remnants).toBe(false)
})

test('notices a head without a body, as of a cut-out that loses a dark suit', async () => {
  const host = testHost()
  const { png, alpha } = await compose('sky', 600, 600, 1, 44)
  const whole = await decodePicture(png)
  const [face] = await findFaces(whole, host)
  const { points } = face!
  const collar = Math.max(...points.map(([, y]) => y)) + 10
  const head = { ...whole, data: whole.data.slice() }
  for (let i = 0; i < alpha.length; i++) if (i / 600 > collar) head.data.set([130, 180, 230], 4 * i)
  expect((await headView(head, face!, [], host)).bodiless).toBe(true)
})

test('shows no wedge of background below a body that a tilted photograph cuts off', async () => {
  const host = testHost()
  const tilted = await sharp(photo).rotate(-8).extract({ left: 56, top: 55, width: 331, height: 388 }).png().toBuffer()
  const picture = await decodePicture(tilted)
  const [face] = await findFaces(picture, host)
  const view = await headView(picture, face!, [], host)
  const alphaAt = (column: number, row: number) => view.picture.data[4 * (row * view.picture.width + column) + 3]!
  for (const ratio of [3 / 4, 4 / 5, 1]) {
    const { x, y, width, height } = frameHead(view, ratio)
    for (const column of [x, x + width - 1]) {
      const end = transform(inverse(view.place), { x: column, y: y + height - 1 })
      expect([ratio, end.y < picture.height, alphaAt(column, y + height - 1) > 250]).toEqual([ratio, true, true])
    }
  }
  // A frame that nothing fits shows the repeated edge of the clothes.
  const { missing } = view
  const below = missing.data.findIndex((share, i) => share >= 1 && 4 * Math.floor(i / missing.width) > view.chin)
  expect(alphaAt(4 * (below % missing.width), 4 * Math.floor(below / missing.width))).toBe(255)
})

test('leaves room above tall hair where the photograph ends beside the body', () => {
  const [end, block] = [1460, 4]
  const missing = createPlane(500, 500)
  for (let i = 0; i < missing.data.length; i++) if (block * (i % 500) >= end) missing.data[i] = 1
  const view = { missing, eyes: 900, crown: 600, chin: 1100, centre: 1000 }
  const { x, y, width, height } = frameHead(view, 1)
  expect((view.crown - y) / height).toBeGreaterThan(0.03)
  expect(x + width).toBeLessThan(end + block)
})
