import { crc32, inflateRawSync } from 'node:zlib'

/** ZIP by its central directory (APPNOTE 6.3, §4.3); checks sizes and checksums. */
export function readZip(bytes: Uint8Array): Map<string, Uint8Array> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let end = bytes.length - 22
  while (end >= 0 && view.getUint32(end, true) !== 0x06054b50) end -= 1
  if (end < 0) throw new Error('not a ZIP: no end of central directory')
  const files = new Map<string, Uint8Array>()
  let at = view.getUint32(end + 16, true)
  for (let left = view.getUint16(end + 10, true); left > 0; left -= 1) {
    if (view.getUint32(at, true) !== 0x02014b50) throw new Error('a central header is missing')
    const method = view.getUint16(at + 10, true)
    const checksum = view.getUint32(at + 16, true)
    const packed = view.getUint32(at + 20, true)
    const size = view.getUint32(at + 24, true)
    const [nameLength, extra, comment] = [28, 30, 32].map((offset) => view.getUint16(at + offset, true)) as number[]
    const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + (nameLength as number)))
    const local = view.getUint32(at + 42, true)
    const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true)
    const content = bytes.subarray(start, start + packed)
    const file = method === 0 ? content : new Uint8Array(inflateRawSync(content))
    if (file.length !== size || crc32(file) !== checksum) throw new Error(`${name} is damaged`)
    if (files.has(name)) throw new Error(`${name} is there twice`)
    files.set(name, file)
    at += 46 + (nameLength as number) + (extra as number) + (comment as number)
  }
  return files
}
