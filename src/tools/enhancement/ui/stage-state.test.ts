import { expect, test } from 'vitest'
import { detailStage, partAround } from './stage-state.ts'

test('a detail lies around its spot, within half of the picture, and smaller where the result becomes larger', () => {
  const picture = { width: 1000, height: 700 }
  expect(partAround({ x: 0.5, y: 0.5 }, picture, 1)).toEqual({ x: 372, y: 222, width: 256, height: 256 })
  expect(partAround({ x: 0, y: 1 }, picture, 4)).toEqual({ x: 0, y: 572, width: 128, height: 128 })
  expect(partAround({ x: 0.9, y: 0.2 }, { width: 300, height: 90 }, 2)).toEqual({
    x: 150,
    y: 0,
    width: 150,
    height: 45,
  })
})

test('the detail is not part of a generation, and is on a result only after it was requested', () => {
  const size = { width: 100, height: 100 }
  const closed = { spot: null }
  const open = { spot: { x: 0.2, y: 0.3 } }
  expect(detailStage.params(open, size, {}, null)).toEqual({})
  expect([detailStage.active(closed, 'before', {}), detailStage.active(closed, 'after', {})]).toEqual([true, false])
  expect(detailStage.active(open, 'after', {})).toBe(true)
})
