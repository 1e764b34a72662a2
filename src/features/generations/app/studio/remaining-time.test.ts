import { expect, test } from 'vitest'
import { remainingSeconds } from './remaining-time.tsx'

const begin = { progress: 0.1, at: 1000 }

test('a generation that did a tenth in ten seconds needs eighty more, shown as two minutes', () => {
  expect(remainingSeconds(begin, { progress: 0.2, at: 11_000 })).toBe(120)
})

test('below a minute the seconds are shown in steps of five', () => {
  expect(remainingSeconds(begin, { progress: 0.6, at: 21_000 })).toBe(20)
})

test('no time is shown too early, with hardly any progress, or just before the end', () => {
  expect(remainingSeconds(begin, { progress: 0.5, at: 3000 })).toBeNull()
  expect(remainingSeconds(begin, { progress: 0.11, at: 60_000 })).toBeNull()
  expect(remainingSeconds(begin, { progress: 0.95, at: 31_000 })).toBeNull()
})
