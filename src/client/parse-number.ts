/**
 * Accepts a decimal comma or point. Empty input is null; invalid input is returned unchanged, so
 * that the server's validation reports it beside its field.
 */
export function parseNumber(text: string): number | string | null {
  const typed = text.trim().replace(',', '.')
  if (typed === '') return null
  return Number.isNaN(Number(typed)) ? text : Number(typed)
}
