import { expect, test } from 'vitest'
import { boxBetween, boxInPixels, clampView, moveBox, resizeBox, wholePicture, zoomAt } from './geometry.ts'

const window = { width: 400, height: 300 }

test('zooming keeps the point under the fingers where it is', () => {
  const point = { x: 50, y: -40 }
  const view = zoomAt(wholePicture, 3, point, window)
  expect(view.scale).toBe(3)
  expect((point.x - view.x) / view.scale).toBeCloseTo(point.x)
  expect((point.y - view.y) / view.scale).toBeCloseTo(point.y)
})

test('the picture never leaves its window and never shrinks below it', () => {
  expect(clampView({ scale: 2, x: 9999, y: -9999 }, window)).toEqual({ scale: 2, x: 200, y: -150 })
  expect(zoomAt({ scale: 4, x: 300, y: 100 }, 0.01, { x: 0, y: 0 }, window)).toEqual(wholePicture)
  expect(zoomAt(wholePicture, 99, { x: 0, y: 0 }, window).scale).toBe(8)
})

test('a selection may be drawn from any corner and stays inside the picture', () => {
  expect(boxBetween({ x: 0.8, y: 0.9 }, { x: 0.2, y: 0.4 })).toEqual({
    x: 0.2,
    y: 0.4,
    width: expect.closeTo(0.6),
    height: 0.5,
  })
  const edge = boxBetween({ x: 1, y: 1 }, { x: 1.4, y: 1.2 })
  expect(edge.x + edge.width).toBeLessThanOrEqual(1)
  expect(edge.width).toBeGreaterThan(0)
})

test('moving stops at the edges and keeps the size', () => {
  expect(moveBox({ x: 0.5, y: 0.5, width: 0.4, height: 0.4 }, 0.5, -0.9)).toEqual({
    x: 0.6,
    y: 0,
    width: 0.4,
    height: 0.4,
  })
})

test('a handle drags only its own edges and never turns the rectangle inside out', () => {
  const box = { x: 0.2, y: 0.2, width: 0.4, height: 0.4 }
  const wider = resizeBox(box, 'e', 0.2, 0.3)
  expect(wider.width).toBeCloseTo(0.6)
  expect(wider.height).toBeCloseTo(0.4)
  const squeezed = resizeBox(box, 'nw', 5, 5)
  expect(squeezed.width).toBeGreaterThan(0)
  expect(squeezed.x + squeezed.width).toBeCloseTo(0.6)
})

test('in pixels a selection is whole, inside the picture and at least 8 pixels wide', () => {
  expect(boxInPixels({ x: 0.1, y: 0.25, width: 0.5, height: 0.5 }, { width: 1001, height: 750 })).toEqual({
    x: 100,
    y: 188,
    width: 501,
    height: 375,
  })
  const tiny = boxInPixels({ x: 0.97, y: 0.97, width: 0.03, height: 0.03 }, { width: 40, height: 40 })
  expect(tiny).toEqual({ x: 32, y: 32, width: 8, height: 8 })
})
