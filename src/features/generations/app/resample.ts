import { exifOrientation } from '#engine/image/exif.ts'
import { imageLimits } from '#shared/media.ts'
import type { Size } from '#ui/geometry.ts'

/** The browser changes pixels that are read, as protection against fingerprinting. */
class AlteredPixels extends Error {
  constructor() {
    super('the canvas returned other pixels than were drawn')
    this.name = 'AlteredPixels'
  }
}

export const resizeBitmap = (source: Blob | ImageBitmap, { width, height }: Size) =>
  createImageBitmap(source, { resizeWidth: width, resizeHeight: height, resizeQuality: 'high' })

/** An encoded copy that keeps transparency. Throws where the device cannot resize. */
export async function resample(blob: Blob, size: Size): Promise<Blob> {
  return (await drawn(blob, size)).copy
}

/** The same for pictures that are paid for: throws where the browser changes pixels. */
export async function resampleFaithfully(blob: Blob, size: Size): Promise<Blob> {
  const { copy, canvas } = await drawn(blob, size)
  if (!(await isFaithful(canvas, copy))) throw new AlteredPixels()
  return copy
}

const isFaithful = async (canvas: OffscreenCanvas, copy: Blob) =>
  (await readsExactly()) && (await isSamePicture(canvas, copy))

async function drawn(blob: Blob, size: Size): Promise<{ copy: Blob; canvas: OffscreenCanvas }> {
  const bitmap = await resizeBitmap(blob, size)
  const canvas = new OffscreenCanvas(size.width, size.height)
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0)
  bitmap.close()
  return { canvas, copy: await encode(canvas, blob.type) }
}

/** `EXIF`, the chunk, and `Exif`, which some programs put in front of its content. */
const [exifChunk, exifPrefix] = [0x45584946, 0x45786966]

/** By orientation of EXIF, from 2 on: the canvas's matrix by the size of the stored picture. */
const turns: readonly ((width: number, height: number) => [number, number, number, number, number, number])[] = [
  (width) => [-1, 0, 0, 1, width, 0],
  (width, height) => [-1, 0, 0, -1, width, height],
  (_, height) => [1, 0, 0, -1, 0, height],
  () => [0, 1, 1, 0, 0, 0],
  (_, height) => [0, 1, -1, 0, height, 0],
  (width, height) => [0, -1, -1, 0, height, width],
  (width) => [0, -1, 1, 0, 0, width],
]

/**
 * Chromium does not turn WebP by its EXIF, as other programs and the server do. An upright copy
 * looks alike everywhere; where the canvas changes pixels, one without the EXIF.
 */
export async function uprightWebp(file: Blob): Promise<Blob> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  const view = new DataView(bytes.buffer)
  let at = 12
  while (at + 8 < bytes.length && view.getUint32(at) !== exifChunk) at += 8 + ((view.getUint32(at + 4, true) + 1) & ~1)
  if (at + 16 > bytes.length) return file
  const block = bytes.subarray(at + (view.getUint32(at + 8) === exifPrefix ? 14 : 8))
  const turn = turns[exifOrientation(block) - 2]
  if (!turn) return file
  view.setUint32(at, 0)
  const untagged = new Blob([bytes], { type: file.type })
  const bitmap = await createImageBitmap(untagged)
  const { width, height } = bitmap
  const canvas = turn(1, 0)[0] === 0 ? new OffscreenCanvas(height, width) : new OffscreenCanvas(width, height)
  const context = canvas.getContext('2d')
  context?.setTransform(...turn(width, height))
  context?.drawImage(bitmap, 0, 0)
  bitmap.close()
  const copy = await encode(canvas, 'image/webp')
  return (await isFaithful(canvas, copy)) ? copy : untagged
}

async function encode(canvas: OffscreenCanvas, source: string): Promise<Blob> {
  const types = ['image/jpeg']
  if (source !== 'image/jpeg' && !isOpaque(canvas)) types.splice(0, 1, 'image/webp', 'image/png')
  if (source === 'image/png') types.unshift(source)
  for (const type of types) {
    const copy = await canvas.convertToBlob({ type, quality: 0.93 })
    // Browsers without an encoder for the type return PNG.
    if (copy.type === type && copy.size <= imageLimits.bytes) return copy
  }
  throw new Error('no copy is small enough')
}

/** Rows read at a time, so that a large picture is not copied whole. */
const rowsAtOnce = 128

function isOpaque(canvas: OffscreenCanvas): boolean {
  const { width, height } = canvas
  for (let y = 0; y < height; y += rowsAtOnce) {
    const data = pixelsOf(canvas, { x: 0, y, width, height: Math.min(rowsAtOnce, height - y) })
    for (let at = 3; at < data.length; at += 4) if (data[at] !== 255) return false
  }
  return true
}

interface Area extends Size {
  x: number
  y: number
}

function pixelsOf(canvas: OffscreenCanvas, { x, y, width, height }: Area): Uint8ClampedArray {
  const context = canvas.getContext('2d')
  if (!context) throw new Error('there is no canvas')
  return context.getImageData(x, y, width, height).data
}

const side = 32

/** Reads a known pattern back, directly and through a lossless file. */
async function readsExactly(): Promise<boolean> {
  const canvas = new OffscreenCanvas(side, side)
  const pattern = new ImageData(side, side)
  pattern.data.forEach((_, at) => {
    pattern.data[at] = at % 4 === 3 ? 255 : (Math.imul(at + 1, 2_654_435_761) >>> 24) & 255
  })
  canvas.getContext('2d')?.putImageData(pattern, 0, 0)
  const file = await createImageBitmap(await canvas.convertToBlob({ type: 'image/png' }))
  const again = cut(file, { x: 0, y: 0, width: side, height: side }, side)
  file.close()
  const whole = { x: 0, y: 0, width: side, height: side }
  return [pixelsOf(canvas, whole), again].every((data) => data.every((value, at) => value === pattern.data[at]))
}

/** Pixels of an area, drawn at a size. */
function cut(source: CanvasImageSource, { x, y, width, height }: Area, size: number): Uint8ClampedArray {
  const canvas = new OffscreenCanvas(size, size)
  const context = canvas.getContext('2d', { willReadFrequently: true })
  if (!context) throw new Error('there is no canvas')
  context.imageSmoothingQuality = 'high'
  context.drawImage(source, x, y, width, height, 0, 0, size, size)
  return context.getImageData(0, 0, size, size).data
}

/** Mean difference of brightness and transparency, 0 to 255. */
function difference(one: Uint8ClampedArray, other: Uint8ClampedArray): number {
  const light = (data: Uint8ClampedArray, at: number) =>
    ((0.3 * (data[at] ?? 0) + 0.6 * (data[at + 1] ?? 0) + 0.1 * (data[at + 2] ?? 0)) * (data[at + 3] ?? 0)) / 255
  let sum = 0
  for (let at = 0; at < one.length; at += 4) {
    sum += Math.abs(light(one, at) - light(other, at)) + Math.abs((one[at + 3] ?? 0) - (other[at + 3] ?? 0))
  }
  return sum / (one.length / 4)
}

/** Patches in each direction, compared pixel by pixel; the areas between them are averaged. */
const patches = 6
/** JPEG at this quality changes the brightness by 1 to 3; visible noise by more than 8. */
const maxDifference = 7
const maxAverageDifference = 3

async function isSamePicture(canvas: OffscreenCanvas, copy: Blob): Promise<boolean> {
  const decoded = await createImageBitmap(copy)
  try {
    const { width, height } = canvas
    if (decoded.width !== width || decoded.height !== height) return false
    const [w, h] = [Math.min(side, width), Math.min(side, height)]
    const [stepX, stepY] = [(width - w) / (patches - 1), (height - h) / (patches - 1)]
    const differs = (area: Area, limit: number) => difference(cut(canvas, area, side), cut(decoded, area, side)) > limit
    for (let row = 0; row < patches; row++) {
      for (let column = 0; column < patches; column++) {
        const area = { x: Math.floor(column * stepX), y: Math.floor(row * stepY), width: w, height: h }
        if (differs(area, maxDifference)) return false
        // The whole cell of the patch, reduced.
        const cell = { width: width / patches, height: height / patches }
        if (differs({ x: column * cell.width, y: row * cell.height, ...cell }, maxAverageDifference)) return false
      }
    }
    return true
  } finally {
    decoded.close()
  }
}
