import { readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import type { Face } from '#engine/host.ts'
import type { Picture } from '#engine/image/picture.ts'
import { decodePicture } from '#engine/node/codecs.ts'
import { findFaces } from '#engine/tasks/faces/index.ts'
import { belowEyes, faceAxes } from '#engine/tasks/faces/mesh-geometry.ts'
import { pointOf } from '#engine/tasks/faces/regions.ts'
import { testHost } from '#tests/support/test-host.ts'
import { type FaceInPicture, swapFace, wearsGlasses } from './index.ts'

const host = testHost()

async function pictured(name: string): Promise<FaceInPicture> {
  const picture = await decodePicture(readFileSync(`tests/fixtures/photos/${name}.jpg`))
  const [face] = await findFaces(picture, host)
  return { picture, face: face as Face }
}

/** Blends a share of a colour into every pixel; positions are face widths from between the eyes. */
function painted({ picture, face }: FaceInPicture, share: (u: number, v: number) => number, colour: number): Picture {
  const { unit, middle, across, down } = faceAxes(face.points)
  const data = picture.data.slice()
  for (let i = 0; i < data.length / 4; i++) {
    const [x, y] = [(i % picture.width) + 0.5 - middle.x, Math.floor(i / picture.width) + 0.5 - middle.y]
    const part = share((x * across.x + y * across.y) / unit, (x * down.x + y * down.y) / unit)
    for (let c = 0; c < 3; c++) data[4 * i + c] = (1 - part) * (data[4 * i + c] as number) + part * colour
  }
  return { ...picture, data }
}

const lensMiddle = { u: 0.22, v: 0.03 }
const line = (distance: number) => Math.max(0, 1 - Math.abs(distance) / 0.009)

/** Faint edges of the lenses, a metal bridge and arms. */
function glassesLines(u: number, v: number): number {
  const radius =
    ((Math.abs(Math.abs(u) - lensMiddle.u) / 0.16) ** 3 + (Math.abs(v - lensMiddle.v) / 0.11) ** 3) ** (1 / 3)
  const bridge = Math.abs(u) < 0.065 ? 0.8 * line(v + 0.01) : 0
  const arm = Math.abs(u) > 0.37 && Math.abs(u) < 0.56 ? 0.8 * line(v) : 0
  return Math.max(0.35 * line((radius - 1) * 0.11), bridge, arm)
}

const glow = (u: number, v: number, width: number, height: number) => Math.exp(-((u / width) ** 2 + (v / height) ** 2))

/** Highlights on forehead, nose and cheeks. */
const shine = (u: number, v: number) =>
  0.5 *
  Math.max(glow(u, v + 0.35, 0.2, 0.08), glow(u, v - 0.15, 0.03, 0.15), glow(Math.abs(u) - 0.27, v - 0.3, 0.09, 0.06))

let bare: FaceInPicture
let target: FaceInPicture
beforeAll(async () => {
  bare = await pictured('astronaut')
  target = { ...bare, picture: painted(bare, glassesLines, 70) }
})

test('glasses without rims are found, and highlights are not taken for them', async () => {
  expect(await wearsGlasses(target, host)).toBe(true)
  expect(await wearsGlasses(bare, host)).toBe(false)
  expect(await wearsGlasses({ ...bare, picture: painted(bare, shine, 250) }, host)).toBe(false)
})

test('glasses without rims stay whole with what is behind them, or are removed with their arms', async () => {
  const source = await pictured('grace_hopper')
  const { unit, middle, across } = faceAxes(target.face.points)
  const [kept, removed] = [
    await swapFace(target, source, host),
    await swapFace(target, source, host, { keepGlasses: false }),
  ]
  expect([kept.glasses.target, removed.glasses.target]).toEqual([true, true])
  const differs = (patch: typeof kept, u: number, v: number) => {
    const axes = faceAxes(target.face.points)
    const [x, y] = [
      Math.floor(middle.x + unit * (u * across.x + v * axes.down.x)),
      Math.floor(middle.y + unit * (u * across.y + v * axes.down.y)),
    ]
    const [own, other] = [
      4 * ((y - patch.box.y) * patch.picture.width + x - patch.box.x),
      4 * (y * target.picture.width + x),
    ]
    return Math.abs((patch.picture.data[own + 1] as number) - (target.picture.data[other + 1] as number))
  }
  for (const side of [-1, 1]) {
    for (const [u, v] of [
      [lensMiddle.u, 0],
      [lensMiddle.u, lensMiddle.v + 0.11],
      [lensMiddle.u + 0.15, lensMiddle.v],
      [0.03, -0.01],
    ] as const) {
      expect(differs(kept, side * u, v)).toBeLessThan(2)
      expect(differs(removed, side * u, v)).toBeGreaterThan(2)
    }
  }
  // The chin is the source's.
  const chin = belowEyes(
    faceAxes(target.face.points),
    pointOf(target.face.points, 199).x,
    pointOf(target.face.points, 199).y,
  )
  expect(differs(kept, 0, chin / unit)).toBeGreaterThan(2)
})
