/** In characters. */
export const nameMaxLength = 100

/** Direction marks and other invisible characters, which messengers leave around copied names. */
const invisibleCharacters = /[\u00ad\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]|\p{Cs}/gu

/** Removes invisible characters and line breaks, and applies NFC; may return an empty text. */
export function normalizeName(text: string): string {
  const name = text
    .normalize('NFC')
    .replace(invisibleCharacters, '')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
  return /[\p{L}\p{N}\p{P}\p{S}]/u.test(name) ? name : ''
}
