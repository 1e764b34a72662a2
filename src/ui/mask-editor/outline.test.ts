import { expect, test } from 'vitest'
import { outlineOf } from './outline.ts'

test('the outline of a region runs around it once', () => {
  const mask = new Uint8Array(100)
  for (let y = 2; y < 6; y++) for (let x = 3; x < 8; x++) mask[y * 10 + x] = 1
  const outline = outlineOf(mask, 10, 10)
  const xs = outline.filter((_, i) => i % 2 === 0)
  const ys = outline.filter((_, i) => i % 2 === 1)
  expect([Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]).toEqual([0.35, 0.75, 0.25, 0.55])
  expect(outline.length / 2).toBe(14)
})

test('a single pixel has an outline of one point, an empty region has none', () => {
  const mask = new Uint8Array(9)
  expect(outlineOf(mask, 3, 3)).toEqual([])
  mask[4] = 1
  expect(outlineOf(mask, 3, 3)).toEqual([0.5, 0.5])
})
