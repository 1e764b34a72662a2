import { describe, expect, test } from 'vitest'
import type { Picture } from '#engine/image/picture.ts'
import { colourful } from '#tests/support/colourful-picture.ts'
import { openModel, type TinyModel, withColoursLast } from '#tests/support/onnx-models.ts'
import type { ModelFamily } from '../family.ts'
import { salientObjects } from './salient-object.ts'

const weights = [1.5, -2, 0.7]
const bias = 0.2

/** A single 1×1 convolution followed by the network's output. */
function model(side: number | string, outputs: string[], ending?: 'Sigmoid'): TinyModel {
  const shape = (channels: number) => [1, channels, side, typeof side === 'number' ? side : 'w']
  return {
    inputs: [{ name: 'in', shape: shape(3) }],
    outputs: outputs.map((name, i) => ({ name: `${name}${i}`, shape: shape(1) })),
    constants: { weights: { dims: [1, 3, 1, 1], data: weights }, bias: { dims: [1], data: [bias] } },
    operations: outputs.flatMap((name, i) => [
      { op: 'Conv', ins: ['in', 'weights', 'bias'], outs: [`sum${i}`] },
      // Only the intended one has the right output.
      { op: name === 'wrong' ? 'Abs' : (ending ?? 'Identity'), ins: [`sum${i}`], outs: [`${name}${i}`] },
    ]),
  }
}

function family(id: string): ModelFamily<'subjectMatte'> {
  const found = salientObjects.find((candidate) => candidate.id === id)
  if (!found) throw new Error(id)
  return found
}

async function alphaOf(id: string, picture: Picture, tiny: TinyModel): Promise<Float32Array> {
  const sessions = { model: await openModel(tiny) }
  const { alpha } = await family(id).perform({ picture }, sessions, new AbortController().signal)
  expect([alpha.width, alpha.height]).toEqual([picture.width, picture.height])
  return alpha.data
}

function sums(picture: Picture, normalize: (level: number, channel: number) => number): number[] {
  return Array.from({ length: picture.width * picture.height }, (_, i) =>
    weights.reduce((sum, weight, c) => sum + weight * normalize(picture.data[4 * i + c]!, c), bias),
  )
}

const sigmoid = (value: number) => 1 / (1 + Math.exp(-value))
const stretched = (values: number[]) => {
  const [least, greatest] = [Math.min(...values), Math.max(...values)]
  return values.map((value) => (value - least) / (greatest - least))
}
const imageNet = (level: number, c: number) => (level / 255 - [0.485, 0.456, 0.406][c]!) / [0.229, 0.224, 0.225][c]!

function expectClose(found: Float32Array, wanted: number[]): void {
  expect(found.length).toBe(wanted.length)
  const off = wanted.reduce((most, value, i) => Math.max(most, Math.abs(value - found[i]!)), 0)
  expect(off).toBeLessThan(1 / 255)
}

describe('masks of each kind of network equal the reference computation', () => {
  const picture = colourful(48, 48)

  test.each([
    ['u2net', imageNet],
    ['isnet', (level: number) => level / 255 - 0.5],
    ['ben2', (level: number) => level / 255],
  ] as const)('%s: values of the first output, stretched', async (id, normalize) => {
    expectClose(await alphaOf(id, picture, model(48, ['right', 'wrong'])), stretched(sums(picture, normalize)))
  })

  test.each([
    ['isnet-imgly', (level: number) => (level - 128) / 256],
    ['ormbg', (level: number) => level / 255],
  ] as const)('%s: alpha of the first output, as it is', async (id, normalize) => {
    const wanted = sums(picture, normalize).map(sigmoid)
    expectClose(await alphaOf(id, picture, model(48, ['right', 'wrong'], 'Sigmoid')), wanted)
  })

  test('channels-last models receive and return channels-last tensors', async () => {
    const wanted = stretched(sums(picture, imageNet))
    expectClose(await alphaOf('u2net', picture, withColoursLast(model(48, ['right']))), wanted)
  })

  test('16-bit models receive and return 16-bit values', async () => {
    const tiny = model(48, ['right'], 'Sigmoid')
    const half = (values: typeof tiny.inputs) => values.map((value) => ({ ...value, type: 'float16' as const }))
    const cast = (from: string, to: string, type: number) => ({
      op: 'Cast',
      ins: [from],
      outs: [to],
      attributes: { to: type },
    })
    const found = await alphaOf('isnet-imgly', picture, {
      ...tiny,
      inputs: [{ ...half(tiny.inputs)[0]!, name: 'half' }],
      outputs: [{ ...half(tiny.outputs)[0]!, name: 'result' }],
      operations: [cast('half', 'in', 1), ...tiny.operations, cast('right0', 'result', 10)],
    })
    expectClose(found, sums(picture, (level) => (level - 128) / 256).map(sigmoid))
  })

  test.each([[['right']], [['wrong', 'wrong', 'wrong', 'right']]])(
    'birefnet: logits of the last of %j',
    async (outputs) => {
      const logits = sums(picture, imageNet)
      expectClose(await alphaOf('birefnet', picture, model(48, outputs)), logits.map(sigmoid))
    },
  )

  test('birefnet: logits of output_image, at any position', async () => {
    const tiny = model(48, ['right', 'wrong'])
    const named = { ...tiny.outputs[0]!, name: 'output_image' }
    const found = await alphaOf('birefnet', picture, {
      ...tiny,
      outputs: [named, tiny.outputs[1]!],
      operations: [...tiny.operations, { op: 'Identity', ins: ['right0'], outs: ['output_image'] }],
    })
    expectClose(found, sums(picture, imageNet).map(sigmoid))
  })

  test('modnet: alpha of a picture whose sides are multiples of 32', async () => {
    const portrait = colourful(544, 512)
    const wanted = sums(portrait, (level) => level / 127.5 - 1).map(sigmoid)
    expectClose(await alphaOf('modnet', portrait, model('h', ['right'], 'Sigmoid')), wanted)
  })
})

test('modnet scales the shorter side to 512 pixels, and both to multiples of 32', async () => {
  const seen: number[][] = []
  const session = await openModel(model('h', ['right'], 'Sigmoid'))
  const watched: typeof session = {
    ...session,
    run: (feeds, wanted) => {
      seen.push(...Object.values(feeds).map(({ dims }) => [...dims]))
      return session.run(feeds, wanted)
    },
  }
  for (const [width, height] of [
    [1500, 1000],
    [300, 400],
    [700, 400],
    // 561 times 512 / 561 is slightly less than 512 in floating point.
    [561, 561],
  ] as const) {
    await family('modnet').perform(
      { picture: colourful(width, height) },
      { model: watched },
      new AbortController().signal,
    )
  }
  expect(seen.map((dims) => dims.slice(2))).toEqual([
    [512, 768],
    [672, 512],
    [384, 672],
    [512, 512],
  ])
})

test('in a larger picture alpha follows its edges and is unchanged elsewhere', async () => {
  // Black and white halves whose border lies within a pixel of the network's input.
  const picture: Picture = { width: 320, height: 320, data: new Uint8ClampedArray(4 * 320 * 320).fill(255) }
  for (let i = 0; i < 320 * 320; i++) if (i % 320 < 163) picture.data.fill(0, 4 * i, 4 * i + 3)
  const alpha = await alphaOf('isnet-imgly', picture, {
    ...model(32, ['right'], 'Sigmoid'),
    constants: { weights: { dims: [1, 3, 1, 1], data: [10, 10, 10] }, bias: { dims: [1], data: [0] } },
  })
  const row = alpha.subarray(320 * 160, 320 * 161)
  expect(Math.max(...row.subarray(0, 158))).toBeLessThan(0.1)
  expect(Math.min(...row.subarray(168))).toBeGreaterThan(0.9)
  expect(row[164]! - row[161]!).toBeGreaterThan(0.7)
})

test('a network without channels in its output is refused by name', async () => {
  const wrong = { ...model(48, ['right']), outputs: [{ name: 'sum0', shape: [1, 1, 48, 48] }] }
  const flat = {
    ...wrong,
    operations: [...wrong.operations, { op: 'Shape', ins: ['sum0'], outs: ['shape'] }],
    outputs: [{ name: 'shape', type: 'int64' as const, shape: [4] }],
  }
  await expect(alphaOf('u2net', colourful(48, 48), flat)).rejects.toThrow('gave no channels as shape: int64 [4]')
})
