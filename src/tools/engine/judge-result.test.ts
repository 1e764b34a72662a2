import { expect, test } from 'vitest'
import { createPlane, type Picture } from '#engine/image/picture.ts'
import { isUsableEnlargement, isUsableFill } from './judge-result.ts'

type Colour = (x: number, y: number) => [number, number, number]
function picture(side: number, colour: Colour): Picture {
  const data = new Uint8ClampedArray(4 * side * side)
  for (let i = 0; i < side * side; i++) {
    data.set([...colour((i % side) / side, Math.floor(i / side) / side), 255], 4 * i)
  }
  return { width: side, height: side, data }
}
const meadow: Colour = (x, y) => [60 + 40 * x, 120 + 60 * y, 50]
const isMarked = (x: number, y: number) => Math.hypot(x - 0.5, y - 0.5) < 0.2
const withBall: Colour = (x, y) => (isMarked(x, y) ? [230, 30, 30] : meadow(x, y))

test('a fill must remove the object and continue its surroundings', () => {
  const source = picture(64, withBall)
  const mask = createPlane(64, 64)
  for (let i = 0; i < mask.data.length; i++) mask.data[i] = Number(isMarked((i % 64) / 64, Math.floor(i / 64) / 64))
  expect(isUsableFill(source, picture(64, meadow), mask)).toBe(true)
  expect(isUsableFill(source, source, mask)).toBe(false)
  expect(
    isUsableFill(
      source,
      picture(64, () => [0, 0, 0]),
      mask,
    ),
  ).toBe(false)
})

test('an enlarged picture must be the same picture when it is reduced again', () => {
  const source = picture(64, withBall)
  expect(isUsableEnlargement(source, picture(128, withBall))).toBe(true)
  expect(
    isUsableEnlargement(
      source,
      picture(128, (x, y) => withBall(y, x).toReversed() as never),
    ),
  ).toBe(false)
  expect(
    isUsableEnlargement(
      source,
      picture(128, () => [10, 10, 10]),
    ),
  ).toBe(false)
})
