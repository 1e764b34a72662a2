import { expect, test } from 'vitest'
import { splitBesideSubject } from './reveal-animation.ts'

function columns(from: number, to: number): Uint8ClampedArray {
  const pixels = new Uint8ClampedArray(400)
  for (let i = 0; i < 100; i++) pixels[4 * i + 3] = i % 10 >= from && i % 10 <= to ? 255 : 0
  return pixels
}

test('the line is to the left of the subject, so that the result is visible and not the original', () => {
  expect(splitBesideSubject(columns(3, 8), 10)).toBe(30)
  expect(splitBesideSubject(columns(2, 5), 10)).toBe(20)
})

test('the line is in the middle without transparency, never at the very edge, and leaves most of the result visible', () => {
  expect(splitBesideSubject(columns(0, 9), 10)).toBe(50)
  expect(splitBesideSubject(columns(0, 5), 10)).toBe(12)
  expect(splitBesideSubject(columns(8, 9), 10)).toBe(40)
})
