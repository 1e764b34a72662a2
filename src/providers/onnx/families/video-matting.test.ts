import { expect, test } from 'vitest'
import type { Picture, Plane } from '#engine/image/picture.ts'
import { colourful } from '#tests/support/colourful-picture.ts'
import { openModel, type TinyModel } from '#tests/support/onnx-models.ts'
import type { ModelFamily, OnnxSessions, VideoFamily } from '../family.ts'
import { frameByFrame, robustVideoMatting } from './video-matting.ts'

async function mattesOf(family: VideoFamily, pictures: Picture[], sessions: OnnxSessions): Promise<Plane[]> {
  async function* frames() {
    yield* pictures
  }
  const found: Plane[] = []
  for await (const matte of family.findMattes(frames(), sessions)) found.push(matte)
  return found
}

/** Alpha is the mean colour times a quarter of the number of frames, stored in `r1`. */
const counting: TinyModel = {
  inputs: [
    { name: 'src', shape: [1, 3, 'h', 'w'] },
    ...[1, 2, 3, 4].map((n) => ({ name: `r${n}i`, shape: [1, `c${n}`, `h${n}`, `w${n}`] })),
    { name: 'downsample_ratio', shape: [1] },
  ],
  outputs: [
    { name: 'fgr', shape: [1, 3, 'h', 'w'] },
    { name: 'pha', shape: [1, 1, 'h', 'w'] },
    ...[1, 2, 3, 4].map((n) => ({ name: `r${n}o`, shape: [1, `c${n}`, `h${n}`, `w${n}`] })),
  ],
  constants: {
    one: { dims: [1], data: [1] },
    share: { dims: [1], data: [0.25] },
  },
  operations: [
    { op: 'Identity', ins: ['src'], outs: ['fgr'] },
    { op: 'Add', ins: ['r1i', 'one'], outs: ['r1o'] },
    ...[2, 3, 4].map((n) => ({ op: 'Identity', ins: [`r${n}i`], outs: [`r${n}o`] })),
    { op: 'ReduceMean', ins: ['src'], outs: ['mean'], attributes: { axes: [1] } },
    { op: 'Mul', ins: ['mean', 'r1o'], outs: ['seen'] },
    { op: 'Mul', ins: ['seen', 'share'], outs: ['pha'] },
  ],
}

test('RVM passes its recurrent state from frame to frame', async () => {
  const frames = [colourful(64, 48), colourful(64, 48), colourful(64, 48)]
  const alphas = await mattesOf(robustVideoMatting, frames, { model: await openModel(counting) })
  const { data } = frames[0]!
  const off = alphas.map((alpha, n) =>
    alpha.data.reduce((most, value, i) => {
      const mean = (data[4 * i]! + data[4 * i + 1]! + data[4 * i + 2]!) / 765
      return Math.max(most, Math.abs(value - mean * 0.25 * (n + 1)))
    }, 0),
  )
  expect(off.length).toBe(3)
  expect(Math.max(...off)).toBeLessThan(1 / 255)
})

test('alpha does not flicker where a video stands still, and is the frame’s own where it moves', async () => {
  const level = (left: number, right: number): Picture => {
    const picture = colourful(40, 20)
    for (let i = 0; i < 800; i++) picture.data.fill(i % 40 < 20 ? left : right, 4 * i, 4 * i + 3)
    return picture
  }
  // A network that flickers with the noise of the frames.
  const nervous: ModelFamily<'subjectMatte'> = {
    id: 'nervous',
    task: 'subjectMatte',
    files: [],
    async perform({ picture: { width, height, data } }) {
      return { alpha: { width, height, data: Float32Array.from({ length: 800 }, (_, i) => (data[4 * i]! % 100) / 10) } }
    },
  }
  const frames = [level(1, 0), level(2, 109), level(1, 0)]
  const alphas = await mattesOf(frameByFrame('steady', nervous), frames, {})
  const at = (n: number, x: number) => alphas[n]!.data[400 + x]!
  // 0.1, 0.2, 0.1: the middle one moves six tenths towards the mean of the others.
  expect(at(1, 5)).toBeCloseTo(0.14, 5)
  expect(at(0, 5)).toBeCloseTo(0.13, 5)
  expect(at(1, 35)).toBeCloseTo(0.9, 5)
})
