import { expect, test } from 'vitest'
import { withRequiredMark } from './tools.ts'

test('a mark required by admins is always on, and only for tools that have one', () => {
  const params = { mark: false, format: 'jpeg' }
  expect(withRequiredMark({ mark: 'mark' }, params, { markRequired: true })).toEqual({ ...params, mark: true })
  expect(withRequiredMark({ mark: 'mark' }, params, { markRequired: false })).toEqual(params)
  expect(withRequiredMark({}, params, { markRequired: true })).toEqual(params)
})
