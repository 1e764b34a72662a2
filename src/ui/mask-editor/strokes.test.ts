import { expect, test } from 'vitest'
import { simplify } from './outline.ts'
import { overlaySize } from './paint.ts'
import {
  addStroke,
  clearStrokes,
  historyOf,
  maxUndo,
  redo,
  type Stroke,
  strokesInPixels,
  strokesInShares,
  undo,
} from './strokes.ts'

const line = (points: number[], mode: Stroke['mode'] = 'keep'): Stroke => ({ mode, shape: 'line', size: 0.04, points })

test('strokes are undone and redone in their order', () => {
  const [a, b] = [line([0, 0]), line([1, 1], 'erase')]
  const two = addStroke(addStroke(historyOf([]), a), b)
  expect(undo(two).strokes).toEqual([a])
  expect(undo(undo(two)).strokes).toEqual([])
  expect(undo(undo(undo(two))).strokes).toEqual([])
  expect(redo(undo(two)).strokes).toEqual([a, b])
  expect(redo(two)).toBe(two)
})

test('a new stroke after undo leaves nothing to redo', () => {
  const history = addStroke(undo(addStroke(historyOf([]), line([0, 0]))), line([0.5, 0.5]))
  expect(redo(history)).toBe(history)
})

test('removing all strokes can be undone', () => {
  const history = clearStrokes(addStroke(historyOf([]), line([0, 0])))
  expect(history.strokes).toEqual([])
  expect(undo(history).strokes).toHaveLength(1)
  expect(clearStrokes(historyOf([])).past).toEqual([])
})

test('the number of undo steps is limited', () => {
  let history = historyOf([])
  for (let i = 0; i < maxUndo + 20; i++) history = addStroke(history, line([i / 100, 0]))
  expect(history.past).toHaveLength(maxUndo)
  expect(history.strokes).toHaveLength(maxUndo + 20)
})

test('points on a straight line are left out, corners stay', () => {
  expect(simplify([0, 0, 0.25, 0.001, 0.5, 0, 0.5, 0.5], 0.01)).toEqual([0, 0, 0.5, 0, 0.5, 0.5])
  expect(simplify([0.2, 0.3], 0.01)).toEqual([0.2, 0.3])
  expect(simplify([0, 0, 1, 1], 0.01)).toEqual([0, 0, 1, 1])
})

test('a drawn circle keeps its shape with few points', () => {
  const circle = Array.from({ length: 400 }, (_, i) => {
    const angle = (2 * Math.PI * (i >> 1)) / 199
    return 0.5 + 0.3 * (i % 2 === 0 ? Math.cos(angle) : Math.sin(angle))
  })
  const few = simplify(circle, 0.002)
  expect(few.length).toBeLessThan(100)
  for (let i = 0; i < few.length; i += 2) {
    expect(Math.hypot((few[i] as number) - 0.5, (few[i + 1] as number) - 0.5)).toBeCloseTo(0.3, 6)
  }
})

test('strokes restored from pixels differ by at most half a pixel', () => {
  const size = { width: 4000, height: 3000 }
  const strokes = [line([0.123, 0.456, 0.9, 0.1])]
  const [pixels] = strokesInPixels(strokes, size)
  expect(pixels).toMatchObject({ size: 160, points: [492, 1368, 3600, 300] })
  const [again] = strokesInShares([pixels!], size)
  for (const [i, share] of again!.points.entries()) expect(share).toBeCloseTo(strokes[0]!.points[i] as number, 3)
})

test('the canvas that is painted on stays small, with the proportions of the picture', () => {
  expect(overlaySize({ width: 4000, height: 3000 })).toEqual({ width: 1024, height: 768 })
  expect(overlaySize({ width: 300, height: 200 })).toEqual({ width: 300, height: 200 })
  expect(overlaySize({ width: 20_000, height: 3 })).toEqual({ width: 1024, height: 1 })
})
