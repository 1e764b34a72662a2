import type { Box } from '#shared/media.ts'
import { clipBox, wholeOf } from './geometry.ts'
import { createPlane, type Matte, type Picture, type Plane, type Size } from './picture.ts'

/** Copies the part inside a box, which must be on whole pixels and inside the picture. */
export function cropPicture(picture: Picture, box: Box): Picture {
  const { x, y, width, height } = box
  const data = new Uint8ClampedArray(width * height * 4)
  for (let row = 0; row < height; row++) {
    const start = ((y + row) * picture.width + x) * 4
    data.set(picture.data.subarray(start, start + width * 4), row * width * 4)
  }
  return { width, height, data }
}

/** Copies a part, which must be on whole pixels and inside the plane. */
export function cropPlane(plane: Plane, x: number, y: number, width: number, height: number): Plane {
  const out = createPlane(width, height)
  for (let row = 0; row < height; row++) {
    const start = (y + row) * plane.width + x
    out.data.set(plane.data.subarray(start, start + width), row * width)
  }
  return out
}

export function resizeToCover(
  picture: Picture,
  { width, height }: Size,
  resize: (picture: Picture, width: number, height: number) => Promise<Picture>,
): Promise<Picture> {
  const scale = Math.max(width / picture.width, height / picture.height)
  const part = { width: Math.min(picture.width, width / scale), height: Math.min(picture.height, height / scale) }
  const box = clipBox({ x: (picture.width - part.width) / 2, y: (picture.height - part.height) / 2, ...part }, picture)
  return resize(cropPicture(picture, box ?? wholeOf(picture)), width, height)
}

/** The part inside a whole-pixel box, transparent outside the picture. */
export function cropWithPadding(picture: Picture, box: Box): Picture {
  const part = emptyPicture(box.width, box.height)
  const inside = clipBox(box, picture)
  if (inside) pastePicture(part, cropPicture(picture, inside), inside.x - box.x, inside.y - box.y)
  return part
}

/** Fully transparent. */
export function emptyPicture(width: number, height: number): Picture {
  return { width, height, data: new Uint8ClampedArray(4 * width * height) }
}

/** Overwrites a part inside the target, alpha included. */
export function pastePicture(target: Picture, part: Picture, left: number, top: number): void {
  for (let y = 0; y < part.height; y++) {
    const row = part.data.subarray(4 * y * part.width, 4 * (y + 1) * part.width)
    target.data.set(row, 4 * ((top + y) * target.width + left))
  }
}

/** Overwrites a part inside the target, and returns the target. */
export function pastePlane(target: Plane, part: Plane, { x, y }: { x: number; y: number }): Plane {
  for (let row = 0; row < part.height; row++) {
    target.data.set(part.data.subarray(row * part.width, (row + 1) * part.width), (y + row) * target.width + x)
  }
  return target
}

/** Blends the other picture's colours in by `shares`, 0 to 1, in place; one size, alpha stays. */
export function blendPicture({ data }: Picture, { data: other }: Picture, shares: Plane): void {
  for (let i = 0; i < shares.data.length; i++) {
    const share = shares.data[i] as number
    if (share === 0) continue
    for (let k = 4 * i; k < 4 * i + 3; k++) {
      data[k] = (data[k] as number) + share * ((other[k] as number) - (data[k] as number))
    }
  }
}

export function mirrorPicture({ width, height, data }: Picture): Picture {
  return { width, height, data: new Uint8ClampedArray(reverseRows(pixelsOf(data).slice(), width).buffer) }
}

export function mirrorPlane({ width, height, data }: Plane): Plane {
  return { width, height, data: reverseRows(data.slice(), width) }
}

function reverseRows<Values extends Int32Array | Float32Array>(values: Values, width: number): Values {
  for (let start = 0; start < values.length; start += width) values.subarray(start, start + width).reverse()
  return values
}

export function isOpaque({ data }: Picture): boolean {
  const pixels = pixelsOf(data)
  // A single test for each block; alpha is in the topmost bits on little-endian machines.
  for (let start = 0; start < pixels.length; start += 4096) {
    const end = Math.min(start + 4096, pixels.length)
    let shared = -1
    for (let i = start; i < end; i++) shared &= pixels[i] as number
    if (shared >>> 24 !== 255) return false
  }
  return true
}

/** `rgb`, three bytes a pixel, must be aligned to four bytes. Returns true if all alpha is 255. */
export function packRgb(rgba: Uint8ClampedArray, rgb: Uint8Array): boolean {
  const pixels = pixelsOf(rgba)
  const whole = pixels.length - (pixels.length % 4)
  const words = new Int32Array(rgb.buffer, rgb.byteOffset, (whole / 4) * 3)
  let shared = -1
  // Four pixels fill three words, the lowest byte first.
  for (let i = 0, at = 0; i < whole; i += 4, at += 3) {
    const first = pixels[i] as number
    const second = pixels[i + 1] as number
    const third = pixels[i + 2] as number
    const fourth = pixels[i + 3] as number
    shared &= first & second & third & fourth
    words[at] = (first & 0xffffff) | (second << 24)
    words[at + 1] = ((second >>> 8) & 0xffff) | (third << 16)
    words[at + 2] = ((third >>> 16) & 0xff) | (fourth << 8)
  }
  for (let i = whole, at = 3 * whole; i < pixels.length; i++, at += 3) {
    const pixel = pixels[i] as number
    shared &= pixel
    rgb[at] = pixel
    rgb[at + 1] = pixel >>> 8
    rgb[at + 2] = pixel >>> 16
  }
  return shared >>> 24 === 255
}

/** RGBA as 32-bit integers, alpha in the topmost bits; copies only unaligned bytes. */
export function pixelsOf(rgba: Uint8ClampedArray): Int32Array {
  const aligned = rgba.byteOffset % 4 === 0 ? rgba : rgba.slice()
  return new Int32Array(aligned.buffer, aligned.byteOffset, aligned.length / 4)
}

/** Composites over one sRGB colour, so that models never see colours hidden under transparency. */
export function flatten(picture: Picture, red: number, green: number, blue: number): Picture {
  if (isOpaque(picture)) return picture
  const { data } = picture
  const out = new Uint8ClampedArray(data.length)
  for (let i = 0; i < data.length; i += 4) {
    const alpha = (data[i + 3] as number) / 255
    out[i] = (data[i] as number) * alpha + red * (1 - alpha)
    out[i + 1] = (data[i + 1] as number) * alpha + green * (1 - alpha)
    out[i + 2] = (data[i + 2] as number) * alpha + blue * (1 - alpha)
    out[i + 3] = 255
  }
  return { width: picture.width, height: picture.height, data: out }
}

/** Undefined if the picture is opaque. */
export function alphaOf(picture: Picture): Plane | undefined {
  return isOpaque(picture) ? undefined : alphaPlane(picture)
}

export const alphaPlane = (picture: Picture): Plane => channelPlane(picture, 3, 1)

/** At most `area` pixels: wide groups keep as much detail for each person as portraits. */
export function fitArea(size: Size, area: number): Size {
  const scale = Math.min(1, Math.sqrt(area / (size.width * size.height)))
  return { width: Math.max(1, Math.round(size.width * scale)), height: Math.max(1, Math.round(size.height * scale)) }
}

/** Keeps the aspect ratio; the longer side is at most `side`. */
export function fitWithin(size: Size, side: number): Size {
  const scale = Math.min(1, side / Math.max(size.width, size.height))
  return { width: Math.max(1, Math.round(size.width * scale)), height: Math.max(1, Math.round(size.height * scale)) }
}

/** Red, green, blue or alpha (0 to 3), scaled to 0…`white`. */
export function channelPlane({ width, height, data }: Picture, channel: number, white = 255): Plane {
  const plane = createPlane(width, height)
  for (let i = 0, at = channel; i < plane.data.length; i++, at += 4)
    plane.data[i] = ((data[at] as number) * white) / 255
  return plane
}

/** Converts 0…1 to 0…255. */
export function matteOf({ width, height, data }: Plane): Matte {
  const bytes = new Uint8Array(width * height)
  const levels = new Uint8ClampedArray(bytes.buffer)
  for (let i = 0; i < levels.length; i++) levels[i] = (data[i] as number) * 255
  return { width, height, data: bytes }
}

/** Converts 0…255 to 0…1. */
export function planeOf({ width, height, data }: Matte): Plane {
  const values = new Float32Array(width * height)
  for (let i = 0; i < values.length; i++) {
    const level = data[i] as number
    if (level !== 0) values[i] = level / 255
  }
  return { width, height, data: values }
}

/** True if a pixel of the matte is mostly foreground. */
export function hasForeground({ data }: Matte): boolean {
  for (let i = 0; i < data.length; i++) if ((data[i] as number) > 127) return true
  return false
}
