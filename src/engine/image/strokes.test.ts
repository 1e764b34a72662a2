import { expect, test } from 'vitest'
import type { Stroke } from '#shared/media.ts'
import { rasterizeStrokes } from './strokes.ts'

const line = (points: number[], size: number, mode: Stroke['mode'] = 'keep'): Stroke => ({
  mode,
  shape: 'line',
  size,
  points,
})
const rows = (strokes: Stroke[], width: number, height: number, scale = 1) => {
  const { data } = rasterizeStrokes(strokes, width, height, scale)
  return Array.from({ length: height }, (_, y) =>
    Array.from(data.subarray(y * width, (y + 1) * width), (value) =>
      value === 1 ? '#' : value === -1 ? '-' : '.',
    ).join(''),
  )
}

test('a line is as wide as its brush, with round ends', () => {
  expect(rows([line([3, 2.5, 6, 2.5], 3)], 9, 5)).toEqual([
    '.........',
    '..#####..',
    '.#######.',
    '..#####..',
    '.........',
  ])
})

test('a single point is a dot', () => {
  expect(rows([line([1.5, 1.5], 1)], 3, 3)).toEqual(['...', '.#.', '...'])
})

test('an area is filled with its outline, and later strokes overwrite earlier ones', () => {
  const area: Stroke = { mode: 'keep', shape: 'area', size: 1, points: [1, 1, 5, 1, 5, 4, 1, 4] }
  expect(rows([area, line([3, 2.5], 1, 'erase')], 7, 5)).toEqual([
    '######.',
    '######.',
    '##--##.',
    '######.',
    '######.',
  ])
})

test('strokes outside the picture are ignored, and scaling keeps positions', () => {
  expect(rows([line([-40, -40, -30, -30], 4)], 3, 3)).toEqual(['...', '...', '...'])
  expect(rows([line([30, 30], 20)], 6, 6, 0.1)).toEqual(rows([line([3, 3], 2)], 6, 6))
})
