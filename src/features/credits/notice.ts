import { lowShare } from './rules.ts'

interface Owned {
  credits: number
  given: number
  unlimitedUntil: string | null
}

/** Null if the balance suffices and does not run low. */
export function creditNotice(
  { credits, given, unlimitedUntil }: Owned,
  price: number | null,
  now: number,
): 'too-few' | 'low' | null {
  if (unlimitedUntil !== null && Date.parse(unlimitedUntil) > now) return null
  if (price !== null && credits < price) return 'too-few'
  return given > 0 && credits <= given * lowShare ? 'low' : null
}
