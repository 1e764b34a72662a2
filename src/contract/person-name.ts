/** Longest name of a person in characters. */
export const nameMaxLength = 100

/**
 * Marks that turn the direction of what follows, and others nobody sees; messengers leave them
 * around names that are copied from them.
 */
const unseen = /[\u00ad\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]|\p{Cs}/gu

/**
 * A name as it is kept: without what nobody sees, in one line, its letters composed. Empty when
 * nothing is left that could be seen.
 */
export function normalizeName(text: string): string {
  const name = text
    .normalize('NFC')
    .replace(unseen, '')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(name) ? name : ''
}
