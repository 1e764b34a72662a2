import { describe, expect, test } from 'vitest'
import { createPlane, type Picture, type Plane } from '#engine/image/picture.ts'
import { randomSequence } from '#engine/image/random.ts'
import { colourful } from '#tests/support/colourful-picture.ts'
import { openModel, type TinyModel, withColoursLast } from '#tests/support/onnx-models.ts'
import { inpainting } from './inpainting.ts'

const filling = [200, 90, 30]

const migan: TinyModel = {
  inputs: [
    { name: 'image', type: 'uint8', shape: [1, 3, 'h', 'w'] },
    { name: 'mask', type: 'uint8', shape: [1, 1, 'h', 'w'] },
  ],
  outputs: [{ name: 'result', type: 'uint8', shape: [1, 3, 'h', 'w'] }],
  constants: { filling: { type: 'uint8', dims: [1, 3, 1, 1], data: filling } },
  operations: [
    { op: 'Cast', ins: ['mask'], outs: ['kept'], attributes: { to: 9 } },
    { op: 'Where', ins: ['kept', 'image', 'filling'], outs: ['result'] },
  ],
}

const lama = (side: number): TinyModel => ({
  inputs: [
    { name: 'image', shape: [1, 3, side, side] },
    { name: 'mask', shape: [1, 1, side, side] },
  ],
  outputs: [{ name: 'output', shape: [1, 3, side, side] }],
  constants: {
    one: { dims: [1], data: [1] },
    most: { dims: [1], data: [255] },
    filling: { dims: [1, 3, 1, 1], data: filling },
  },
  operations: [
    { op: 'Sub', ins: ['one', 'mask'], outs: ['kept'] },
    { op: 'Mul', ins: ['image', 'kept'], outs: ['known'] },
    { op: 'Mul', ins: ['known', 'most'], outs: ['levels'] },
    { op: 'Mul', ins: ['filling', 'mask'], outs: ['filled'] },
    { op: 'Add', ins: ['levels', 'filled'], outs: ['output'] },
  ],
})

async function fill(id: string, tiny: TinyModel, picture: Picture, mask: Plane): Promise<Picture> {
  const family = inpainting.find((candidate) => candidate.id === id)!
  return (await family.perform({ picture, mask }, { model: await openModel(tiny) }, new AbortController().signal))
    .picture
}

/** A box of 1 with a rim of a half. */
function boxMask(width: number, height: number, left: number, top: number, side: number): Plane {
  const mask = createPlane(width, height)
  for (let y = top - 1; y <= top + side; y++) {
    for (let x = left - 1; x <= left + side; x++) {
      const inside = x >= left && x < left + side && y >= top && y < top + side
      mask.data[y * width + x] = inside ? 1 : 0.5
    }
  }
  return mask
}

describe.each([
  ['migan', migan],
  ['lama', lama(64)],
  ['lama', withColoursLast(lama(64))],
] as const)('%s', (id, tiny) => {
  test('blends the filling by the mask and changes no other pixel', async () => {
    const [width, height] = id === 'lama' ? [64, 64] : [700, 560]
    const picture = colourful(width, height)
    const mask = boxMask(width, height, 20, 30, 16)
    const { data } = await fill(id, tiny, picture, mask)
    let most = 0
    for (let i = 0; i < mask.data.length; i++) {
      for (let c = 0; c < 3; c++) {
        const own = picture.data[4 * i + c]!
        const wanted = own + mask.data[i]! * (filling[c]! - own)
        most = Math.max(
          most,
          mask.data[i] === 0 ? 255 * Math.abs(data[4 * i + c]! - own) : Math.abs(data[4 * i + c]! - wanted),
        )
      }
    }
    expect(most).toBeLessThanOrEqual(1)
  })
})

test('a hole in a large picture is cropped to a square around it, and distant holes separately', async () => {
  const picture = colourful(2000, 900)
  const mask = boxMask(2000, 900, 300, 400, 20)
  for (const [i, value] of boxMask(2000, 900, 1600, 100, 300).data.entries()) if (value > 0) mask.data[i] = value
  const session = await openModel(migan)
  const seen: number[][] = []
  const watched: typeof session = {
    ...session,
    run: (feeds, wanted) => {
      seen.push([...feeds.image!.dims].slice(2))
      return session.run(feeds, wanted)
    },
  }
  await inpainting[0]!.perform({ picture, mask }, { model: watched }, new AbortController().signal)
  expect(seen.sort((a, b) => a[0]! - b[0]!)).toEqual([
    [512, 512],
    [604, 604],
  ])
})

test('the filling has the grain of its surroundings', async () => {
  const picture = colourful(520, 520)
  const random = randomSequence(7)
  for (let i = 0; i < picture.data.length; i++) {
    if (i % 4 < 3) picture.data[i] = 120 + 24 * (random() + random() + random() - 1.5)
  }
  const mask = boxMask(520, 520, 200, 200, 90)
  const { data } = await fill('migan', migan, picture, mask)
  const deviation = (left: number, top: number) => {
    const values: number[] = []
    for (let y = top; y < top + 60; y++)
      for (let x = left; x < left + 60; x++) values.push(data[4 * (520 * y + x) + 1]!)
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length
    return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length)
  }
  const outside = deviation(50, 200)
  expect(outside).toBeGreaterThan(10)
  expect(Math.abs(deviation(215, 215) - outside)).toBeLessThan(0.15 * outside)
})
