import { expect, test } from 'vitest'
import { landingOf, targetOf } from './redirect-target.ts'

test('staff land in their area, others on the target of the navigation, else at home', () => {
  expect(landingOf({ role: 'admin' }, '/billing')).toBe('/admin/dashboard')
  expect(landingOf({ role: 'designer' }, '/billing')).toBe('/admin/request-custom')
  expect(landingOf({ role: 'user' }, '/billing')).toBe('/billing')
  expect(landingOf({ role: 'user' }, null)).toBe('/')
})

test('only addresses within the app count as a target', () => {
  expect(targetOf({ from: '/ai-background-removal?a=1' })).toBe('/ai-background-removal?a=1')
  for (const from of [
    'https://elsewhere.example',
    '//elsewhere.example',
    '/\\elsewhere.example',
    '/%2f/elsewhere.example',
    'javascript:0',
    7,
    undefined,
  ]) {
    expect(targetOf({ from })).toBeNull()
  }
  expect(targetOf(null)).toBeNull()
})
