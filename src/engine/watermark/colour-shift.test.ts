import { expect, test } from 'vitest'
import { createPlane } from '#engine/image/picture.ts'
import { keyedRandomness } from '../node/watermark-randomness.ts'
import { colourFeatures, colourShifter, resizeWork } from './colour-shift.ts'

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
