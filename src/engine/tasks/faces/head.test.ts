import { describe, expect, test } from 'vitest'
import type { MeshPoints } from '#engine/host.ts'
import { type Point, type Similarity, similarityTo, transform } from '#engine/image/geometry.ts'
import { createPlane } from '#engine/image/picture.ts'
import { eyeOpenness, measureHead, mouthOpenness } from './head.ts'
import { outlines } from './regions.ts'

/** An upright head with eyes at (0, 0), chin 100 below, crown 125 above, face 140 wide. */
const drawnHead = { chin: 100, crown: -125, width: 140 }

function drawnMesh(move: Similarity, { lids = 0.3, lips = 0 } = {}): MeshPoints {
  const points: Point[] = Array.from({ length: 468 }, () => ({ x: 0, y: 0 }))
  outlines.face.forEach((index, i) => {
    const angle = (2 * Math.PI * i) / outlines.face.length
    points[index] = { x: (drawnHead.width / 2) * Math.sin(angle), y: 10 - 90 * Math.cos(angle) }
  })
  const set = (index: number, x: number, y: number) => {
    points[index] = { x, y }
  }
  for (const [side, outer, inner, pairs] of [
    [-1, 33, 133, [160, 144, 159, 145, 158, 153]],
    [1, 263, 362, [387, 373, 386, 374, 385, 380]],
  ] as const) {
    set(outer, side * 47, 0)
    set(inner, side * 17, 0)
    pairs.forEach((index, i) => {
      set(index, side * (22 + 10 * Math.floor(i / 2)), (i % 2 === 0 ? -15 : 15) * lids)
    })
  }
  set(78, -20, 60)
  set(308, 20, 60)
  set(13, 0, 60 - 20 * lips)
  set(14, 0, 60 + 20 * lips)
  return points.map((point) => {
    const { x, y } = transform(move, point)
    return [x, y, 0] as const
  })
}

function matteOf(move: Similarity, width: number, height: number, crown = drawnHead.crown) {
  const matte = createPlane(width, height)
  const back = { scale: 1 / move.scale, angle: -move.angle, x: 0, y: 0 }
  for (let i = 0; i < matte.data.length; i++) {
    const place = { x: (i % width) + 0.5 - move.x, y: Math.floor(i / width) + 0.5 - move.y }
    const { x, y } = transform(back, place)
    const middle = (crown + 110) / 2
    const head = (x / 80) ** 2 + ((y - middle) / (110 - middle)) ** 2 < 1
    const shoulders = y > 120 && Math.abs(x) < 180
    const hair = Math.abs(x) < 2 && y < 0 && y > crown - 60
    if (head || shoulders || hair) matte.data[i] = 1
  }
  return matte
}

const degrees = Math.PI / 180

describe('a head', () => {
  test.each([
    [0, 1],
    [3, 0.8],
    [-8, 1.3],
    [17.5, 2.1],
    [-32, 1],
  ])('tilted by %f° at scale %f is measured to a third of a degree and one percent', (tilt, scale) => {
    const move = similarityTo({ x: 0, y: 0 }, { x: 400, y: 420 }, tilt * degrees, scale)
    const head = measureHead(drawnMesh(move), matteOf(move, 800, 900))
    expect(Math.abs(head.roll / degrees - tilt)).toBeLessThan(0.3)
    expect(head.top).toBe('seen')
    expect(Math.abs(head.height / (225 * scale) - 1)).toBeLessThan(0.01)
    const crown = transform(move, { x: 0, y: drawnHead.crown })
    expect(Math.hypot(head.crown.x - crown.x, head.crown.y - crown.y)).toBeLessThan(2.3 * scale)
    expect(Math.hypot(head.eyes.x - 400, head.eyes.y - 420)).toBeLessThan(0.1)
    expect(head.width).toBeCloseTo(drawnHead.width * scale, 0)
  })

  test('is measured in a matte of another size', () => {
    const move = similarityTo({ x: 0, y: 0 }, { x: 400, y: 420 }, 0.1, 1.2)
    const half = { ...move, scale: 0.6, x: 200, y: 210 }
    const head = measureHead(drawnMesh(move), matteOf(half, 400, 450), 0.5)
    expect(Math.abs(head.height / 270 - 1)).toBeLessThan(0.01)
  })

  test('with towering hair or a hole in its matte gets a plausible height', () => {
    const move = similarityTo({ x: 0, y: 0 }, { x: 400, y: 520 }, 0, 1)
    const tall = measureHead(drawnMesh(move), matteOf(move, 800, 900, -240))
    expect([tall.top, Math.round(tall.height)]).toEqual(['limited', 262])
    const holed = measureHead(drawnMesh(move), matteOf(move, 800, 900, -60))
    expect([holed.top, Math.round(holed.height)]).toEqual(['limited', 198])
  })

  test('cut off by the picture is reported as cut', () => {
    const move = similarityTo({ x: 0, y: 0 }, { x: 400, y: 90 }, 0, 1)
    expect(measureHead(drawnMesh(move), matteOf(move, 800, 600)).top).toBe('cut')
  })

  test('distinguishes open from closed eyes and mouth at any tilt', () => {
    const move = similarityTo({ x: 0, y: 0 }, { x: 400, y: 420 }, 0.4, 1.4)
    const open = drawnMesh(move, { lids: 0.3, lips: 0.3 })
    const closed = drawnMesh(move, { lids: 0.08 })
    expect([eyeOpenness(open).left > 0.2, eyeOpenness(open).right > 0.2]).toEqual([true, true])
    expect([eyeOpenness(closed).left < 0.12, eyeOpenness(closed).right < 0.12]).toEqual([true, true])
    expect([mouthOpenness(open) > 0.2, mouthOpenness(closed) < 0.02]).toEqual([true, true])
  })
})
