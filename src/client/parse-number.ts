/**
 * A number that somebody typed, with a decimal comma or point. Nothing is null, and what is no
 * number stays as it is: a server that checks what it gets refuses both beside their field.
 */
export function parseNumber(text: string): number | string | null {
  const typed = text.trim().replace(',', '.')
  if (typed === '') return null
  return Number.isNaN(Number(typed)) ? text : Number(typed)
}
