import { appError } from '#server/http/app-error.ts'

/** Words that an attacker would try first for everybody here. */
const ownWords = ['rupa', 'foto', 'kredit']
/** zxcvbn's 0 and 1: fewer than a million guesses. */
const minScore = 2

let estimator: Promise<typeof import('../password-strength.ts')> | undefined

/**
 * Refuses a new password that keeps the specification's rules and is still among the first that
 * anybody would try, such as `P@ssw0rd` or one made of the person's own name. Throws `form.invalid`
 * with `password.common`.
 */
export async function refuseCommonPassword(password: string, about: string[] = []): Promise<void> {
  // The dictionaries are loaded when the first password is set, not when the server starts.
  estimator ??= import('../password-strength.ts')
  const { estimateStrength } = await estimator
  const personal = about.flatMap((text) => text.split(/[\s@.]+/)).filter((word) => word.length > 2)
  if (estimateStrength(password, [...ownWords, ...personal]) < minScore) {
    throw appError('form.invalid', { password: 'password.common' })
  }
}
