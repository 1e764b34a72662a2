import { expect, test } from 'vitest'
import { parseNumber } from './parse-number.ts'

test.each([
  ['1,5', 1.5],
  ['1.5', 1.5],
  [' 40 ', 40],
  ['-3', -3],
  ['0.125', 0.125],
  ['48.500', 48_500],
  ['48,500', 48_500],
  ['1.250.000', 1_250_000],
  ['1.250.000,50', 1_250_000.5],
  ['1,250,000.5', 1_250_000.5],
  ['', null],
  ['1.25.000', '1.25.000'],
  ['12 rupiah', '12 rupiah'],
])('%s is read as %s', (typed, value) => {
  expect(parseNumber(typed)).toBe(value)
})
