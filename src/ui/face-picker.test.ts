import { expect, test } from 'vitest'
import { facePositions, togglePicked } from './face-picker.tsx'

const face = (x: number, y: number) => ({ box: { x, y, width: 100, height: 100 } })

test('faces are numbered from left to right and stay within the picture', () => {
  const positions = facePositions([face(700, 100), face(0, 50)], { width: 800, height: 400 })
  expect(positions.map(({ index }) => index)).toEqual([1, 0])
  expect(positions[0]?.left).toBe(0)
  expect(positions[0]?.width).toBeCloseTo(14)
  expect(positions[0]?.top).toBeCloseTo(9.5)
  expect((positions[1]?.left ?? 0) + (positions[1]?.width ?? 0)).toBeCloseTo(100)
})

test('a second tap deselects a face, and one too many replaces the face picked first', () => {
  expect(togglePicked([], 3, 2)).toEqual([3])
  expect(togglePicked([3], 3, 2)).toEqual([])
  expect(togglePicked([3, 1], 0, 2)).toEqual([1, 0])
  expect(togglePicked([2], 0, 1)).toEqual([0])
})
