import { expect, test } from 'vitest'
import type { Plane } from '#engine/image/picture.ts'
import { colourful } from '#tests/support/colourful-picture.ts'
import { openModel, type TinyModel } from '#tests/support/onnx-models.ts'
import type { OnnxSession, OnnxTensor } from '../family.ts'
import { efficientSam, slimSam } from './select-object.ts'

const { signal } = new AbortController()

async function withRecordedInputs(model: TinyModel): Promise<OnnxSession & { asked: Record<string, OnnxTensor>[] }> {
  const session = await openModel(model)
  const asked: Record<string, OnnxTensor>[] = []
  return {
    ...session,
    asked,
    run: (feeds, wanted) => {
      asked.push(feeds)
      return session.run(feeds, wanted)
    },
  }
}

function countWrongPixels(found: Plane, isMeant: (index: number) => boolean): number {
  return found.data.reduce((count, value, i) => count + Number(value !== Number(isMeant(i))), 0)
}

/** The embedding is the mean of 16 × 16 pixels. */
const encoder: TinyModel = {
  inputs: [{ name: 'pixel_values', shape: [1, 3, 1024, 1024] }],
  outputs: [
    { name: 'image_embeddings', shape: [1, 3, 64, 64] },
    { name: 'image_positional_embeddings', shape: [1, 3, 64, 64] },
  ],
  operations: [
    {
      op: 'AveragePool',
      ins: ['pixel_values'],
      outs: ['image_embeddings'],
      attributes: { kernel_shape: [16, 16], strides: [16, 16] },
    },
    { op: 'Identity', ins: ['image_embeddings'], outs: ['image_positional_embeddings'] },
  ],
}

/** Each channel of the embedding is a mask's logits; green has the best score. */
const decoder: TinyModel = {
  inputs: [
    { name: 'image_embeddings', shape: [1, 3, 64, 64] },
    { name: 'image_positional_embeddings', shape: [1, 3, 64, 64] },
    { name: 'input_points', shape: [1, 1, 'n', 2] },
    { name: 'input_labels', type: 'int64', shape: [1, 1, 'n'] },
  ],
  outputs: [
    { name: 'iou_scores', shape: [1, 1, 3] },
    { name: 'pred_masks', shape: [1, 1, 3, 256, 256] },
  ],
  constants: {
    scores: { dims: [1, 1, 3], data: [0.2, 0.9, 0.5] },
    scales: { dims: [4], data: [1, 1, 4, 4] },
    axes: { type: 'int64', dims: [1], data: [0] },
  },
  operations: [
    { op: 'Identity', ins: ['scores'], outs: ['iou_scores'] },
    { op: 'Resize', ins: ['image_embeddings', '', 'scales'], outs: ['masks'], attributes: { mode: 'linear' } },
    { op: 'Unsqueeze', ins: ['masks', 'axes'], outs: ['pred_masks'] },
  ],
}

test('SlimSAM returns the best mask, without the padding of its square input', async () => {
  const picture = colourful(640, 480)
  const sessions = { encoder: await withRecordedInputs(encoder), decoder: await withRecordedInputs(decoder) }
  const points = [
    { x: 320, y: 120, keep: true },
    { x: 10, y: 470, keep: false },
  ]
  const { alpha } = await slimSam().perform({ picture, points }, sessions, signal)
  // Green falls from 230 by 200 over the height; the network's zero is ImageNet's mean of green.
  const border = ((230 - 255 * 0.456) / 200) * 480
  const meant = (i: number) => Math.floor(i / 640) < border
  expect(countWrongPixels(alpha, meant)).toBeLessThan(2 * 640)
  const [{ input_points: places, input_labels: labels }] = sessions.decoder.asked as [Record<string, OnnxTensor>]
  expect([...places!.data]).toEqual([512, 192, 16, 752])
  expect([...labels!.data]).toEqual([1n, 0n])
  // Zero padding below the picture.
  expect(sessions.encoder.asked[0]!.pixel_values!.data.at(-1)).toBe(0)
})

test('SlimSAM runs its encoder once for several taps on a picture', async () => {
  const sessions = { encoder: await withRecordedInputs(encoder), decoder: await withRecordedInputs(decoder) }
  const family = slimSam()
  const tap = (picture: ReturnType<typeof colourful>, x: number) =>
    family.perform({ picture, points: [{ x, y: 5, keep: true }] }, sessions, signal)
  const [one, other] = [colourful(200, 100), colourful(100, 200)]
  for (const picture of [one, one, other, one, other]) await tap(picture, 40)
  expect(sessions.encoder.asked.length).toBe(2)
  expect(sessions.decoder.asked.length).toBe(5)
})

/** Two masks, where red and where green exceed a half; red has the better score. */
const whole = (labels: (number | string)[], type: 'float32' | 'int64'): TinyModel => ({
  inputs: [
    { name: 'batched_images', shape: [1, 3, 1024, 1024] },
    { name: 'batched_point_coords', shape: [1, 1, 6, 2] },
    { name: 'batched_point_labels', type, shape: labels },
  ],
  outputs: [
    { name: 'output_masks', shape: [1, 1, 2, 1024, 1024] },
    { name: 'iou_predictions', shape: [1, 1, 2] },
  ],
  constants: {
    weights: { dims: [2, 3, 1, 1], data: [1, 0, 0, 0, 1, 0] },
    bias: { dims: [2], data: [-0.5, -0.5] },
    scores: { dims: [1, 1, 2], data: [0.9, 0.8] },
    axes: { type: 'int64', dims: [1], data: [0] },
  },
  operations: [
    { op: 'Conv', ins: ['batched_images', 'weights', 'bias'], outs: ['masks'] },
    { op: 'Unsqueeze', ins: ['masks', 'axes'], outs: ['output_masks'] },
    { op: 'Identity', ins: ['scores'], outs: ['iou_predictions'] },
  ],
})

test.each([
  [[1, 1, 6], 'float32'],
  [[1, 1, 6, 1], 'int64'],
] as const)(
  'EfficientSAM with labels %j of %s: the most trusted mask without the excluded areas',
  async (shape, type) => {
    const picture = colourful(320, 240)
    const session = await withRecordedInputs(whole([...shape], type))
    const found = (points: { x: number; y: number; keep: boolean }[]) =>
      efficientSam.perform({ picture, points }, { model: session }, signal)
    const tap = { x: 300, y: 20, keep: true }
    const red = await found([tap])
    const redBorder = ((127.5 - 20) / 215) * 320
    expect(countWrongPixels(red.alpha, (i) => i % 320 > redBorder)).toBeLessThan(2 * 240)
    const green = await found([tap, { x: 310, y: 230, keep: false }])
    const greenBorder = ((230 - 127.5) / 200) * 240
    expect(countWrongPixels(green.alpha, (i) => Math.floor(i / 320) < greenBorder)).toBeLessThan(2 * 320)
    const [{ batched_point_coords: places, batched_point_labels: labels }] = session.asked as [
      Record<string, OnnxTensor>,
    ]
    expect([...places!.data].slice(0, 4).map((value) => Math.round(Number(value)))).toEqual([960, 85, 0, 0])
    expect([...labels!.data].map(Number)).toEqual([1, -1, -1, -1, -1, -1])
    expect(labels!.dims).toEqual(shape)
  },
)
