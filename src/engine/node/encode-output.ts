import { crc32 } from 'node:zlib'
import type { Sharp } from 'sharp'
import { EngineError } from '#engine/error.ts'
import type { CameraSettings } from '#engine/image/exif.ts'
import type { DigitalSource, Picture, PictureEncoding, PrintPage } from '#engine/image/picture.ts'
import { fitWithin, pixelsOf } from '#engine/image/pixels.ts'
import { type ImageFormat, imageFormatInfo } from '#shared/media.ts'
import { canOptimiseJpeg, encodePicture, pipeline } from './codecs.ts'
import { labelMaxBytes, sourceDescription, withSourceLabel } from './source-label.ts'

const defaultQuality = { jpeg: 92, webp: 90, png: 100 } as const
const minQuality = 30
/** Below this quality, halving chroma costs less quality than it saves. */
const fullChromaQuality = 60

/**
 * `jpeg` is flattened on white. `maxBytes` searches the highest quality that fits in at most seven
 * attempts, and throws `engine.failed` when none does. `minBytes` raises the quality, then pads.
 */
export async function encodeOutput(
  picture: Picture,
  encoding: PictureEncoding,
  shot?: CameraSettings,
): Promise<Uint8Array> {
  const { format, minBytes = 0, maxBytes = Number.POSITIVE_INFINITY, metadata } = encoding
  const source = metadata?.source
  const room = source ? labelMaxBytes : 0
  const bytes = await encodeWithin(picture, encoding, maxBytes - room, shot)
  const labelled = source ? withSourceLabel(bytes, imageFormatInfo[format].contentType, source) : bytes
  return labelled.length < minBytes ? padFile(labelled, format, minBytes) : labelled
}

async function encodeWithin(
  picture: Picture,
  encoding: PictureEncoding,
  maxBytes: number,
  shot: CameraSettings | undefined,
): Promise<Uint8Array> {
  const { format, quality = defaultQuality[format], minBytes = 0 } = encoding
  if (isPlain(encoding)) return encodePicture(picture, format)
  const encodeAt = (at: number) => encodeWith(picture, encoding, at, shot)
  let bytes = await encodeAt(quality)
  if (bytes.length > maxBytes) bytes = await searchQuality(encoding.format, encodeAt, quality, maxBytes)
  if (bytes.length < minBytes && format !== 'png' && quality < 100) {
    const finer = await encodeAt(100)
    if (finer.length <= maxBytes && finer.length > bytes.length) bytes = finer
  }
  return bytes
}

function isPlain({ quality, dpi, minBytes, maxBytes, metadata }: PictureEncoding): boolean {
  return [quality, dpi, minBytes, maxBytes, metadata?.shot].every((option) => option === undefined)
}

async function searchQuality(
  format: PictureEncoding['format'],
  encodeAt: (quality: number) => Promise<Uint8Array>,
  from: number,
  maxBytes: number,
): Promise<Uint8Array> {
  let low = minQuality
  let high = from - 1
  let best: Uint8Array | undefined
  while (low <= high) {
    const quality = best ? Math.ceil((low + high) / 2) : Math.floor((low + high) / 2)
    const bytes = await encodeAt(quality)
    if (bytes.length <= maxBytes) {
      best = bytes
      low = quality + 1
    } else high = quality - 1
  }
  if (!best) throw new EngineError('engine.failed', { cause: `no ${format} of ${maxBytes} bytes` })
  return best
}

/** For `png`, a quality below 100 means a palette of fewer colours. */
function encodeWith(
  picture: Picture,
  encoding: PictureEncoding,
  quality: number,
  shot: CameraSettings | undefined,
): Promise<Uint8Array> {
  const source = withFileMetadata(pipeline(picture), encoding, shot)
  if (encoding.format === 'png') {
    const palette = quality < 100
    return source
      .png({
        compressionLevel: encoding.maxBytes ? 9 : 3,
        adaptiveFiltering: !palette,
        palette,
        ...(palette && { quality }),
      })
      .toBuffer()
  }
  const smooth = quality >= fullChromaQuality
  if (encoding.format === 'webp') {
    return source.webp({ quality, alphaQuality: smooth ? 100 : quality, effort: 3, smartSubsample: true }).toBuffer()
  }
  const chromaSubsampling = smooth ? '4:4:4' : '4:2:0'
  const optimiseCoding = canOptimiseJpeg(picture)
  const options = { quality, chromaSubsampling, optimiseCoding, mozjpeg: !smooth && optimiseCoding }
  return source.flatten({ background: '#ffffff' }).jpeg(options).toBuffer()
}

function withFileMetadata(source: Sharp, { dpi, metadata }: PictureEncoding, shot: CameraSettings | undefined): Sharp {
  const measured = dpi === undefined ? source : source.withMetadata({ density: dpi })
  if (!metadata?.shot) return measured
  const profiled = measured.withIccProfile('srgb')
  return shot ? profiled.withExif({ ...shot }) : profiled
}

/** Decoders skip JPEG comments, and unknown chunks in PNG and WebP. */
function padFile(file: Uint8Array, format: ImageFormat, minBytes: number): Uint8Array {
  const missing = minBytes - file.length
  if (missing <= 0) return file
  if (format === 'jpeg') return insert(file, 2, jpegComments(missing))
  if (format === 'png') return insert(file, file.length - pngEndBytes, pngChunk(missing))
  return webpWithChunk(file, missing)
}

const pngEndBytes = 12
const maxSegment = 65_533

function insert(file: Uint8Array, at: number, part: Uint8Array): Uint8Array {
  return Buffer.concat([file.subarray(0, at), part, file.subarray(at)])
}

/** COM segments directly after the start of the image. */
function jpegComments(bytes: number): Uint8Array {
  const segments: Buffer[] = []
  for (let left = bytes; left > 0; ) {
    const content = Math.max(0, Math.min(maxSegment, left - 4))
    const segment = Buffer.alloc(content + 4, 0x20)
    segment.writeUInt16BE(0xfffe, 0)
    segment.writeUInt16BE(content + 2, 2)
    segments.push(segment)
    left -= segment.length
  }
  return Buffer.concat(segments)
}

/** Lower case in the second and fourth letters of its name: ancillary, private, safe to copy. */
function pngChunk(bytes: number): Uint8Array {
  const content = Math.max(0, bytes - 12)
  const chunk = Buffer.alloc(content + 12, 0)
  chunk.writeUInt32BE(content, 0)
  chunk.write('paDd', 4, 'latin1')
  chunk.writeUInt32BE(crc32(chunk.subarray(4, content + 8)), content + 8)
  return chunk
}

function webpWithChunk(file: Uint8Array, bytes: number): Uint8Array {
  const content = Math.max(0, bytes - 8)
  const even = content + (content % 2)
  const chunk = Buffer.alloc(8 + even, 0)
  chunk.write('PADD', 0, 'latin1')
  chunk.writeUInt32LE(even, 4)
  const padded = Buffer.concat([file, chunk])
  padded.writeUInt32LE(padded.length - 8, 4)
  return padded
}

const pointsPerMillimetre = 72 / 25.4
const quality = 95

/** A PDF with one page of exactly the given size in millimetres for each picture. */
export async function encodePrint(pages: readonly PrintPage[], source: DigitalSource): Promise<Uint8Array> {
  // Loaded on demand, because most generations do not print.
  const { default: PDFDocument } = await import('pdfkit')
  const stamp = new Date(0)
  const info = { CreationDate: stamp, ModDate: stamp }
  // Older versions have no XMP.
  const document = new PDFDocument({ autoFirstPage: false, margin: 0, pdfVersion: '1.4', info })
  document.appendXML(sourceDescription(source))
  const chunks: Uint8Array[] = []
  document.on('data', (chunk: Uint8Array) => chunks.push(chunk))
  const ended = new Promise<void>((resolve, reject) => {
    document.on('end', resolve)
    document.on('error', reject)
  })
  for (const { picture, millimetres } of pages) {
    const width = millimetres.width * pointsPerMillimetre
    const height = millimetres.height * pointsPerMillimetre
    const jpeg = await pipeline(picture)
      .flatten({ background: '#ffffff' })
      .jpeg({ quality, chromaSubsampling: '4:4:4' })
      .toBuffer()
    document.addPage({ size: [width, height], margin: 0 })
    document.image(jpeg, 0, 0, { width, height })
  }
  document.end()
  await ended
  return new Uint8Array(Buffer.concat(chunks))
}

/** Reduced alpha quality is invisible here; full quality takes half of the encoder's time. */
const encoding = { quality: 78, alphaQuality: 80, effort: 2 }

/** A WebP of at most `side` pixels on the longer side; transparency is kept. */
export async function encodeThumbnail(
  picture: Picture,
  side: number,
): Promise<{ bytes: Uint8Array; width: number; height: number }> {
  const { width, height } = fitWithin(picture, side)
  const subsampled = subsample(picture, 4 * side)
  const bytes = await pipeline(subsampled).resize(width, height, { fit: 'fill' }).webp(encoding).toBuffer()
  return { bytes, width, height }
}

/** Enough for averaging down to a quarter of the pixels kept. */
function subsample(picture: Picture, side: number): Picture {
  const step = Math.floor(Math.max(picture.width, picture.height) / side)
  if (step < 2) return picture
  const width = Math.floor(picture.width / step)
  const height = Math.floor(picture.height / step)
  const from = pixelsOf(picture.data)
  const pixels = new Int32Array(width * height)
  const first = step >> 1
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0, at = (y * step + first) * picture.width + first; x < width; x++, at += step) {
      pixels[i++] = from[at] as number
    }
  }
  return { width, height, data: new Uint8ClampedArray(pixels.buffer) }
}
