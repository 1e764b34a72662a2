import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import type { HostilePicture } from './hostile-pictures.ts'

// Parts are well-formed, but together a trap: floods, loops, bombs, nests.

const text = (content: string) => Buffer.from(content, 'latin1')
const u16 = (value: number) => Buffer.from([(value >> 8) & 255, value & 255])
const u32 = (value: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
const u32le = (value: number) => u32(value).reverse()
const repeat = (part: Buffer, times: number) => Buffer.concat(Array<Buffer>(times).fill(part))

const plain = sharp({ create: { width: 64, height: 48, channels: 3, background: '#336699' } })

function chunk(name: string, body: Buffer): Buffer {
  const named = Buffer.concat([text(name), body])
  return Buffer.concat([u32(body.length), named, u32(crc32(named))])
}
async function png(...parts: Buffer[]): Promise<Buffer> {
  const bytes = await plain.clone().png().toBuffer()
  return Buffer.concat([bytes.subarray(0, 33), ...parts, bytes.subarray(33)])
}

const segment = (marker: number, body: Buffer) =>
  Buffer.concat([Buffer.from([0xff, marker]), u16(body.length + 2), body])
async function jpeg(...parts: Buffer[]): Promise<Buffer> {
  const bytes = await plain.clone().jpeg().toBuffer()
  return Buffer.concat([bytes.subarray(0, 2), ...parts, bytes.subarray(2)])
}

const riff = (name: string, body: Buffer) =>
  Buffer.concat([text(name), u32le(body.length), body, Buffer.alloc(body.length % 2)])
const webp = (...chunks: Buffer[]) => riff('RIFF', Buffer.concat([text('WEBP'), ...chunks]))
const canvas = (flags: number, width: number, height: number) =>
  riff(
    'VP8X',
    Buffer.concat([Buffer.from([flags, 0, 0, 0]), u32le(width - 1).subarray(0, 3), u32le(height - 1).subarray(0, 3)]),
  )

const box = (name: string, ...content: Buffer[]) => {
  const body = Buffer.concat(content)
  return Buffer.concat([u32(body.length + 8), text(name), body])
}
const fullBox = (name: string, version: number, ...content: Buffer[]) =>
  box(name, Buffer.from([version, 0, 0, 0]), ...content)
const brands = (brand: string) => box('ftyp', text(brand), u32(0), text(`mif1${brand}`))
/** Each box holds the next. */
export const nested = (name: string, depth: number) => {
  const bytes = Buffer.alloc(depth * 8)
  for (let level = 0; level < depth; level++) {
    bytes.writeUInt32BE((depth - level) * 8, level * 8)
    bytes.write(name, level * 8 + 4, 'latin1')
  }
  return bytes
}
const item = (id: number, kind: string) => fullBox('infe', 2, u16(id), u16(0), text(kind), Buffer.alloc(1))
const size = (width: number, height: number) => box('iprp', box('ipco', fullBox('ispe', 0, u32(width), u32(height))))

/** Extents take no bytes when offsets and lengths have none. */
export function heifOfExtents({ items, extents, sizes }: { items: number; extents: number; sizes: number }): Buffer {
  const extent = sizes === 0 ? Buffer.alloc(0) : Buffer.concat([u32(0), u32(0)])
  const one = Buffer.concat([u16(1), u16(0), u16(extents), repeat(extent, sizes === 0 ? 0 : extents)])
  const location = fullBox('iloc', 0, u16(sizes), u16(items), repeat(one, items))
  return Buffer.concat([
    brands('heic'),
    fullBox('meta', 0, fullBox('iinf', 0, u16(1), item(1, 'Exif')), location, size(640, 480)),
  ])
}

/** The primary picture is a grid of itself. */
function heifOfItself(): Buffer {
  const grid = Buffer.concat([Buffer.from([0, 0, 15, 15]), u16(640), u16(480)])
  const location = Buffer.concat([u16(0x4400), u16(1), u16(1), u16(0), u16(1), u32(0), u32(grid.length)])
  const meta = fullBox(
    'meta',
    0,
    fullBox('hdlr', 0, u32(0), text('pict'), Buffer.alloc(13)),
    fullBox('pitm', 0, u16(1)),
    fullBox('iinf', 0, u16(1), item(1, 'grid')),
    fullBox('iref', 0, box('dimg', u16(1), u16(256), repeat(u16(1), 256))),
    fullBox('iloc', 0, location),
    size(640, 480),
    box('idat', grid),
  )
  return Buffer.concat([brands('heic'), meta, box('mdat', grid)])
}

/** Built by hand; the same `random` gives the same containers. */
export async function* hostileContainers(random: () => number): AsyncGenerator<HostilePicture, never> {
  const whole = (below: number) => Math.floor(random() * below)
  const many = () => 1000 + whole(300_000)
  const kinds: [string, () => Promise<Buffer> | Buffer][] = [
    ['a PNG with a flood of empty texts', () => png(repeat(chunk('tEXt', Buffer.alloc(0)), many()))],
    ['a PNG with a flood of empty data', () => png(repeat(chunk('IDAT', Buffer.alloc(0)), many()))],
    [
      'a PNG whose colour profile unpacks to 60 MB',
      () => png(chunk('iCCP', Buffer.concat([text('a\0\0'), deflateSync(Buffer.alloc(60_000_000))]))),
    ],
    [
      'a PNG whose text unpacks to 60 MB',
      () => png(chunk('zTXt', Buffer.concat([text('a\0\0'), deflateSync(Buffer.alloc(60_000_000))]))),
    ],
    [
      'a PNG with an EXIF that points at itself',
      () =>
        png(
          chunk(
            'eXIf',
            Buffer.concat([text('MM\0*'), u32(8), u16(65_535), u16(0x0112), u16(3), u32(1), u32(6 << 16), u32(8)]),
          ),
        ),
    ],
    ['an animated PNG', () => png(chunk('acTL', Buffer.concat([u32(1e9), u32(0)])), chunk('fcTL', Buffer.alloc(26)))],
    [
      'a PNG with two headers',
      async () => Buffer.concat([await png(), await png()].map((part, index) => part.subarray(8 * index))),
    ],
    [
      'a GIF of a thousand frames',
      () => {
        const frame = Buffer.concat([
          text('\x21\xf9\x04\0\0\0\0\0'),
          text(',\0\0\0\0'),
          Buffer.from([255, 255, 255, 255, 0, 2, 2, 0x4c, 1, 0]),
        ])
        return Buffer.concat([
          text('GIF89a'),
          Buffer.from([255, 255, 255, 255, 0x80, 0, 0, 0, 0, 0, 255, 255, 255]),
          repeat(frame, 1000),
          text(';'),
        ])
      },
    ],
    [
      'an animated WebP',
      () =>
        webp(
          canvas(2, 16_384, 16_384),
          riff('ANIM', Buffer.alloc(6)),
          repeat(riff('ANMF', Buffer.alloc(16)), 1 + whole(5000)),
        ),
    ],
    [
      'a WebP with a flood of unknown chunks',
      () => webp(canvas(0, 64, 64), repeat(riff('WHAT', Buffer.alloc(0)), many())),
    ],
    [
      'a WebP larger than its frame',
      async () => webp(canvas(0, 16_383, 16_383), (await plain.clone().webp().toBuffer()).subarray(12)),
    ],
    ['a TIFF whose directories go in a circle', () => Buffer.concat([text('II*\0'), u32le(8), u16(0), u32le(8)])],
    ['a JPEG with a flood of comments', () => jpeg(repeat(segment(0xfe, Buffer.alloc(0)), many()))],
    ['a JPEG with a flood of tables', () => jpeg(repeat(segment(0xdb, Buffer.alloc(65)), 1 + whole(30_000)))],
    [
      'a JPEG with megabytes of restarts',
      async () => {
        const bytes = await jpeg()
        return Buffer.concat([
          bytes.subarray(0, -2),
          repeat(Buffer.from([0xff, 0xd0 + whole(8)]), 4_000_000),
          bytes.subarray(-2),
        ])
      },
    ],
    [
      'a JPEG that repeats a scan of a progressive one',
      async () => {
        const bytes = await plain.clone().jpeg({ progressive: true }).toBuffer()
        const last = bytes.lastIndexOf(Buffer.from([0xff, 0xda]))
        return Buffer.concat([
          bytes.subarray(0, last),
          repeat(bytes.subarray(last, -2), 2 + whole(2000)),
          bytes.subarray(-2),
        ])
      },
    ],
    [
      'a JPEG that claims 65,535 × 65,535 pixels',
      async () => {
        const bytes = await jpeg()
        const frame = bytes.indexOf(Buffer.from([0xff, 0xc0]))
        bytes.fill(255, frame + 5, frame + 9)
        return bytes
      },
    ],
    [
      'a JPEG with 255 colour profiles',
      () =>
        jpeg(
          ...Array.from({ length: 255 }, (_, index) =>
            segment(0xe2, Buffer.concat([text('ICC_PROFILE\0'), Buffer.from([index + 1, 255]), Buffer.alloc(60_000)])),
          ),
        ),
    ],
    [
      'a JPEG whose EXIF directories go in a circle',
      () =>
        jpeg(
          segment(
            0xe1,
            Buffer.concat([text('Exif\0\0MM\0*'), u32(8), u16(1), u16(0x8769), u16(4), u32(1), u32(8), u32(8)]),
          ),
        ),
    ],
    ['a HEIF that names extents of no bytes', () => heifOfExtents({ items: 60_000, extents: 65_535, sizes: 0 })],
    ['a HEIF whose EXIF is everywhere', () => heifOfExtents({ items: 1, extents: 60_000, sizes: 0x4400 })],
    ['a HEIF that is a grid of itself', heifOfItself],
    [
      'a nest of boxes behind the name of a HEIF',
      () => Buffer.concat([brands('heic'), nested('meta', 1000 + whole(60_000))]),
    ],
    [
      'an AVIF of a size beyond numbers',
      () => Buffer.concat([brands('avif'), fullBox('meta', 0, size(2 ** 32 - 1, 2 ** 32 - 1)), box('mdat')]),
    ],
    [
      'an AVIF with any byte of its boxes changed',
      async () => {
        const bytes = await plain.clone().avif({ effort: 0 }).toBuffer()
        for (let flip = 0; flip < 1 + whole(4); flip++) bytes[whole(Math.min(bytes.length, 320))] = whole(256)
        return bytes
      },
    ],
    [
      'a nest of boxes behind the name of a video',
      () => Buffer.concat([brands('isom'), nested('moov', 1000 + whole(60_000))]),
    ],
    [
      'a video of a hundred thousand tracks',
      () => Buffer.concat([brands('isom'), box('moov', repeat(box('trak', box('tkhd', Buffer.alloc(84))), 100_000))]),
    ],
    [
      'a video with a table of four thousand million entries',
      () =>
        Buffer.concat([
          brands('isom'),
          box(
            'moov',
            box('trak', box('mdia', box('minf', box('stbl', fullBox('stts', 0, u32(2 ** 32 - 1), Buffer.alloc(800)))))),
          ),
          box('mdat', Buffer.alloc(500)),
        ]),
    ],
    [
      'a Matroska file of nested unknown sizes',
      () =>
        Buffer.concat([
          Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 0x80]),
          repeat(Buffer.from([0x18, 0x53, 0x80, 0x67, 0x01, 255, 255, 255, 255, 255, 255, 255]), 1 + whole(20_000)),
        ]),
    ],
    [
      'an SVG in UTF-16',
      () =>
        Buffer.from(
          '\ufeff<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>1</script></svg>',
          'utf16le',
        ),
    ],
    [
      'a picture and a page at once',
      async () =>
        Buffer.concat([await jpeg(segment(0xfe, text('<script>alert(1)</script>'))), text('<!doctype html>')]),
    ],
  ]
  for (;;) {
    const [what, make] = kinds[whole(kinds.length)] as (typeof kinds)[number]
    yield { what, bytes: await make() }
  }
}
