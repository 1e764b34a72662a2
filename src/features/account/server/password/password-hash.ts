import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { createFairQueue } from '#server/fair-queue.ts'
import { widerNetwork } from '#server/http/client-address.ts'

const derive = promisify(argon2)

/** OWASP's minimum for argon2id: 19 MiB, two passes, one lane. */
const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const

/**
 * Each takes a core and 19 MiB for a while, and one of the four threads of Node's pool, on which
 * files are read too.
 */
const turns = createFairQueue({ atOnce: 2, waiting: 200, waitingEach: 10, seconds: 30, groupOf: widerNetwork })

/**
 * The password's argon2id hash in PHC string format. `asker` is whose turn it takes: the address of
 * a visitor, the id of somebody who is signed in.
 */
export async function hashPassword(password: string, asker: string): Promise<string> {
  const salt = randomBytes(16)
  const hash = await turns.run(asker, () => derive('argon2id', { ...cost, message: password, nonce: salt }))
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${unpadded(salt)}$${unpadded(hash)}`
}

/**
 * Whether the password belongs to the hash. Without a hash it does the same work and says no, so
 * that time does not tell who has an account.
 */
export async function passwordMatches(
  password: string,
  stored: string | null | undefined,
  asker: string,
): Promise<boolean> {
  const parts = stored ? /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(stored) : null
  const expected = Buffer.from(parts?.[5] ?? '', 'base64')
  const found = await turns.run(asker, () =>
    derive('argon2id', {
      memory: Number(parts?.[1] ?? cost.memory),
      passes: Number(parts?.[2] ?? cost.passes),
      parallelism: Number(parts?.[3] ?? cost.parallelism),
      tagLength: expected.length || cost.tagLength,
      message: password,
      nonce: parts?.[4] ? Buffer.from(parts[4], 'base64') : Buffer.alloc(16),
    }),
  )
  return expected.length > 0 && timingSafeEqual(found, expected)
}

const unpadded = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
