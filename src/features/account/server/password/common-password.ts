import { createFairQueue } from '#server/fair-queue.ts'
import { appError } from '#server/http/app-error.ts'
import { widerNetwork } from '#server/http/client-address.ts'
import { createTaskThread } from '#server/task-thread.ts'
import type { EstimateTask } from './password-strength-thread.ts'

/** Words that an attacker would try first for everybody here. */
const ownWords = ['rupa', 'foto', 'kredit']
/** zxcvbn's 0 and 1: fewer than a million guesses. */
const minScore = 2

// An estimate takes up to a tenth of a second, and loading the dictionaries as long: others would
// wait for it.
const turns = createFairQueue({ atOnce: 1, waiting: 50, waitingEach: 10, seconds: 30, groupOf: widerNetwork })
const thread = createTaskThread<EstimateTask, number>({
  entry: new URL('./password-strength-thread.ts', import.meta.url),
  heapLimit: 128,
  timeLimit: 5_000,
  tooLong: () => appError('server.unavailable', { retryAfter: 5 }),
})

/**
 * Refuses a new password that keeps the rules and is still among the first that anybody would try,
 * such as `P@ssw0rd` or one made of the person's own name. Throws `form.invalid` with
 * `password.common`, and `server.unavailable` when too many wait: no password is taken that was not
 * judged. `asker` is whose turn it takes, as with hashes.
 */
export async function refuseCommonPassword(password: string, asker: string, about: string[] = []): Promise<void> {
  const personal = about.flatMap((text) => text.split(/[\s@.]+/)).filter((word) => word.length > 2)
  const task = { password, about: [...ownWords, ...personal] }
  const score = await turns.run(asker, () => thread.run(task))
  if (score < minScore) throw appError('form.invalid', { details: { password: 'password.common' } })
}
