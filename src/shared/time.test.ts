import { expect, test } from 'vitest'
import { addTime, wibDay } from './time.ts'

const moment = new Date('2026-02-28T20:00:00Z')

test('lengths of time add up, and negative ones lead back', () => {
  expect(addTime(moment, { days: 1, hours: 2, minutes: 3, seconds: 4 }).toISOString()).toBe('2026-03-01T22:03:04.000Z')
  expect(addTime(moment, { days: -28 }).toISOString()).toBe('2026-01-31T20:00:00.000Z')
})

test('a day in western Indonesia begins at 17.00 UTC', () => {
  expect(wibDay(moment)).toBe('2026-03-01')
  expect(wibDay('2026-02-28T16:59:59.999Z')).toBe('2026-02-28')
})
