import { expect, test } from 'vitest'
import { createPlane, type Picture } from '#engine/image/picture.ts'
import { stylize } from './index.ts'

const side = 160
const isIn = (i: number, top: number, bottom: number, left: number, right: number) =>
  i % side >= left && i % side < right && i >= top * side && i < bottom * side

/** Brown skin with a black brow, of which the mask also covers skin. */
function face(): { picture: Picture; features: ReturnType<typeof createPlane> } {
  const data = new Uint8ClampedArray(4 * side * side)
  const features = createPlane(side, side)
  for (let i = 0; i < side * side; i++) {
    data.set(isIn(i, 76, 84, 50, 110) ? [52, 40, 36, 255] : [176, 124, 96, 255], 4 * i)
    features.data[i] = isIn(i, 70, 90, 40, 120) ? 1 : 0
  }
  return { picture: { width: side, height: side, data }, features }
}

test('animation keeps a brow dark and the skin around it as light as elsewhere', () => {
  const { picture, features } = face()
  const options = { strength: 0.6, lines: false, rim: false, face: createPlane(side, side, 1), eyes: [] }
  const { data } = stylize(picture, { style: 'anime', ...options, features })
  const greenAt = (x: number, y: number) => data[4 * (y * side + x) + 1] as number
  const skin = greenAt(80, 40)
  expect(greenAt(80, 80) / skin).toBeLessThan(0.4)
  expect(greenAt(80, 73) / skin).toBeGreaterThan(0.9)
})
