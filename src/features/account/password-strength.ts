import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary as everywhere } from '@zxcvbn-ts/language-common'
import { dictionary as indonesian } from '@zxcvbn-ts/language-id'

// Heavy (common passwords, Indonesian words and names): the server and the app load it only when
// somebody sets a new password.
const estimator = new ZxcvbnFactory({
  dictionary: { ...everywhere, ...indonesian },
  graphs: adjacencyGraphs,
  // What follows makes no password weaker, and an estimate takes ever longer.
  maxLength: 30,
})

/**
 * 0 (guessed at once) to 4 (strong), knowing what an attacker would try first about this person.
 */
export function estimateStrength(password: string, about: string[]): number {
  return estimator.check(password, about).score
}
