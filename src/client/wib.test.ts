import { expect, test } from 'vitest'
import { presetDays } from './wib.ts'

test('presets of days follow western Indonesian time, also over the turn of a year', () => {
  // 1 January in Jakarta, still 31 December in UTC.
  const days = presetDays(Date.parse('2026-12-31T20:00:00Z'))
  expect(days.today).toEqual({ from: '2027-01-01', to: '2027-01-01' })
  expect(days.yesterday).toEqual({ from: '2026-12-31', to: '2026-12-31' })
  expect(days.days_7).toEqual({ from: '2026-12-26', to: '2027-01-01' })
  expect(days.month).toEqual({ from: '2027-01-01', to: '2027-01-01' })
  expect(days.last_month).toEqual({ from: '2026-12-01', to: '2026-12-31' })
  expect(presetDays(Date.parse('2028-03-15T00:00:00Z')).last_month).toEqual({ from: '2028-02-01', to: '2028-02-29' })
  expect(days.year).toEqual({ from: '2027-01-01', to: '2027-01-01' })
})
