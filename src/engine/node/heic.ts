import { createRequire } from 'node:module'
import { deflateSync } from 'node:zlib'
import { pictureProperties } from '#engine/image/heif-boxes.ts'
import type { Picture } from '#engine/image/picture.ts'
import { EngineError } from '../error.ts'
import { pngFile } from './png.ts'

const require = createRequire(import.meta.url)

interface Handle {
  code?: undefined
}
interface Failure {
  code: object
}

interface LibHeif {
  heif_error_code: { heif_error_Ok: object }
  heif_colorspace: { heif_colorspace_RGB: object }
  heif_chroma: { heif_chroma_interleaved_RGBA: object }
  heif_context_alloc(): object
  heif_context_free(context: object): void
  heif_context_read_from_memory(context: object, bytes: Uint8Array): Failure
  heif_js_context_get_primary_image_handle(context: object): Handle | Failure
  heif_image_handle_get_width(handle: Handle): number
  heif_image_handle_get_height(handle: Handle): number
  heif_image_handle_release(handle: Handle): void
  heif_js_decode_image2(handle: Handle, space: object, chroma: object): Promise<Decoded | Failure>
  heif_image_release(image: object): void
}

interface Decoded {
  code?: undefined
  image: object
  channels: { width: number; height: number; stride: number; data: Uint8Array }[]
}

/** Brands of files with HEVC pictures (ISO/IEC 23008-12). */
const brands = new Set(['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'hevm', 'hevs'])

export function isHeic(bytes: Uint8Array): boolean {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, 256))
  if (start.length < 16 || start.toString('latin1', 4, 8) !== 'ftyp') return false
  const found = [start.toString('latin1', 8, 12)]
  for (let at = 16; at + 4 <= Math.min(start.readUInt32BE(0), start.length); at += 4) {
    found.push(start.toString('latin1', at, at + 4))
  }
  return !found.includes('avif') && found.some((brand) => brands.has(brand))
}

/**
 * Decodes the primary picture, upright, straight alpha, in the colour space of `profile` or sRGB.
 * `accept` receives the size before decoding and may throw. Throws `upload.unreadable`.
 */
export async function decodeHeic(
  bytes: Uint8Array,
  accept: (width: number, height: number) => void,
): Promise<{ picture: Picture; profile: Uint8Array | undefined }> {
  const lib: LibHeif = require('libheif-js/wasm-bundle')
  const context = lib.heif_context_alloc()
  try {
    const { code } = lib.heif_context_read_from_memory(context, bytes)
    if (code !== lib.heif_error_code.heif_error_Ok) throw new EngineError('upload.unreadable')
    const handle = lib.heif_js_context_get_primary_image_handle(context)
    if (!handle || handle.code) throw new EngineError('upload.unreadable')
    try {
      accept(lib.heif_image_handle_get_width(handle), lib.heif_image_handle_get_height(handle))
      return { picture: await decodePrimary(lib, handle), profile: colourProfile(bytes) }
    } finally {
      lib.heif_image_handle_release(handle)
    }
  } finally {
    lib.heif_context_free(context)
  }
}

async function decodePrimary(lib: LibHeif, handle: Handle): Promise<Picture> {
  const { heif_colorspace_RGB: space } = lib.heif_colorspace
  const decoded = await lib.heif_js_decode_image2(handle, space, lib.heif_chroma.heif_chroma_interleaved_RGBA)
  if (!decoded || decoded.code) throw new EngineError('upload.unreadable')
  const [pixels] = decoded.channels
  if (!pixels) throw new EngineError('upload.unreadable')
  const { width, height, stride } = pixels
  const data = new Uint8ClampedArray(width * height * 4)
  for (let y = 0; y < height; y++) data.set(pixels.data.subarray(y * stride, y * stride + 4 * width), 4 * y * width)
  lib.heif_image_release(decoded.image)
  return { width, height, data }
}

function colourProfile(bytes: Uint8Array): Uint8Array | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (const { name, from, to } of pictureProperties(bytes)) {
    if (name !== 'colr' || !['prof', 'rICC'].includes(file.toString('latin1', from, from + 4))) continue
    const profile = file.subarray(from + 4, to)
    if (profile.toString('latin1', 36, 40) === 'acsp') return profile
  }
  return undefined
}

/** Uncompressed, for passing a raw picture's colour space to libvips. */
export function pngWithProfile(picture: Picture, profile: Uint8Array): Uint8Array {
  const { width, height, data } = picture
  const rows = Buffer.alloc(height * (4 * width + 1))
  for (let y = 0; y < height; y++) rows.set(data.subarray(4 * y * width, 4 * (y + 1) * width), y * (4 * width + 1) + 1)
  return pngFile(picture, [
    ['iCCP', Buffer.concat([Buffer.from('icc\0\0', 'latin1'), deflateSync(profile)])],
    ['IDAT', deflateSync(rows, { level: 0 })],
  ])
}
