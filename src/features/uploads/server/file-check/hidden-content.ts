const endOfZip = Buffer.from('PK\x05\x06', 'latin1')
const maxZipTail = 65_557

/**
 * Phones append data (motion photos, depth maps), which are dropped silently. A page, script,
 * document or archive is meant for another reader.
 */
export function hasHiddenContent(rest: Uint8Array): boolean {
  if (rest.length < 4) return false
  const tail = Buffer.from(rest.buffer, rest.byteOffset, rest.byteLength)
  const start = tail.toString('latin1', 0, 1024)
  if (/^\s*(<|%PDF-|PK|Rar!|MZ|.ELF|#!)/.test(start)) return true
  if (/<(script|html|svg|\?php|!doctype)/i.test(tail.toString('latin1'))) return true
  const zip = tail.lastIndexOf(endOfZip)
  return zip >= 0 && zip >= tail.length - maxZipTail
}
