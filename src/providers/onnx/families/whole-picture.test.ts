import { expect, test } from 'vitest'
import { colourful } from '#tests/support/colourful-picture.ts'
import { openModel, type TinyModel } from '#tests/support/onnx-models.ts'
import { colorization, contentSafety, depth, faceParsing } from './whole-picture.ts'

const { signal } = new AbortController()
const imageNet = (level: number, c: number) => (level / 255 - [0.485, 0.456, 0.406][c]!) / [0.229, 0.224, 0.225][c]!

/**
 * A 1×1 convolution, with an output channel for each row of weights, followed by the operations.
 */
function pixelwise(
  names: [input: string, output: string],
  weights: number[][],
  bias: number[],
  side: number | string,
  end: TinyModel['operations'][number] = { op: 'Identity', ins: ['sums'], outs: [names[1]] },
): TinyModel {
  return {
    inputs: [{ name: names[0], shape: [1, 3, side, typeof side === 'number' ? side : 'w'] }],
    outputs: [
      {
        name: names[1],
        shape: end.op === 'Squeeze' ? [1, 'H', 'W'] : end.op === 'Flatten' ? [1, 'n'] : [1, 'n', 'H', 'W'],
      },
    ],
    constants: {
      weights: { dims: [weights.length, 3, 1, 1], data: weights.flat() },
      bias: { dims: [bias.length], data: bias },
      axes: { type: 'int64', dims: [1], data: [1] },
    },
    operations: [{ op: 'Conv', ins: [names[0], 'weights', 'bias'], outs: ['sums'] }, end],
  }
}

test('depth is the network’s disparity from 0, far, to 1, near', async () => {
  const picture = colourful(56, 56)
  const end = { op: 'Squeeze', ins: ['sums', 'axes'], outs: ['predicted_depth'] }
  const model = await openModel(pixelwise(['pixel_values', 'predicted_depth'], [[3, -1, 2]], [7], 56, end))
  const { data } = (await depth.perform({ picture }, { model }, signal)).depth
  const sums = Array.from(data, (_, i) =>
    [3, -1, 2].reduce((sum, weight, c) => sum + weight * imageNet(picture.data[4 * i + c]!, c), 7),
  )
  const [least, greatest] = [Math.min(...sums), Math.max(...sums)]
  const off = sums.map((sum, i) => Math.abs(data[i]! - (sum - least) / (greatest - least)))
  expect(Math.max(...off)).toBeLessThan(1 / 255)
})

test('depth scales large pictures to 518 pixels on the shorter side, in multiples of 14', async () => {
  const end = { op: 'Squeeze', ins: ['sums', 'axes'], outs: ['predicted_depth'] }
  const session = await openModel(pixelwise(['pixel_values', 'predicted_depth'], [[1, 1, 1]], [0], 'h', end))
  const seen: number[][] = []
  const model: typeof session = {
    ...session,
    run: (feeds, wanted) => {
      seen.push([...feeds.pixel_values!.dims].slice(2))
      return session.run(feeds, wanted)
    },
  }
  for (const [width, height] of [
    [1200, 800],
    [700, 2800],
  ] as const) {
    const { depth: found } = await depth.perform({ picture: colourful(width, height) }, { model }, signal)
    expect([found.width, found.height]).toEqual([width, height])
  }
  expect(seen).toEqual([
    [518, 784],
    [1036, 266],
  ])
})

test('face parsing returns the most probable class of each pixel', async () => {
  const picture = colourful(32, 32)
  const weights = Array.from({ length: 19 }, (_, n) => [Math.sin(n), Math.cos(2 * n), Math.sin(3 * n + 1)])
  const bias = weights.map((_, n) => Math.cos(5 * n))
  const model = await openModel(pixelwise(['input', 'output'], weights, bias, 32))
  const { labels } = await faceParsing.perform({ picture }, { model }, signal)
  const wanted = Array.from({ length: 32 * 32 }, (_, i) => {
    const scores = weights.map((row, n) =>
      row.reduce((sum, weight, c) => sum + weight * imageNet(picture.data[4 * i + c]!, c), bias[n]!),
    )
    return scores.indexOf(Math.max(...scores))
  })
  expect(new Set(wanted).size).toBeGreaterThan(3)
  expect([...labels.data]).toEqual(wanted)
})

test.each([
  ['nsfw-marqo', [0.5, 0.5, 0.5], [0.5, 0.5, 0.5], [0]],
  ['nsfw-freepik', [0.48145466, 0.4578275, 0.40821073], [0.26862954, 0.26130258, 0.27577711], [2, 3]],
] as const)('%s: the share of the classes that must not be used', async (id, mean, deviation, unsafe) => {
  const picture = colourful(32, 32)
  const weights = Array.from({ length: id === 'nsfw-marqo' ? 2 : 4 }, (_, n) => [n, 1 - n, 0.5 * n])
  const bias = weights.map((_, n) => 0.3 * n)
  const tiny = pixelwise(['input', 'output'], weights, bias, 32, { op: 'Flatten', ins: ['mean'], outs: ['output'] })
  const model = await openModel({
    ...tiny,
    operations: [tiny.operations[0]!, { op: 'GlobalAveragePool', ins: ['sums'], outs: ['mean'] }, tiny.operations[1]!],
  })
  const family = contentSafety.find((candidate) => candidate.id === id)!
  const found = await family.perform({ picture }, { model }, signal)
  const means = [0, 1, 2].map((c) => {
    let sum = 0
    for (let i = c; i < picture.data.length; i += 4) sum += (picture.data[i]! / 255 - mean[c]!) / deviation[c]!
    return sum / (32 * 32)
  })
  const powers = weights.map((row, n) => Math.exp(row.reduce((sum, weight, c) => sum + weight * means[c]!, bias[n]!)))
  const share = unsafe.reduce<number>((sum, n) => sum + powers[n]!, 0) / powers.reduce((sum, power) => sum + power, 0)
  expect(Math.abs(found.unsafe - share)).toBeLessThan(1 / 255)
})

test('predicted colours are joined with the picture’s own lightness', async () => {
  const picture = colourful(64, 64)
  for (let i = 0; i < picture.data.length; i += 4) {
    const grey = 60 + (i / picture.data.length) * 120
    picture.data.fill(grey, i, i + 3)
  }
  // Red–green equals the input lightness, yellow–blue is always −12.
  const model = await openModel(
    pixelwise(
      ['input', 'output'],
      [
        [10, 10, 10],
        [0, 0, 0],
      ],
      [0, -12],
      64,
    ),
  )
  const { data } = (await colorization.perform({ picture }, { model }, signal)).picture
  let most = 0
  for (let i = 0; i < data.length; i += 4) {
    const wanted = levels(lightness(picture.data[i]!), (30 * picture.data[i]!) / 255, -12)
    for (let c = 0; c < 3; c++) most = Math.max(most, Math.abs(data[i + c]! - wanted[c]!))
  }
  expect(most).toBeLessThanOrEqual(1)
})

/** CIE 15. */
function lightness(level: number): number {
  const share = level / 255
  const light = share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  return light > 216 / 24389 ? 116 * Math.cbrt(light) - 16 : (24389 / 27) * light
}

/** CIELAB under D65 to sRGB. */
function levels(l: number, a: number, b: number): number[] {
  const y = (l + 16) / 116
  const [x, z] = [y + a / 500, y - b / 200]
  const cube = (f: number) => (f > 6 / 29 ? f ** 3 : 3 * (6 / 29) ** 2 * (f - 4 / 29))
  const [X, Y, Z] = [0.95047 * cube(x), cube(y), 1.08883 * cube(z)]
  return [
    3.2404542 * X - 1.5371385 * Y - 0.4985314 * Z,
    -0.969266 * X + 1.8760108 * Y + 0.041556 * Z,
    0.0556434 * X - 0.2040259 * Y + 1.0572252 * Z,
  ].map((light) => 255 * (light <= 0.0031308 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055))
}
