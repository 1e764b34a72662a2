import { expect, test } from 'vitest'
import { createPlane } from '#engine/image/picture.ts'
import { findCloseUps } from './close-ups.ts'

const frame = { width: 800, height: 400 }

/** A mask with people as blocks of columns, `rows` high from the bottom. */
function maskOf(...people: [from: number, to: number, rows: number][]) {
  const mask = createPlane(200, 100)
  for (const [from, to, rows] of people) {
    for (let y = 100 - rows; y < 100; y++) mask.data.fill(1, y * 200 + from, y * 200 + to)
  }
  return mask
}
const columns = (mask: ReturnType<typeof maskOf>) => findCloseUps(mask, frame).map(({ from, to }) => [from, to])

test('people who stand apart get separate close-ups', () => {
  expect(columns(maskOf([20, 60, 70], [120, 160, 80]))).toEqual([
    [0, 90],
    [90, 200],
  ])
})

test('people who touch are split where they are narrow', () => {
  const found = columns(maskOf([20, 60, 70], [60, 120, 15], [120, 160, 80]))
  expect(found).toHaveLength(2)
  expect(found[0]?.[1]).toBe(found[1]?.[0])
  expect(found[0]?.[1]).toBeGreaterThanOrEqual(60)
  expect(found[0]?.[1]).toBeLessThanOrEqual(120)
})

test('a person with a held object is not split and takes all columns of the mask', () => {
  expect(columns(maskOf([60, 110, 80], [110, 140, 22]))).toEqual([[0, 200]])
  expect(columns(maskOf([60, 105, 80], [115, 140, 22]))).toEqual([[0, 200]])
})

test('a close-up is larger than its person and inside the frame', () => {
  const found = findCloseUps(maskOf([60, 110, 80]), frame)
  expect(found).toHaveLength(1)
  const { place } = found[0]!
  expect(place.x).toBeLessThan(240)
  expect(place.x + place.width).toBeGreaterThan(440)
  expect(place.y + place.height).toBeLessThanOrEqual(400)
})

test('a person who fills a tall frame gets a close-up', () => {
  const tall = { width: 400, height: 800 }
  const mask = createPlane(100, 200)
  mask.data.fill(1, 100 * 40)
  expect(findCloseUps(mask, tall)).toEqual([{ place: { x: 0, y: 45, width: 400, height: 755 }, from: 0, to: 100 }])
})

test('there are no close-ups for an empty frame, a person who fills it, or a crowd', () => {
  expect(findCloseUps(createPlane(200, 100), frame)).toEqual([])
  expect(findCloseUps(maskOf([10, 190, 95]), frame)).toEqual([])
  expect(findCloseUps(maskOf([0, 30, 90], [50, 80, 90], [100, 130, 90], [150, 190, 90]), frame)).toEqual([])
})
