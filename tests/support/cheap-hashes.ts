import { afterAll, beforeAll } from 'vitest'
import { cost } from '#features/account/server/password-hash.ts'

/** Hashes passwords at argon2's lowest cost during the tests of a file that compare hundreds and are not about hashing. */
export function hashCheaply(): void {
  const { memory, passes } = cost
  beforeAll(() => void Object.assign(cost, { memory: 8, passes: 1 }))
  afterAll(() => void Object.assign(cost, { memory, passes }))
}
