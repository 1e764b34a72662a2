import { argon2Sync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { hashPassword, passwordMatches } from './password-hash.ts'

const deps = { config: { signInCosts: { passwordHash: { memory: 8, passes: 1 } } } } as Parameters<
  typeof hashPassword
>[0]
const composed = 'Ren\u00e9e-2026!'
const decomposed = 'Rene\u0301e-2026!'

const matches = (password: string, stored: string) => passwordMatches(deps, password, stored, 'sari')

/** As they were made before passwords were normalised. */
function hashAsTyped(password: string): string {
  const nonce = Buffer.alloc(16, 7)
  const hash = argon2Sync('argon2id', { message: password, nonce, memory: 8, passes: 1, parallelism: 1, tagLength: 32 })
  return `$argon2id$v=19$m=8,t=1,p=1$${nonce.toString('base64')}$${hash.toString('base64')}`
}

describe('a password with an accented letter', () => {
  test.each([
    [composed, decomposed],
    [decomposed, composed],
  ])('matches in either spelling: %j and %j', async (chosen, typed) => {
    const stored = await hashPassword(deps, chosen, 'sari')
    expect(await matches(typed, stored)).toBe(true)
    expect(await matches(chosen, stored)).toBe(true)
    expect(await matches(typed.replace('2026', '2027'), stored)).toBe(false)
  })

  test('still matches a hash of the characters as they were typed', async () => {
    expect(await matches(decomposed, hashAsTyped(decomposed))).toBe(true)
    expect(await matches(composed, hashAsTyped(composed))).toBe(true)
    expect(await matches('Renee-2026!', hashAsTyped(decomposed))).toBe(false)
  })
})
