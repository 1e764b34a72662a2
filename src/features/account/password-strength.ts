import { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { adjacencyGraphs, dictionary as everywhere } from '@zxcvbn-ts/language-common'
import { dictionary as indonesian } from '@zxcvbn-ts/language-id'

// Large (common passwords, Indonesian words and names): server and app load it only when a new
// password is set.
const estimator = new ZxcvbnFactory({
  dictionary: { ...everywhere, ...indonesian },
  graphs: adjacencyGraphs,
  // Further characters never weaken a password, and estimates take ever longer.
  maxLength: 30,
})

/** 0 (guessed at once) to 4 (strong); `about` is personal data that an attacker would try first. */
export function estimateStrength(password: string, about: string[]): number {
  return estimator.check(password, about).score
}
