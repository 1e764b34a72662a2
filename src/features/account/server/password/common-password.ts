import { createFairQueue } from '#server/fair-queue.ts'
import { appError } from '#server/http/app-error.ts'
import { widerNetwork } from '#server/http/client-address.ts'
import { createTaskThread } from '#server/task-thread.ts'
import type { EstimateTask } from './password-strength-thread.ts'

/** Scores 0 and 1 of zxcvbn mean fewer than a million guesses. */
const minScore = 2

// An estimate takes up to 0.1 s of CPU, and loading the dictionaries as long.
const estimateQueue = createFairQueue({
  concurrency: 1,
  waiting: 50,
  waitingEach: 10,
  seconds: 30,
  groupOf: widerNetwork,
})
const thread = createTaskThread<EstimateTask, number>({
  entry: new URL('./password-strength-thread.ts', import.meta.url),
  heapLimit: 128,
  timeLimit: 5_000,
  tooLong: () => appError('server.unavailable', { retryAfter: 5 }),
})

/**
 * Refuses an attacker's first guesses, such as `P@ssw0rd` or the user's own name. Throws
 * `form.invalid` with `password.common`, and `server.unavailable` if too many requests wait: none
 * is accepted unchecked. `asker` identifies the client in the fair queue, as in hashPassword.
 */
export async function refuseCommonPassword(password: string, asker: string, about: string[] = []): Promise<void> {
  const score = await estimateQueue.run(asker, () => thread.run({ password, about }))
  if (score < minScore) throw appError('form.invalid', { details: { password: 'password.common' } })
}
