import { createHash } from 'node:crypto'

/**
 * Removes what could identify a user or be their content: addresses, quoted texts, long words and
 * numbers.
 */
export const anonymizeMessage = (text: string) =>
  text
    .replace(/[a-z][a-z+.-]*:\/\/\S+|(data|blob):\S+|\S+@\S+|(?<=^|\s)\/\S+/gi, '…')
    .replace(/"[^"]*"|'[^']*'|`[^`]*`|“[^”]*”/g, '"…"')
    .replace(/[A-Za-z0-9_-]{25,}|\d{4,}/g, '…')

/** Topmost frames of the build's files with line and column, and nothing else of a stack. */
export const framesOf = (stack: string) => (stack.match(/[\w.-]+\.js:\d+:\d+/g) ?? []).slice(0, 3).join(' ')

/**
 * By version, message and the frame that threw. Numbers, words with digits, case and spaces do not
 * count: they differ between reports of the same error, and are free to invent.
 */
export function fingerprintOf({
  part,
  version,
  message,
  place,
}: Record<'part' | 'version' | 'message' | 'place', string>) {
  const words = message.toLowerCase().replace(/[\p{L}\p{N}_]*\p{N}[\p{L}\p{N}_]*/gu, '0')
  const text = words.replace(/\s+/g, ' ').trim()
  const [frame = ''] = place.split(' ')
  return createHash('sha256').update(`${part}\n${version}\n${text}\n${frame}`).digest('hex')
}
