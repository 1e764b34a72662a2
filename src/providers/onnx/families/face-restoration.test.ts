import { expect, test } from 'vitest'
import { inverse, transform } from '#engine/image/geometry.ts'
import type { FacePoints } from '#engine/task-types.ts'
import { colourful } from '#tests/support/colourful-picture.ts'
import { openModel, type TinyModel } from '#tests/support/onnx-models.ts'
import { alignFace, faceRestoration } from './face-restoration.ts'

/** Returns every face after one operation. */
const model = (op: string): TinyModel => ({
  inputs: [{ name: 'input', shape: [1, 3, 512, 512] }],
  outputs: [{ name: 'output', shape: [1, 3, 512, 512] }],
  operations: [{ op, ins: ['input'], outs: ['output'] }],
})

const points: FacePoints = [
  [0.3769, 0.4686],
  [0.6229, 0.4691],
  [0.5012, 0.6133],
  [0.3931, 0.7254],
  [0.6115, 0.7249],
].map(([x, y]) => [512 * x!, 512 * y!] as const)
const { signal } = new AbortController()

test('the alignment recovers a face’s rotation, scale and translation', () => {
  const placed = { scale: 0.4, angle: 0.3, x: 120, y: -15 }
  const face = points.map(([x, y]) => {
    const at = transform(inverse(placed), { x, y })
    return [at.x, at.y] as const
  })
  const found = alignFace(face, 512)
  for (const key of ['scale', 'angle', 'x', 'y'] as const) expect(found[key]).toBeCloseTo(placed[key], 6)
})

test('a restored face is mixed in by the strength, and fades into the picture', async () => {
  const picture = colourful(512, 512)
  const sessions = { model: await openModel(model('Neg')) }
  for (const strength of [0.4, 1]) {
    const { data } = (await faceRestoration.perform({ picture, faces: [points], strength }, sessions, signal)).picture
    let most = 0
    for (let y = 90; y < 420; y++) {
      for (let at = 4 * (512 * y + 90); at < 4 * (512 * y + 420); at++) {
        const own = picture.data[at]!
        const wanted = at % 4 === 3 ? 255 : own + strength * (255 - 2 * own)
        most = Math.max(most, Math.abs(data[at]! - wanted))
      }
    }
    expect(most).toBeLessThanOrEqual(1)
    expect([...data.subarray(0, 40)]).toEqual([...picture.data.subarray(0, 40)])
  }
})

test('a network that changes nothing leaves a turned face as it was, and its surroundings exactly', async () => {
  const picture = colourful(900, 700)
  const back = inverse({ scale: 1.6, angle: 0.4, x: 100, y: -300 })
  const face = points.map(([x, y]) => {
    const at = transform(back, { x, y })
    return [at.x, at.y] as const
  })
  const sessions = { model: await openModel(model('Identity')) }
  const { data } = (await faceRestoration.perform({ picture, faces: [face], strength: 1 }, sessions, signal)).picture
  const off = data.map((value, i) => Math.abs(value - picture.data[i]!))
  expect(Math.max(...off.subarray(0, 4 * 900))).toBe(0)
  expect(off.reduce((most, value) => Math.max(most, value), 0)).toBeLessThanOrEqual(2)
})
