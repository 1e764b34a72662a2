import { parsePhoneNumberFromString } from 'libphonenumber-js/min'

/**
 * An Indonesian mobile number as people write it (08…, 62…, +62…) as `+62…`; undefined when it is
 * none. Long numbers that the plan does not know yet pass: operators hand them out before the lists
 * learn of them.
 */
export function parseWhatsapp(text: string): string | undefined {
  const written = text.trim().replace(/^62(?=[\s.-]*8)/, '+62')
  const number = parsePhoneNumberFromString(written, 'ID')
  if (number?.countryCallingCode !== '62') return undefined
  return /^8\d{8,12}$/.test(number.nationalNumber) ? number.number : undefined
}
