import { promisify } from 'node:util'
import { constants, crc32, deflate } from 'node:zlib'
import type { Picture } from '../picture.ts'

const compress = promisify(deflate)

/**
 * Encodes a picture as a PNG with alpha, every row as the difference from the one above (filter type 2 of the PNG specification) and
 * runs of equal bytes together: for cut-outs about half the time of trying every filter on every row, and a tenth more bytes.
 */
export async function encodePng(picture: Picture): Promise<Uint8Array> {
  const { width, height, data } = picture
  const row = 4 * width
  const filtered = new Uint8Array((row + 1) * height)
  for (let y = 0, out = 0; y < height; y++) {
    const end = (y + 1) * row
    let i = y * row
    filtered[out++] = y === 0 ? 0 : 2
    if (y === 0) for (; i < end; i++) filtered[out++] = data[i] as number
    else for (; i < end; i++) filtered[out++] = (data[i] as number) - (data[i - row] as number)
  }
  const options = { level: 1, strategy: constants.Z_RLE, memLevel: 9, chunkSize: 1 << 20 }
  return pngFile(picture, [['IDAT', await compress(filtered, options)]])
}

/** A PNG of 8-bit RGBA from its chunks between the header and the end. */
export function pngFile({ width, height }: Pick<Picture, 'width' | 'height'>, chunks: [string, Uint8Array][]): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 6, 0, 0, 0], 8)
  const all: [string, Uint8Array][] = [['IHDR', header], ...chunks, ['IEND', Buffer.alloc(0)]]
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    ...all.map(([name, content]) => chunk(name, content)),
  ])
}

function chunk(name: string, content: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(name, 'latin1'), content])
  const frame = Buffer.alloc(4)
  frame.writeUInt32BE(content.length)
  const check = Buffer.alloc(4)
  check.writeUInt32BE(crc32(named))
  return Buffer.concat([frame, named, check])
}
