import { lowShare } from './rules.ts'

interface Owned {
  credits: number
  given: number
  unlimitedUntil: string | null
}

/**
 * Notice about a balance that is too low for another generation, or running low; null for neither.
 */
export function creditNotice(
  { credits, given, unlimitedUntil }: Owned,
  price: number | null,
  now: number,
): 'too-few' | 'low' | null {
  if (unlimitedUntil !== null && Date.parse(unlimitedUntil) > now) return null
  if (price !== null && credits < price) return 'too-few'
  return given > 0 && credits <= given * lowShare ? 'low' : null
}
