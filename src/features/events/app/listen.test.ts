import { expect, test } from 'vitest'
import { reconnectDelay } from './listen.ts'

test('retry delays double up to half a minute, and differ between devices', () => {
  expect([0, 1, 2, 9].map((attempt) => reconnectDelay(attempt, () => 0.5))).toEqual([1000, 2000, 4000, 30_000])
  expect(reconnectDelay(3, () => 0)).toBeLessThan(reconnectDelay(3, () => 0.99))
})
