import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { damagedPicture } from './submit.ts'

export interface HostilePicture {
  what: string
  bytes: Buffer
}

type Format = 'png' | 'jpeg' | 'webp' | 'avif' | 'gif' | 'tiff'
const formats: readonly Format[] = ['png', 'jpeg', 'webp', 'avif', 'gif', 'tiff']

const svg = `<?xml version="1.0"?><!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>
<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="file:///etc/passwd"/><text>&b;</text></svg>`

/** Damaged, oversized and disguised; the same `random` gives the same pictures. */
export async function* hostilePictures(random: () => number): AsyncGenerator<HostilePicture, never> {
  const whole = (below: number) => Math.floor(random() * below)
  const noise = (bytes: number) => Buffer.from(Array.from({ length: bytes }, () => whole(256)))
  const good = async (format: Format) => {
    const [width, height] = [8 + whole(200), 8 + whole(200)]
    const raw = noise(width * height * 3)
    return sharp(raw, { raw: { width, height, channels: 3 } })
      .toFormat(format)
      .toBuffer()
  }
  const kinds: ((format: Format) => Promise<HostilePicture>)[] = [
    async (format) => {
      const bytes = await good(format)
      return { what: `${format} cut short`, bytes: bytes.subarray(0, 1 + whole(bytes.length)) }
    },
    async (format) => {
      const bytes = await good(format)
      for (let flip = 0; flip < 1 + whole(40); flip++) bytes[whole(bytes.length)] = whole(256)
      return { what: `${format} with changed bytes`, bytes }
    },
    async (format) => {
      const bytes = await good(format)
      for (let at = 0; at < Math.min(64, bytes.length); at++) if (random() < 0.2) bytes[at] = whole(256)
      return { what: `${format} with a changed head`, bytes }
    },
    async (format) => ({
      what: `${format} with an archive behind it`,
      bytes: Buffer.concat([await good(format), Buffer.from('PK\x03\x04'), noise(2000), Buffer.from('PK\x05\x06')]),
    }),
    async (format) => ({ what: `${format} twice`, bytes: Buffer.concat([await good(format), await good(format)]) }),
    async (format) => {
      const bytes = await good(format)
      const middle = whole(bytes.length)
      return {
        what: `${format} with zeros inside`,
        bytes: Buffer.concat([bytes.subarray(0, middle), Buffer.alloc(200_000), bytes.subarray(middle)]),
      }
    },
    async () => ({ what: 'png whose data cannot be inflated', bytes: Buffer.from(damagedPicture(noise(500))) }),
    async () => ({
      what: 'png of far more data than pixels',
      bytes: Buffer.from(damagedPicture(deflateSync(Buffer.alloc(40_000_000)))),
    }),
    async () => {
      const bytes = Buffer.from(damagedPicture(noise(10)))
      bytes.writeUInt32BE(whole(2 ** 32), 16)
      bytes.writeUInt32BE(whole(2 ** 32), 20)
      return { what: 'png that claims any size', bytes }
    },
    async () => {
      const [width, height] = random() < 0.5 ? [4, 20_000] : [20_000, 4]
      const create = { width, height, channels: 3 as const, background: '#808080' }
      return { what: 'a ribbon of pixels', bytes: await sharp({ create }).png().toBuffer() }
    },
    async () => ({ what: 'an SVG that reads files', bytes: Buffer.from(svg) }),
    async () => ({ what: 'noise', bytes: noise(whole(50_000)) }),
    async () => ({ what: 'nothing', bytes: Buffer.alloc(0) }),
    async () => ({
      what: 'a HEIC head before noise',
      bytes: Buffer.concat([Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1'), noise(5000)]),
    }),
    async () => ({
      what: 'a video head before noise',
      bytes: Buffer.concat([Buffer.from('\0\0\0\x18ftypisom\0\0\0\0mp42isom', 'latin1'), noise(5000)]),
    }),
  ]
  for (;;) {
    const kind = kinds[whole(kinds.length)] as (typeof kinds)[number]
    yield await kind(formats[whole(formats.length)] as Format)
  }
}
