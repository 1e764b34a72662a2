import { expect, test } from 'vitest'
import { createUrgencyQueue } from './urgency.ts'

test('gives the most urgent pixel, of equals the first, whatever changed in between', () => {
  const queue = createUrgencyQueue(200)
  const urgencies = new Map<number, number>()
  const set = (pixel: number, urgency: number): void => {
    queue.set(pixel, urgency)
    urgencies.set(pixel, urgency)
  }
  for (let pixel = 0; pixel < 200; pixel++) set(pixel, (pixel * 37) % 50)
  for (let pixel = 0; pixel < 200; pixel += 3) set(pixel, (pixel * 11) % 70)
  for (let pixel = 0; pixel < 200; pixel += 7) {
    queue.delete(pixel)
    urgencies.delete(pixel)
  }
  const expected = [...urgencies].sort(([a, more], [b, less]) => less - more || a - b).map(([pixel]) => pixel)
  const found: number[] = []
  for (let pixel = queue.first(); pixel >= 0; pixel = queue.first()) {
    found.push(pixel)
    queue.delete(pixel)
  }
  expect(found).toEqual(expected)
})
