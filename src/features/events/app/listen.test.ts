import { expect, test } from 'vitest'
import { reconnectDelay } from './listen.ts'

test('waiting times double up to half a minute, and differ from device to device', () => {
  expect([0, 1, 2, 9].map((attempt) => reconnectDelay(attempt, () => 0.5))).toEqual([1000, 2000, 4000, 30_000])
  expect(reconnectDelay(3, () => 0)).toBeLessThan(reconnectDelay(3, () => 0.99))
})
