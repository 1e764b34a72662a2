import { expect, test } from 'vitest'
import type { Picture } from '#engine/image/picture.ts'
import { colourful } from '#tests/support/colourful-picture.ts'
import { openModel, type TinyModel } from '#tests/support/onnx-models.ts'
import { upscaling } from './upscaling.ts'

/** Means over 3 × 3 pixels times a gain, enlarged four times: a network with context. */
const blurring = (gain: number, side: number | string = 'h'): TinyModel => ({
  inputs: [{ name: 'input', shape: [1, 3, side, typeof side === 'number' ? side : 'w'] }],
  outputs: [{ name: 'output', shape: [1, 3, 'H', 'W'] }],
  constants: {
    weights: {
      dims: [3, 3, 3, 3],
      data: Array.from({ length: 81 }, (_, i) => (Math.floor(i / 27) === Math.floor((i % 27) / 9) ? gain / 9 : 0)),
    },
    scales: { dims: [4], data: [1, 1, 4, 4] },
  },
  operations: [
    { op: 'Conv', ins: ['input', 'weights'], outs: ['soft'], attributes: { pads: [1, 1, 1, 1] } },
    {
      op: 'Resize',
      ins: ['soft', '', 'scales'],
      outs: ['output'],
      attributes: { mode: 'nearest', nearest_mode: 'floor', coordinate_transformation_mode: 'asymmetric' },
    },
  ],
})

function wanted({ width, height, data }: Picture, gain: number, x: number, y: number, c: number): number {
  let sum = 0
  for (let v = Math.max(0, y - 1); v <= Math.min(height - 1, y + 1); v++) {
    for (let u = Math.max(0, x - 1); u <= Math.min(width - 1, x + 1); u++) sum += data[4 * (v * width + u) + c]!
  }
  return Math.min(255, (gain * sum) / 9)
}

function maxDifference(picture: Picture, large: Picture, gain: number, factor: number): number {
  expect([large.width, large.height]).toEqual([factor * picture.width, factor * picture.height])
  let most = 0
  for (let y = 0; y < large.height; y++) {
    for (let x = 0; x < large.width; x++) {
      for (let c = 0; c < 3; c++) {
        const value = wanted(picture, gain, Math.floor(x / factor), Math.floor(y / factor), c)
        most = Math.max(most, Math.abs(large.data[4 * (y * large.width + x) + c]! - value))
      }
    }
  }
  return most
}

const family = (id: string) => upscaling.find((candidate) => candidate.id === id)!
const { signal } = new AbortController()

test.each([
  ['any size', 'h'],
  ['one size', 96],
] as const)('tiles of %s join without a seam, two and four times as large', async (_kind, side) => {
  const picture = colourful(290, 262)
  const sessions = { model: await openModel(blurring(0.9, side)) }
  for (const factor of [2, 4]) {
    const { picture: large } = await family('esrgan').perform({ picture, factor, denoise: 0 }, sessions, signal)
    expect(maxDifference(picture, large, 0.9, factor)).toBeLessThanOrEqual(1)
  }
})

test('a picture smaller than the network’s input is padded with its edge', async () => {
  const picture = colourful(40, 30)
  const flat = { ...picture, data: picture.data.map((value, i) => (i % 4 === 3 ? value : 100)) }
  const { picture: large } = await family('esrgan').perform(
    { picture: flat, factor: 4, denoise: 0 },
    { model: await openModel(blurring(1, 64)) },
    signal,
  )
  const centre = 4 * (60 * large.width + 159)
  expect([large.width, large.height, large.data[centre]]).toEqual([160, 120, 100 - Math.round(100 / 3) + 33])
})

test('two networks are mixed by the strength of denoising', async () => {
  const picture = colourful(50, 40)
  const sessions = { model: await openModel(blurring(0.4)), wdn: await openModel(blurring(1)) }
  for (const [denoise, gain] of [
    [0, 1],
    [0.5, 0.7],
    [1, 0.4],
  ] as const) {
    const { picture: large } = await family('realesr-general').perform(
      { picture, factor: 4, denoise },
      sessions,
      signal,
    )
    expect(maxDifference(picture, large, gain, 4)).toBeLessThanOrEqual(1)
  }
})

test('translucent pixels stay translucent', async () => {
  const picture = colourful(40, 40)
  for (let i = 3; i < picture.data.length; i += 4) picture.data[i] = i < picture.data.length / 2 ? 0 : 255
  const sessions = { model: await openModel(blurring(1)) }
  const { picture: large } = await family('esrgan').perform({ picture, factor: 2, denoise: 0 }, sessions, signal)
  expect([large.data[4 * 85 + 3], large.data[4 * (80 * 79 + 5) + 3]]).toEqual([0, 255])
})

test('a network that enlarges too little is refused', async () => {
  const sessions = { model: await openModel(blurring(1)) }
  await expect(
    family('esrgan').perform({ picture: colourful(20, 20), factor: 8, denoise: 0 }, sessions, signal),
  ).rejects.toThrow('enlarges 4 times, not 8')
})
