import { crc32 } from 'node:zlib'

/** Header and data need not fit together. */
export function pngOf(
  { width, height, depth, colour }: Record<'width' | 'height' | 'depth' | 'colour', number>,
  data: Uint8Array,
): Uint8Array<ArrayBuffer> {
  const chunk = (name: string, body: Uint8Array) => {
    const named = Buffer.concat([Buffer.from(name), body])
    const framed = Buffer.alloc(named.length + 8)
    framed.writeUInt32BE(body.length)
    framed.set(named, 4)
    framed.writeUInt32BE(crc32(named), named.length + 4)
    return framed
  }
  const header = Buffer.from([...Array(8).fill(0), depth, colour, 0, 0, 0])
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  const chunks = [chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]
  return new Uint8Array(Buffer.concat([signature, ...chunks]))
}
