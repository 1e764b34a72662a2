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

/** Words that an attacker would try first on this site. */
const siteWords = ['rupa', 'foto', 'kredit']

/** 0 (guessed at once) to 4 (strong); `about` is the user's name and address. */
export function estimateStrength(password: string, about: string[]): number {
  const personal = about.flatMap((text) => text.split(/[\s@.]+/)).filter((word) => word.length > 2)
  return estimator.check(password, [...siteWords, ...personal]).score
}
