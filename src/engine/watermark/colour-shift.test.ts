import { expect, test } from 'vitest'
import { createPlane } from '#engine/image/picture.ts'
import { keyedRandomness } from '../node/watermark-randomness.ts'
import { colourFeatures, colourShifter, resizeWork, workArea } from './colour-shift.ts'

test('every key shifts the colours of a smooth area by more than 30 dB allow', () => {
  const size = { width: 160, height: 120 }
  const work = { share: createPlane(40, 30, 1), colour: createPlane(40, 30) }
  for (let key = 0; key < 40; key++) {
    for (const luma of [0.1, 0.5, 0.75]) {
      const draws = keyedRandomness(new Uint8Array(32).fill(key), new Uint8ClampedArray([key, 1, 2, 3]))
      const features = colourFeatures([createPlane(8, 6, luma), createPlane(8, 6, 0.1), createPlane(8, 6, -0.05)], size)
      const { y, blue, red } = colourShifter(size, draws)(features, resizeWork(work, features))
      for (let i = 0; i < y.length; i++) {
        const [light, b, r] = [y[i], blue[i], red[i]] as [number, number, number]
        const squares = (light + 1.402 * r) ** 2 + (light - 0.344 * b - 0.714 * r) ** 2 + (light + 1.772 * b) ** 2
        // 8.06 levels are 30 dB; averages of several previews take away a part.
        if (squares / 3 < 12 ** 2) expect({ key, luma, levels: Math.sqrt(squares / 3) }).toBeNull()
      }
    }
  }
})

test('colours are the work where the input was grey, not on a person whose light was matched', () => {
  const even = (colour: number[]) => {
    const data = new Uint8ClampedArray(4 * 90 * 60)
    for (let at = 0; at < data.length; at += 4) data.set([...colour, 255], at)
    return { width: 90, height: 60, data }
  }
  const colourOf = (input: number[], result: number[]) => workArea(even(result), even(input))?.colour.data[300]
  expect(colourOf([150, 150, 150], [185, 141, 120])).toBeCloseTo(1)
  expect(colourOf([205, 150, 128], [211, 148, 122])).toBe(0)
})

test('most of a sample is lighter or darker rather than tinted', () => {
  const size = { width: 160, height: 120 }
  let lighter = 0
  for (let key = 0; key < 40; key++) {
    const draws = keyedRandomness(new Uint8Array(32).fill(key), new Uint8ClampedArray([key, 1, 2, 3]))
    const features = colourFeatures([createPlane(8, 6, 0.5), createPlane(8, 6, 0.1), createPlane(8, 6, -0.05)], size)
    const { y, blue, red } = colourShifter(size, draws)(features)
    lighter += y.filter((light, i) => Math.abs(light) > 2 * Math.hypot(blue[i] ?? 0, red[i] ?? 0)).length / y.length
  }
  expect(lighter / 40).toBeGreaterThan(0.6)
})
