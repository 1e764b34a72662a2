import { expect, test } from 'vitest'
import { derivedKey } from './secrets.ts'

test('a derived key depends on secret and purpose alone', () => {
  const secret = new Uint8Array(32).fill(3)
  const key = derivedKey(secret, 'one')
  expect(key).toHaveLength(32)
  expect(derivedKey(secret.slice(), 'one')).toEqual(key)
  expect(derivedKey(secret, 'two')).not.toEqual(key)
  expect(derivedKey(secret.with(0, 4), 'one')).not.toEqual(key)
  // Stored encrypted secrets depend on this exact function.
  expect(Buffer.from(derivedKey(new Uint8Array(32), 'second factor')).toString('hex')).toBe(
    '990a9ea361568065f503f4ee01c7208a87927561a042281c52541b89a05c042d',
  )
})
