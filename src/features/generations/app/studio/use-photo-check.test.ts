import { expect, test } from 'vitest'
import { ApiError } from '#client/api.ts'
import { busyState } from './use-photo-check.ts'

const busy = new ApiError(503, { code: 'server.busy' })
const refused = new ApiError(422, { code: 'upload.unreadable' })

test.each([
  ['a check that was not answered yet', { error: null, failureReason: null, isFetching: true }, null],
  ['one that is tried again at a busy server', { error: null, failureReason: busy, isFetching: true }, 'checking'],
  ['one that was given up there', { error: busy, failureReason: busy, isFetching: false }, 'unchecked'],
  ['one that was refused', { error: refused, failureReason: refused, isFetching: false }, null],
  ['one that ended well at last', { error: null, failureReason: null, isFetching: false }, null],
] as const)('%s', (_, query, state) => {
  expect(busyState(query)).toBe(state)
})
