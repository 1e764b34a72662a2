/**
 * Normalizes 08…, 62…, +62… to `+62…`; undefined if invalid. Any sufficient length passes:
 * operators assign new ranges before a list could know them.
 */
export function parseWhatsapp(text: string): string | undefined {
  // Full-width digits count as digits, and words may surround a number.
  const [, written = ''] = /^[^\d+]*(\+?\d[\d\s.()/\p{Dash}]*)\D*$/u.exec(text.normalize('NFKC')) ?? []
  const [, number] = /^(?:\+?62)?0?(8\d{8,12})$/.exec(written.replaceAll(/[^\d+]/g, '')) ?? []
  return number && `+62${number}`
}
