import { expect, test } from 'vitest'
import { readToken } from './session.ts'

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const tokenOf = (claims: unknown) => `${part({ alg: 'HS256' })}.${part(claims)}.signature`

test('a token decodes to its user, with any letters in the name, its session, and its expiry', () => {
  const user = { id: 'a', name: 'Ayu Ñ 愛', email: 'ayu@contoh.test', role: 'user' }
  const raw = tokenOf({ sub: user, sid: 's', due: 'password', iat: 1, exp: 2 })
  expect(readToken(raw)).toEqual({ raw, user, session: 's', due: 'password', expiresAt: 2000 })
})

test('a foreign or malformed token decodes to null', () => {
  const nonsense = ['', 'a.b.c', tokenOf({}), tokenOf(null), tokenOf({ sub: { id: 'a' } }), tokenOf({ exp: 2 })]
  expect(nonsense.map(readToken)).toEqual(nonsense.map(() => null))
  expect(readToken(null)).toBeNull()
})
