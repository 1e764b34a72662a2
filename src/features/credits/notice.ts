import { lowShare } from './rules.ts'

interface Owned {
  credits: number
  given: number
  unlimitedUntil: string | null
}

/**
 * What somebody should know of their balance before they need it: that it is too little for another
 * run at that price, or runs low; null for neither.
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
