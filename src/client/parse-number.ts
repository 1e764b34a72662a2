const indonesian = /^[1-9]\d{0,2}(\.\d{3})+(,\d{1,2})?$/
const english = /^[1-9]\d{0,2}(,\d{3})+(\.\d{1,2})?$/

/**
 * Accepts a decimal comma or point. A separator before each group of three digits counts thousands
 * ("48.500" is 48500), as no field takes three decimals. Empty input is null; invalid input is
 * returned unchanged, so that the server's validation reports it beside its field.
 */
export function parseNumber(text: string): number | string | null {
  const typed = text.trim()
  if (typed === '') return null
  const plain = english.test(typed)
    ? typed.replaceAll(',', '')
    : (indonesian.test(typed) ? typed.replaceAll('.', '') : typed).replace(',', '.')
  return Number.isNaN(Number(plain)) ? text : Number(plain)
}
