import { expect, test } from 'vitest'
import { popupFeatures, readMessage } from './provider-window.ts'

test('the popup is a square of 70 % of the window’s height in the middle of the window', () => {
  const window = { innerHeight: 844, outerWidth: 1280, outerHeight: 900, screenX: 100, screenY: 50 }
  expect(popupFeatures(window)).toBe('popup,width=591,height=591,left=445,top=205')
})

test('only complete messages from the own origin are accepted', () => {
  const own = 'https://rupa.test'
  const token = { type: 'auth-token', token: 'a.b.c', state: 'm' }
  expect(readMessage({ origin: own, data: token }, own)).toEqual(token)
  expect(readMessage({ origin: own, data: { type: 'auth-error', code: 'auth.disabled' } }, own)).toEqual({
    type: 'auth-error',
    code: 'auth.disabled',
  })
  for (const origin of ['https://rupa.test.evil.example', 'http://rupa.test', 'https://rupa.test:8443', 'null', '']) {
    expect(readMessage({ origin, data: token }, own), origin).toBeNull()
  }
  const incomplete = [
    { type: 'auth-token', state: 'm' },
    { ...token, token: 1 },
    { ...token, state: undefined },
  ]
  for (const data of [null, undefined, 'a.b.c', 7, [], {}, ...incomplete]) {
    expect(readMessage({ origin: own, data }, own)).toBeNull()
  }
})
