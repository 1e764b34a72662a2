import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { EngineHost, MeshPoints } from '#engine/host.ts'
import { createPlane, type Picture } from '#engine/image/picture.ts'
import { decodePicture } from '#engine/node/codecs.ts'
import { createNodeHost } from '#engine/node/host.ts'
import { findFaces } from '#engine/tasks/faces/index.ts'
import { compose } from '#tests/support/composites.ts'
import { headView } from './index.ts'
import { removeRemnants } from './remnants.ts'

const photo = join(import.meta.dirname, '../../../../tests/fixtures/photos/grace_hopper.jpg')

test('rejects a photograph if the matte is of another person', async () => {
  const host = createNodeHost(new AbortController().signal, () => {})
  const picture = await decodePicture(await readFile(photo))
  const [face] = await findFaces(picture, host)
  const beside = createPlane(256, 256)
  for (let i = 0; i < beside.data.length; i++) beside.data[i] = i % 256 < 40 ? 1 : 0
  const misled = { ...host, personMask: async () => beside }
  await expect(headView(picture, face!, [], misled)).rejects.toMatchObject({ code: 'engine.person_unclear' })
})

test('notices a wall of logos behind a head, and no other background', async () => {
  const host = createNodeHost(new AbortController().signal, () => {})
  const logosBehind = async (picture: Picture) => {
    const [face] = await findFaces(picture, host)
    return (await headView(picture, face!, [], host)).remnants
  }
  const { png } = await compose('sky', 600, 600, 1, 44)
  const before = await decodePicture(png)
  const { alpha } = await compose('sky', 600, 600, 1, 44)
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
  expect(await logosBehind(wall)).toBe(true)
  expect(await logosBehind(before)).toBe(false)
  expect(await logosBehind(await decodePicture(await readFile(photo)))).toBe(false)
})

describe('remnants of the background beside a head', () => {
  const side = 320
  const box = (plane: { data: Float32Array | Uint8Array }, x: number, y: number, size: number, value: number) => {
    for (let row = y; row < y + size; row++) plane.data.fill(value, row * side + x, row * side + x + size)
  }
  const picture = { width: side, height: side, data: new Uint8ClampedArray(4 * side * side).fill(255) }
  const face = [[160, 160, 0]] as MeshPoints
  /** A head of 100 pixels as the salient thing, and a square of the matte beside it. */
  const remove = async (size: number, seen: { head: boolean }) => {
    const [matte, salience] = [
      createPlane(side, side),
      { width: side, height: side, data: new Uint8Array(side * side) },
    ]
    box(matte, 110, 110, 100, 1)
    box(matte, 230, 40, size, 1)
    if (seen.head) box(salience, 110, 110, 100, 255)
    const host = { resize: async (given: Picture) => given, salience: async () => salience } as unknown as EngineHost
    const left = await removeRemnants(picture, matte, 100, face, host)
    return { left, head: matte.data[160 * side + 160], beside: matte.data[44 * side + 234] }
  }

  test('are removed', async () => {
    expect(await remove(10, { head: true })).toEqual({ left: false, head: 1, beside: 0 })
  })

  test('are only reported where they may be a shoulder or the face', async () => {
    expect(await remove(60, { head: true })).toEqual({ left: true, head: 1, beside: 1 })
    expect(await remove(10, { head: false })).toEqual({ left: true, head: 1, beside: 0 })
  })
})
