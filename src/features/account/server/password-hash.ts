import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { promisify } from 'node:util'
import { appError } from '#server/http/app-error.ts'

const derive = promisify(argon2)

/** OWASP's minimum for argon2id: 19 MiB, two passes, one lane. */
const cost = { memory: 19_456, passes: 2, parallelism: 1, tagLength: 32 } as const

/** Hashes at once; each takes a core and 19 MiB for a while. */
const atOnce = 4
const queueLimit = 200
let running = 0
const waiting: (() => void)[] = []

/** The password's argon2id hash in PHC string format. */
export async function hashPassword(password: string): Promise<string> {
  const salt = randomBytes(16)
  const hash = await inTurn(() => derive('argon2id', { ...cost, message: password, nonce: salt }))
  return `$argon2id$v=19$m=${cost.memory},t=${cost.passes},p=${cost.parallelism}$${unpadded(salt)}$${unpadded(hash)}`
}

/**
 * Whether the password belongs to the hash. Without a hash it does the same work and says no, so
 * that time does not tell who has an account.
 */
export async function passwordMatches(password: string, stored: string | null | undefined): Promise<boolean> {
  const parts = stored ? /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([^$]+)\$([^$]+)$/.exec(stored) : null
  const expected = Buffer.from(parts?.[5] ?? '', 'base64')
  const found = await inTurn(() =>
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

async function inTurn<Result>(task: () => Promise<Result>): Promise<Result> {
  if (running >= atOnce) {
    if (waiting.length >= queueLimit) throw appError('server.unavailable', undefined, { retryAfter: 5 })
    await new Promise<void>((resolve) => waiting.push(resolve))
  } else {
    running += 1
  }
  try {
    return await task()
  } finally {
    // The place goes to the next in line, or is given up.
    const next = waiting.shift()
    if (next) next()
    else running -= 1
  }
}

const unpadded = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')
