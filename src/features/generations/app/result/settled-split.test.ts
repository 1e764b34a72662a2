import { expect, test } from 'vitest'
import { splitBeside } from './settled-split.ts'

/** A square of 10 × 10 whose columns from one to another are visible. */
function columns(from: number, to: number): Uint8ClampedArray {
  const pixels = new Uint8ClampedArray(400)
  for (let i = 0; i < 100; i++) pixels[4 * i + 3] = i % 10 >= from && i % 10 <= to ? 255 : 0
  return pixels
}

test('the line stands beside the subject, on the side with more free space', () => {
  expect(splitBeside(columns(4, 8), 10)).toBe(40)
  expect(splitBeside(columns(1, 5), 10)).toBe(60)
})

test('it stands in the middle of a picture without transparency, and never at the very edge', () => {
  expect(splitBeside(columns(0, 9), 10)).toBe(50)
  expect(splitBeside(columns(0, 0), 0 + 10)).toBe(12)
  expect(splitBeside(columns(0, 8), 10)).toBe(88)
})
