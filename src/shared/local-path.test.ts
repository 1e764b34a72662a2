import { expect, test } from 'vitest'
import { isLocalPath } from './local-path.ts'

test.each([
  '/',
  '/pricing',
  '/ai-background-removal?result=1&a=b%20c',
  '/history?id=0198aaaa-0000-7000-8000-000000000000#top',
  '/reset-password/AbC_-123?verified=1',
  '/search?next=https://rupa.example//x',
  '/foto.jpg',
  '/.well-known/x',
])('%j is a path of this site', (path) => {
  expect(isLocalPath(path)).toBe(true)
})

const hosts = [
  '/%2f/host',
  '//host',
  '/\\host',
  '\\\\host',
  '\\/host',
  '///host',
  '/%2fhost',
  '/%2F%2Fhost',
  '/%5chost',
  '/%5C/host',
]
const encodedTwice = ['/%252f/host', '/%255chost', '/%25252fhost', `/${'%25'.repeat(9)}2fhost`, '/%2%66/host']
const tidied = [
  '/.//host',
  '/..//host',
  '/a/..//host',
  '/%2e//host',
  '/%2e%2e//host',
  '/a/../b',
  '/%2e%2e/b',
  '/./b',
  '/%252e%252e/b',
]
const controls = [
  '/\t/host',
  '/\n/host',
  '/\r\nset-cookie: a',
  '/\0',
  '/%00',
  '/%0a/host',
  '/%0d%0aset-cookie:a',
  '/%250a',
  '/\u0001',
  '/\u007f',
]
const spaces = [' /host', '/ /host', '/\u00a0/host', '/\u2028', '/\u3000', '/host ', '/\u200b', '/a%20b', '\ufeff/host']
const lookalikes = ['/\u2215host', '\uff0f\uff0fhost', '/\uff0fhost', '/\uff3chost', '/\u29f5host']
const absolute = [
  'https://host',
  'http:host',
  'javascript:0',
  'data:text/html,x',
  '@host',
  'host',
  'pricing',
  '',
  '.',
  './x',
  '../x',
  '?x',
  '#x',
]
const malformed = ['/%', '/%2', '/%zz', '/%c0%af/host', '/%ff', '/\ud800']
const others = [null, undefined, 7, {}, ['/'], new String('/')]

test.each([
  ...hosts,
  ...encodedTwice,
  ...tidied,
  ...controls,
  ...spaces,
  ...lookalikes,
  ...absolute,
  ...malformed,
  ...others,
])('%j is not a path of this site', (value) => {
  expect(isLocalPath(value)).toBe(false)
})
