import { expect, test } from 'vitest'
import { splitMoments } from './days.ts'

const at = (text: string) => new Date(`${text}+07:00`)
const since = '2026-03-10'

test('whole closed days are read from their daily counts, and the rest on either side from the rows', () => {
  expect(splitMoments({ from: at('2026-03-01T12:00'), to: at('2026-03-11T08:00') }, since)).toEqual({
    closed: { from: '2026-03-02', to: '2026-03-10' },
    open: [
      { from: at('2026-03-01T12:00'), to: at('2026-03-02T00:00') },
      { from: at('2026-03-10T00:00'), to: at('2026-03-11T08:00') },
    ],
  })
})

test('ranges that begin and end at midnight leave no rest', () => {
  const asked = { from: at('2026-03-01T00:00'), to: at('2026-03-03T00:00') }
  expect(splitMoments(asked, since)).toEqual({ closed: { from: '2026-03-01', to: '2026-03-03' }, open: [] })
})

test('without a bound, all closed days count and the open rest has no end', () => {
  expect(splitMoments({}, since)).toEqual({
    closed: { to: '2026-03-10' },
    open: [{ from: at('2026-03-10T00:00'), to: undefined }],
  })
})

test.each([
  ['nothing is closed', { from: at('2026-03-01T00:00'), to: at('2026-03-05T00:00') }, undefined],
  ['it is all within a day', { from: at('2026-03-01T01:00'), to: at('2026-03-01T23:00') }, since],
  ['it is all in open days', { from: at('2026-03-10T00:00'), to: at('2026-03-12T00:00') }, since],
  ['it ends before it begins', { from: at('2026-03-05T00:00'), to: at('2026-03-01T00:00') }, since],
  ['half a closed day touches the open ones', { from: at('2026-03-09T12:00') }, since],
])('everything is read as it is where %s', (_, asked, day) => {
  expect(splitMoments(asked, day)).toEqual({ open: [asked] })
})
