import { expect, test } from 'vitest'
import { anonymizeMessage, fingerprintOf, framesOf } from './error-reports.ts'

const of = (given: Partial<Parameters<typeof fingerprintOf>[0]> = {}) =>
  fingerprintOf({ part: 'page', version: '1.2.3', message: 'TypeError: x is null', place: 'main-a.js:3:14', ...given })

test.each([
  ['Error: 12 of 99 parts', 'Error: 7 of 8 parts'],
  ['Error: row a1f9 is gone', 'Error: row b77c is gone'],
  ['Error:  lost\n connection', 'error: lost connection'],
])('%j and %j are the same error', (one, other) => {
  expect(of({ message: one })).toBe(of({ message: other }))
})

test.each([
  [{ message: 'TypeError: y is null' }],
  [{ version: '1.2.4' }],
  [{ part: 'worker' }],
  [{ place: 'main-a.js:4:14' }],
])('%j is a different error', (given) => {
  expect(of(given)).not.toBe(of())
})

test('callers further down the stack do not change the fingerprint', () => {
  expect(of({ place: 'main-a.js:3:14 other-b.js:1:1' })).toBe(of())
})

test('addresses, quoted texts, long words and numbers are removed from a message', () => {
  const message =
    'Error: "Foto liburan" of sari@contoh.id at https://rupa.test/a/b?c=d, /reset-password/abc, blob:https://x/y, 12345678 and/or more'
  expect(anonymizeMessage(message)).toBe('Error: "…" of … at … … … … and/or more')
  expect(framesOf('at secret (https://rupa.test/assets/main-Ab1.js:3:14) at https://rupa.test/history?q=sari')).toBe(
    'main-Ab1.js:3:14',
  )
})
