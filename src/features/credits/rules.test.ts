import { expect, test } from 'vitest'
import { creditNotice } from './rules.ts'

const now = Date.parse('2026-11-26T08:00:00Z')
const owned = (credits: number, given = 100) => ({ credits, given, unlimitedUntil: null })

test('credits run low at a fifth of what was given', () => {
  expect([creditNotice(owned(21), 5, now), creditNotice(owned(20), 5, now)]).toEqual([null, 'low'])
})

test('too few credits for another generation is reported first, whatever was granted', () => {
  expect(creditNotice(owned(4, 10), 5, now)).toBe('too-few')
  expect(creditNotice(owned(5, 10), 5, now)).toBeNull()
  expect(creditNotice(owned(0, 0), 5, now)).toBe('too-few')
})

test('no notice without granted credits, nor during an unlimited package', () => {
  expect(creditNotice(owned(0, 0), null, now)).toBeNull()
  const unlimited = { ...owned(0), unlimitedUntil: '2026-11-27T08:00:00Z' }
  expect(creditNotice(unlimited, 5, now)).toBeNull()
  expect(creditNotice({ ...unlimited, unlimitedUntil: '2026-11-25T08:00:00Z' }, 5, now)).toBe('too-few')
})
