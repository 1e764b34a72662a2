import { once } from 'node:events'
import { constants, crc32, createDeflate, type Deflate } from 'node:zlib'
import type { Picture, Size } from '#engine/image/picture.ts'
import { pixelsOf } from '#engine/image/pixels.ts'

/** Bytes of rows that are filtered while the previous ones are compressed in another thread. */
const bandBytes = 1 << 19
const compression = { level: 1, strategy: constants.Z_RLE, memLevel: 9, chunkSize: 1 << 19 }

/**
 * Filter type 2 (up) and run-length compression: for cut-outs about half the time of trying every
 * filter on every row, and a tenth more bytes.
 */
export async function encodePng(picture: Picture): Promise<Uint8Array> {
  const stream = createDeflate(compression)
  const chunks: [string, Uint8Array][] = []
  stream.on('data', (part: Buffer) => chunks.push(['IDAT', part]))
  await Promise.all([once(stream, 'end'), writeRows(picture, stream)])
  return pngFile(picture, chunks)
}

async function writeRows({ width, height, data }: Picture, stream: Deflate): Promise<void> {
  const pixels = pixelsOf(data)
  const rows = Math.max(1, Math.floor(bandBytes / (4 * width + 1)))
  let [band, other] = [new Uint8Array(rows * (4 * width + 1)), new Uint8Array(rows * (4 * width + 1))]
  let written = Promise.resolve()
  for (let top = 0; top < height; top += rows) {
    const filtered = filterRows(pixels, width, top, Math.min(height, top + rows), band)
    await written
    written = new Promise((resolve, reject) => {
      stream.write(filtered, (error) => (error ? reject(error) : resolve()))
    })
    const next = other
    other = band
    band = next
  }
  await written
  stream.end()
}

/** Four bytes at once, each row with its filter type in front. */
function filterRows(pixels: Int32Array, width: number, top: number, bottom: number, band: Uint8Array): Uint8Array {
  const view = new DataView(band.buffer)
  let out = 0
  for (let y = top; y < bottom; y++) {
    band[out++] = y === 0 ? 0 : 2
    const end = (y + 1) * width
    for (let i = y * width; i < end; i++, out += 4) {
      const own = pixels[i] as number
      const above = y === 0 ? 0 : (pixels[i - width] as number)
      // Bytewise subtraction without borrows between bytes.
      view.setInt32(out, ((own | highBits) - (above & ~highBits)) ^ ((own ^ ~above) & highBits), littleEndian)
    }
  }
  return band.subarray(0, out)
}

const highBits = 0x80808080 | 0
const littleEndian = new Uint8Array(Uint32Array.of(1).buffer)[0] === 1

/** `chunks` come between the header and the end of an 8-bit RGBA file. */
export function pngFile({ width, height }: Size, chunks: [string, Uint8Array][]): Uint8Array {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 6, 0, 0, 0], 8)
  const all: [string, Uint8Array][] = [['IHDR', header], ...chunks, ['IEND', Buffer.alloc(0)]]
  // A separate ArrayBuffer, which can be transferred to another thread.
  const file = Buffer.from(new ArrayBuffer(all.reduce((size, [, { length }]) => size + 12 + length, signature.length)))
  file.set(signature)
  let at = signature.length
  for (const [name, content] of all) at = writeChunk(file, at, name, content)
  return file
}

const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')

function writeChunk(file: Buffer, at: number, name: string, content: Uint8Array): number {
  file.writeUInt32BE(content.length, at)
  file.write(name, at + 4, 'latin1')
  file.set(content, at + 8)
  return file.writeUInt32BE(crc32(content, crc32(name)), at + 8 + content.length)
}
