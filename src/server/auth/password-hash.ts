import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import type { Deps } from '#server/deps.ts'
import { createFairQueue } from '#server/fair-queue.ts'
import { widerNetwork } from '#server/http/client-address.ts'

const derive = promisify(argon2)

/** Each hash occupies a core, 19 MiB and one of the four threads of Node's pool. */
const hashQueue = createFairQueue({ concurrency: 2, waiting: 200, waitingEach: 10, seconds: 30, groupOf: widerNetwork })

/**
 * PHC string format. `asker` identifies the client in the fair queue: the address of a visitor, the
 * id of a user.
 */
export async function hashPassword(deps: Pick<Deps, 'config'>, password: string, asker: string): Promise<string> {
  const salt = randomBytes(16)
  const cost = costOf(deps)
  const message = password.normalize('NFC')
  const hash = await hashQueue.run(asker, () => derive('argon2id', { ...cost, message, nonce: salt }))
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${unpadded(salt)}$${unpadded(hash)}`
}

/**
 * Without a hash it does the same work and returns false, so that the response time does not reveal
 * which addresses have an account. Keyboards spell an accented letter in one or two characters, so
 * hashes are made of the normal form (NFC); older ones were made of the password as it was typed.
 */
export async function passwordMatches(
  deps: Pick<Deps, 'config'>,
  password: string,
  stored: string | null | undefined,
  asker: string,
): Promise<boolean> {
  const parts = stored ? /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(stored) : null
  const cost = costOf(deps)
  const expected = Buffer.from(parts?.[5] ?? '', 'base64')
  const options = {
    memory: Number(parts?.[1] ?? cost.memory),
    passes: Number(parts?.[2] ?? cost.passes),
    parallelism: Number(parts?.[3] ?? cost.parallelism),
    tagLength: expected.length || cost.tagLength,
    nonce: parts?.[4] ? Buffer.from(parts[4], 'base64') : Buffer.alloc(16),
  }
  for (const message of new Set([password.normalize('NFC'), password])) {
    const found = await hashQueue.run(asker, () => derive('argon2id', { ...options, message }))
    if (expected.length > 0 && timingSafeEqual(found, expected)) return true
  }
  return false
}

const costOf = ({ config }: Pick<Deps, 'config'>) => ({
  ...config.signInCosts.passwordHash,
  parallelism: 1,
  tagLength: 32,
})

const unpadded = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
