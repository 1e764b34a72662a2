import sharp, { type Sharp } from 'sharp'
import { type CameraSettings, readExifSettings } from '#engine/image/exif.ts'
import { pictureProperties } from '#engine/image/heif-boxes.ts'
import {
  convertMeasuredColours,
  convertNamedColours,
  type MeasuredColours,
  type NamedColours,
  needsConversion,
} from '#engine/image/named-colours.ts'
import { isMatte, isPicture, type Matte, type Picture, type Plane, type Size } from '#engine/image/picture.ts'
import { isOpaque, matteOf, packRgb } from '#engine/image/pixels.ts'
import { lumaAt } from '#engine/image/tones.ts'
import { type Box, type ImageFormat, imageLimits } from '#shared/media.ts'
import { EngineError } from '../error.ts'
import { decodeHeic, isHeic, pngWithProfile } from './heic.ts'
import { encodePng } from './png.ts'

const loaders = ['VipsForeignLoadJpeg', 'VipsForeignLoadPng', 'VipsForeignLoadWebp', 'VipsForeignLoadHeif']
sharp.block({ operation: ['VipsForeignLoad'] })
sharp.unblock({ operation: loaders })
sharp.cache(false)

const readable = new Set(['jpeg', 'png', 'webp', 'heif'])
const input = { limitInputPixels: imageLimits.pixels, failOn: 'error', pages: 1 } as const

/**
 * Encoded files by decoded pixels: reducing a JPEG during decoding takes a fraction of the time.
 */
const encodedJpegs = new WeakMap<Uint8ClampedArray, Uint8Array>()

/**
 * Packed colours of unchanging opaque pictures; with alpha, libvips would premultiply and divide.
 */
const packedCache = new WeakMap<Picture, Uint8Array>()

/** Limited, so that a large picture's memory is not kept. */
let spareColours = new Uint8Array()
const maxSpareBytes = 8 << 20

/**
 * Decodes an upload to an upright sRGB picture, 8 bits a channel, without metadata. Throws
 * `upload.empty`, `upload.not_image`, `upload.animated`, `upload.too_many_pixels`,
 * `upload.too_small` or `upload.unreadable`, the last also for more pixels than `announced`.
 */
export async function decodePicture(bytes: Uint8Array, announced?: Size): Promise<Picture> {
  if (bytes.byteLength === 0) throw new EngineError('upload.empty')
  try {
    if (isHeic(bytes)) return await decodeHeicPicture(bytes, announced)
    const { format, width, height, pages, icc, space, depth } = await sharp(bytes, { ...input, pages: -1 }).metadata()
    if (!readable.has(format)) throw new EngineError('upload.not_image')
    if ((pages ?? 1) > 1) throw new EngineError('upload.animated')
    requireSize({ width, height }, announced)
    if (!icc && space === 'cmyk') return await readInks(bytes)
    const picture = await readPixels(bytes)
    // libvips applies profiles to 8 bits a channel only.
    if (icc && depth === 'ushort') return await readPixels(pngWithProfile(picture, icc))
    if (!icc && (format === 'png' || format === 'heif')) return toShownColours(picture, bytes, format === 'png')
    if (format === 'jpeg') encodedJpegs.set(picture.data, bytes)
    return picture
  } catch (error) {
    throw toUploadError(error)
  }
}

export async function readCameraSettings(bytes: Uint8Array): Promise<CameraSettings | undefined> {
  if (isHeic(bytes)) return undefined
  const { exif } = await sharp(bytes, input).metadata()
  // libvips returns the block as stored in JPEG, with its name in front.
  return exif && readExifSettings(exif.subarray(exif.toString('latin1', 0, 4) === 'Exif' ? 6 : 0))
}

/**
 * The announced size decided the price or a preview's admission, so a larger picture is an error.
 */
function requireSize({ width, height }: Size, announced: Size | undefined): void {
  if (announced && width * height > announced.width * announced.height) throw new EngineError('upload.unreadable')
  if (width * height > imageLimits.pixels) throw new EngineError('upload.too_many_pixels')
  if (Math.min(width, height) < imageLimits.minSide) throw new EngineError('upload.too_small')
}

async function decodeHeicPicture(bytes: Uint8Array, announced: Size | undefined): Promise<Picture> {
  const { picture, profile } = await decodeHeic(bytes, (width, height) => requireSize({ width, height }, announced))
  requireSize(picture, announced)
  return profile ? readPixels(pngWithProfile(picture, profile)) : toShownColours(picture, bytes, false)
}

/** White = 1; transparent pixels are 0. Throws like {@link decodePicture}. */
export async function decodePlane(bytes: Uint8Array, announced?: Size): Promise<Plane> {
  const { width, height, data } = await decodePicture(bytes, announced)
  const plane = new Float32Array(width * height)
  for (let i = 0; i < plane.length; i++) {
    plane[i] = (lumaAt(data, i) * (data[4 * i + 3] as number)) / (255 * 255)
  }
  return { width, height, data: plane }
}

/** Colours named by a chunk of PNG or a box of AVIF and HEIF, which libvips does not read. */
function namedColours(bytes: Uint8Array, png: boolean): NamedColours | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (!png) {
    const isNamed = (from: number, to: number) => to - from >= 8 && file.toString('latin1', from, from + 4) === 'nclx'
    const box = pictureProperties(bytes).find(({ name, from, to }) => name === 'colr' && isNamed(from, to))
    return box && { primaries: file.readUInt16BE(box.from + 4), transfer: file.readUInt16BE(box.from + 6) }
  }
  const header = file.subarray(0, file.indexOf('IDAT'))
  const at = header.indexOf('cICP')
  // RGB in full range.
  const isRgb = at > 0 && header[at + 6] === 0 && header[at + 7] === 1
  return isRgb ? { primaries: header[at + 4] as number, transfer: header[at + 5] as number } : undefined
}

/** Colours described by chunks of a PNG; undefined if it says sRGB. */
function measuredColours(bytes: Uint8Array): MeasuredColours | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const header = file.subarray(0, file.indexOf('IDAT'))
  const [gamma, chromaticities] = [header.indexOf('gAMA') + 4, header.indexOf('cHRM') + 4]
  if (gamma < 4 || gamma + 4 > header.length || header.includes('sRGB')) return undefined
  const value = (at: number) => header.readUInt32BE(at) / 100_000
  const isMeasured = chromaticities >= 4 && chromaticities + 32 <= header.length
  return {
    gamma: value(gamma),
    chromaticities: isMeasured ? Array.from({ length: 8 }, (_, at) => value(chromaticities + 4 * at)) : undefined,
  }
}

/** As browsers show them. */
function toShownColours(picture: Picture, bytes: Uint8Array, png: boolean): Picture {
  const named = namedColours(bytes, png)
  const measured = png && !named ? measuredColours(bytes) : undefined
  if (named && needsConversion(named, { png })) convertNamedColours(picture.data, named, { png })
  if (measured) convertMeasuredColours(picture.data, measured)
  return picture
}

/** CMYK without a profile, as browsers show it: each ink takes away its part of the light. */
async function readInks(bytes: Uint8Array): Promise<Picture> {
  const { data, info } = await sharp(bytes, input)
    .autoOrient()
    .pipelineColourspace('cmyk')
    .toColourspace('cmyk')
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
  if (info.channels !== 4) throw new EngineError('upload.unreadable')
  const colours = new Uint8ClampedArray(data.length)
  for (let i = 0; i < data.length; i += 4) {
    const light = 255 - (data[i + 3] as number)
    for (let c = i; c < i + 3; c++) colours[c] = ((255 - (data[c] as number)) * light) / 255
    colours[i + 3] = 255
  }
  return { width: info.width, height: info.height, data: colours }
}

async function readPixels(bytes: Uint8Array): Promise<Picture> {
  const { data, info } = await sharp(bytes, input)
    .autoOrient()
    .toColourspace('srgb')
    .ensureAlpha()
    .raw({ depth: 'uchar' })
    .toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, data: rgba(data, info) }
}

function rgba(data: Buffer, info: { width: number; height: number; channels: number }): Uint8ClampedArray {
  const count = info.width * info.height
  if (info.channels === 4) return new Uint8ClampedArray(data.buffer, data.byteOffset, count * 4)
  if (info.channels !== 2) throw new EngineError('upload.unreadable')
  const out = new Uint8ClampedArray(count * 4)
  for (let i = 0; i < count; i++) {
    const grey = data[2 * i] as number
    out[4 * i] = grey
    out[4 * i + 1] = grey
    out[4 * i + 2] = grey
    out[4 * i + 3] = data[2 * i + 1] as number
  }
  return out
}

function toUploadError(error: unknown): EngineError {
  if (error instanceof EngineError) return error
  const text = error instanceof Error ? error.message : ''
  if (/pixel limit|too large|exceeds/i.test(text)) return new EngineError('upload.too_many_pixels', { cause: error })
  if (/unsupported image format/i.test(text)) return new EngineError('upload.not_image', { cause: error })
  return new EngineError('upload.unreadable', { cause: error })
}

export function pipeline(picture: Picture): Sharp {
  const { data, width, height } = picture
  return sharp(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), { raw: { width, height, channels: 4 } })
}

/** Larger JPEGs use the standard's Huffman tables and become a few percent larger. */
const maxOptimisedPixels = 12_000_000

/** Computing optimised tables takes twelve bytes of memory a pixel. */
export const canOptimiseJpeg = ({ width, height }: Size): boolean => width * height <= maxOptimisedPixels

/** `jpeg` has no alpha, so it is flattened on white. */
export async function encodePicture(picture: Picture, format: ImageFormat): Promise<Uint8Array> {
  const source = pipeline(picture)
  if (format === 'png') {
    if (!isOpaque(picture)) return encodePng(picture)
    return source.png({ compressionLevel: 3, adaptiveFiltering: true }).toBuffer()
  }
  if (format === 'webp')
    return source.webp({ quality: 90, alphaQuality: 100, effort: 2, smartSubsample: true }).toBuffer()
  const options = { quality: 92, chromaSubsampling: '4:4:4', optimiseCoding: canOptimiseJpeg(picture) }
  return source.flatten({ background: '#ffffff' }).jpeg(options).toBuffer()
}

/** Encodes a PNG: planes and mattes as 8-bit grey, pictures as RGBA. */
export async function encodeLayer(layer: Picture | Plane | Matte): Promise<Uint8Array> {
  if (isPicture(layer)) return encodePicture(layer, 'png')
  const { data } = isMatte(layer) ? layer : matteOf(layer)
  return sharp(data, { raw: { width: layer.width, height: layer.height, channels: 1 } })
    .toColourspace('b-w')
    .png({ compressionLevel: 3 })
    .toBuffer()
}

/** A matte becomes a plane. */
export async function decodeLayer(bytes: Uint8Array): Promise<Picture | Plane> {
  const source = sharp(bytes, input)
  const { channels } = await source.metadata()
  if (channels !== 1) return readPixels(bytes)
  const { data, info } = await source.toColourspace('b-w').raw().toBuffer({ resolveWithObject: true })
  const plane = new Float32Array(info.width * info.height)
  for (let i = 0; i < plane.length; i++) plane[i] = (data[i] as number) / 255
  return { width: info.width, height: info.height, data: plane }
}

/**
 * Lanczos down, cubic up, alpha premultiplied; `part` is on whole pixels. Large JPEGs are reduced
 * while they are decoded.
 */
export async function resizePicture(picture: Picture, width: number, height: number, part?: Box): Promise<Picture> {
  if (!part && picture.width === width && picture.height === height) return picture
  const jpeg = encodedJpegs.get(picture.data)
  const reduced = jpeg && !part && width * 2 <= picture.width && height * 2 <= picture.height
  const resize = async (whole: Sharp): Promise<Picture> => {
    const source = part ? whole.extract({ left: part.x, top: part.y, width: part.width, height: part.height }) : whole
    const data = await source.resize(width, height, { fit: 'fill' }).ensureAlpha().raw({ depth: 'uchar' }).toBuffer()
    return { width, height, data: new Uint8ClampedArray(data.buffer, data.byteOffset, data.byteLength) }
  }
  return reduced
    ? resize(sharp(jpeg, input).autoOrient().toColourspace('srgb'))
    : resampleWithoutAlphaIfOpaque(picture, resize)
}

/** The picture's pixels must not change afterwards. */
export function cachePicture(picture: Picture): Picture {
  const held = { ...picture }
  const colours = new Uint8Array(held.width * held.height * 3)
  if (packRgb(held.data, colours)) packedCache.set(held, colours)
  return held
}

async function resampleWithoutAlphaIfOpaque<Result>(
  picture: Picture,
  resample: (source: Sharp) => Promise<Result>,
): Promise<Result> {
  const { width, height } = picture
  const held = packedCache.get(picture)
  if (held) return resample(sharp(held, { raw: { width, height, channels: 3 } }))
  // A quick check: most cut-outs are transparent in their first corner.
  if (picture.data[3] !== 255) return resample(pipeline(picture))
  const memory = takeSpare(width * height * 3)
  const colours = memory.subarray(0, width * height * 3)
  try {
    if (!packRgb(picture.data, colours)) return await resample(pipeline(picture))
    return await resample(sharp(colours, { raw: { width, height, channels: 3 } }))
  } finally {
    if (memory.length <= maxSpareBytes) spareColours = memory
  }
}

function takeSpare(size: number): Uint8Array<ArrayBuffer> {
  const memory = spareColours
  if (memory.length < size) return new Uint8Array(size)
  spareColours = new Uint8Array()
  return memory
}
