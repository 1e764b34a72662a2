/**
 * An Indonesian mobile number as people write it (08…, 62…, +62…) as `+62…`; undefined when it is
 * none. Any that is long enough passes: operators hand them out before a list could learn of them.
 */
export function parseWhatsapp(text: string): string | undefined {
  // Wide digits are digits, and words may stand around a number.
  const [, written = ''] = /^[^\d+]*(\+?\d[\d\s.()/\p{Dash}]*)\D*$/u.exec(text.normalize('NFKC')) ?? []
  const [, number] = /^(?:\+?62)?0?(8\d{8,12})$/.exec(written.replaceAll(/[^\d+]/g, '')) ?? []
  return number && `+62${number}`
}
