import sharp, { type Sharp } from 'sharp'
import { type Box, type ImageFormat, imageLimits } from '#contract/media.ts'
import { type ShotInfo, shotInfo } from '#engine/image/exif.ts'
import { isMatte, isPicture, type Matte, type Picture, type Plane, type Size } from '#engine/image/picture.ts'
import { isOpaque, matteOf, packColours } from '#engine/image/pixels.ts'
import { lumaAt } from '#engine/image/tones.ts'
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
 * The files that pictures were decoded from, by their pixels: reducing a JPEG while it is decoded
 * takes a fraction of the time.
 */
const encodedJpegs = new WeakMap<Uint8ClampedArray, Uint8Array>()

/**
 * The colours of opaque pictures that stay as they are: libvips would premultiply alpha, resample
 * and divide by it again.
 */
const heldColours = new WeakMap<Picture, Uint8Array>()

/**
 * Memory for such colours that nobody uses at the moment; small, so that no large picture is
 * remembered by it.
 */
let spareColours = new Uint8Array()
const maxSpare = 8 << 20

/**
 * Decodes an uploaded file to an upright sRGB picture of 8 bits a channel, without its metadata.
 * Colour profiles, CMYK, grey and 16 bits are converted. Throws `upload.empty`, `upload.not_image`,
 * `upload.animated`, `upload.too_many_pixels`, `upload.too_small` or `upload.unreadable`, also for
 * a picture with more pixels than `announced` says.
 */
export async function decodePicture(bytes: Uint8Array, announced?: Size): Promise<Picture> {
  if (bytes.byteLength === 0) throw new EngineError('upload.empty')
  try {
    if (isHeic(bytes)) return await decodeHeicPicture(bytes, announced)
    const { format, width, height, pages } = await sharp(bytes, { ...input, pages: -1 }).metadata()
    if (!readable.has(format)) throw new EngineError('upload.not_image')
    if ((pages ?? 1) > 1) throw new EngineError('upload.animated')
    requireSize({ width, height }, announced)
    const picture = await readPixels(bytes)
    if (format === 'jpeg') encodedJpegs.set(picture.data, bytes)
    return picture
  } catch (error) {
    throw refusal(error)
  }
}

/** How the picture in a file was taken, as far as the file says it. */
export async function readShot(bytes: Uint8Array): Promise<ShotInfo | undefined> {
  if (isHeic(bytes)) return undefined
  const { exif } = await sharp(bytes, input).metadata()
  // libvips hands the block over as JPEG has it, behind its name.
  return exif && shotInfo(exif.subarray(exif.toString('latin1', 0, 4) === 'Exif' ? 6 : 0))
}

/** Whoever asked for the price, or for a small preview, was told the size that was announced. */
function requireSize({ width, height }: Size, announced: Size | undefined): void {
  if (announced && width * height > announced.width * announced.height) throw new EngineError('upload.unreadable')
  if (width * height > imageLimits.pixels) throw new EngineError('upload.too_many_pixels')
  if (Math.min(width, height) < imageLimits.minSide) throw new EngineError('upload.too_small')
}

async function decodeHeicPicture(bytes: Uint8Array, announced: Size | undefined): Promise<Picture> {
  const { picture, profile } = await decodeHeic(bytes, (width, height) => requireSize({ width, height }, announced))
  requireSize(picture, announced)
  return profile ? readPixels(pngWithProfile(picture, profile)) : picture
}

/**
 * Decodes an uploaded grey picture to a plane, white being 1; of a coloured one the brightness
 * counts, and what is transparent is 0. Throws as {@link decodePicture} does.
 */
export async function decodePlane(bytes: Uint8Array, announced?: Size): Promise<Plane> {
  const { width, height, data } = await decodePicture(bytes, announced)
  const plane = new Float32Array(width * height)
  for (let i = 0; i < plane.length; i++) {
    plane[i] = (lumaAt(data, i) * (data[4 * i + 3] as number)) / (255 * 255)
  }
  return { width, height, data: plane }
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

function refusal(error: unknown): EngineError {
  if (error instanceof EngineError) return error
  const text = error instanceof Error ? error.message : ''
  if (/pixel limit|too large|exceeds/i.test(text)) return new EngineError('upload.too_many_pixels', { cause: error })
  if (/unsupported image format/i.test(text)) return new EngineError('upload.not_image', { cause: error })
  return new EngineError('upload.unreadable', { cause: error })
}

/** A libvips pipeline that reads a picture without copying it. */
export function pipeline(picture: Picture): Sharp {
  const { data, width, height } = picture
  return sharp(new Uint8Array(data.buffer, data.byteOffset, data.byteLength), { raw: { width, height, channels: 4 } })
}

/** Pixels above which a JPEG has the standard's Huffman tables and becomes a few percent larger. */
const maxOptimised = 12_000_000

/** Whether a JPEG may have own tables: they hold twelve bytes a pixel in memory meanwhile. */
export const mayOptimise = ({ width, height }: Size): boolean => width * height <= maxOptimised

/** Encodes a picture; `jpeg` has no alpha, so it is flattened on white. */
export async function encodePicture(picture: Picture, format: ImageFormat): Promise<Uint8Array> {
  const source = pipeline(picture)
  if (format === 'png') {
    if (!isOpaque(picture)) return encodePng(picture)
    return source.png({ compressionLevel: 3, adaptiveFiltering: true }).toBuffer()
  }
  if (format === 'webp')
    return source.webp({ quality: 90, alphaQuality: 100, effort: 2, smartSubsample: true }).toBuffer()
  const options = { quality: 92, chromaSubsampling: '4:4:4', optimiseCoding: mayOptimise(picture) }
  return source.flatten({ background: '#ffffff' }).jpeg(options).toBuffer()
}

/** Stores a layer as a PNG: planes and mattes as 8-bit grey, pictures as RGBA. */
export async function encodeLayer(layer: Picture | Plane | Matte): Promise<Uint8Array> {
  if (isPicture(layer)) return encodePicture(layer, 'png')
  const { data } = isMatte(layer) ? layer : matteOf(layer)
  return sharp(data, { raw: { width: layer.width, height: layer.height, channels: 1 } })
    .toColourspace('b-w')
    .png({ compressionLevel: 3 })
    .toBuffer()
}

/** Reads back what {@link encodeLayer} stored, a matte as a plane. */
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
 * Resamples a picture, or a whole-pixel part of it, with libvips (Lanczos down, cubic up), alpha
 * handled premultiplied. Large JPEGs are reduced while they are decoded.
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
  return reduced ? resize(sharp(jpeg, input).autoOrient().toColourspace('srgb')) : resampling(picture, resize)
}

/**
 * The same picture, prepared for being resized several times; its pixels must not be changed any
 * more.
 */
export function cachePicture(picture: Picture): Picture {
  const held = { ...picture }
  const colours = new Uint8Array(held.width * held.height * 3)
  if (packColours(held.data, colours)) heldColours.set(held, colours)
  return held
}

/** Hands a picture over to be resampled, without its alpha if that is opaque. */
async function resampling<Result>(picture: Picture, resample: (source: Sharp) => Promise<Result>): Promise<Result> {
  const { width, height } = picture
  const held = heldColours.get(picture)
  if (held) return resample(sharp(held, { raw: { width, height, channels: 3 } }))
  // Most cut-outs show in their corner that they are not opaque.
  if (picture.data[3] !== 255) return resample(pipeline(picture))
  const memory = takeColours(width * height * 3)
  const colours = memory.subarray(0, width * height * 3)
  try {
    if (!packColours(picture.data, colours)) return await resample(pipeline(picture))
    return await resample(sharp(colours, { raw: { width, height, channels: 3 } }))
  } finally {
    if (memory.length <= maxSpare) spareColours = memory
  }
}

/** Memory for so many bytes, whatever is in it; nobody else has it until it is spare again. */
function takeColours(size: number): Uint8Array<ArrayBuffer> {
  const memory = spareColours
  if (memory.length < size) return new Uint8Array(size)
  spareColours = new Uint8Array()
  return memory
}
