import type { Picture, Plane } from './picture.ts'
import { smoothRows } from './plane.ts'

/**
 * Lays a picture with straight alpha over an opaque one of the same size, in sRGB as editors do;
 * `under` is changed and answered.
 */
export function layOver(top: Picture, under: Picture): Picture {
  const over = top.data
  const { data } = under
  for (let i = 0; i < data.length; i += 4) {
    const level = over[i + 3] as number
    if (level === 0) continue
    const alpha = level / 255
    data[i] = (over[i] as number) * alpha + (data[i] as number) * (1 - alpha)
    data[i + 1] = (over[i + 1] as number) * alpha + (data[i + 1] as number) * (1 - alpha)
    data[i + 2] = (over[i + 2] as number) * alpha + (data[i + 2] as number) * (1 - alpha)
  }
  return under
}

/**
 * Darkens an opaque picture by a shadow, 0 none to 1 black, in place; a smaller shadow is enlarged
 * over the whole picture.
 */
export function darken({ width, height, data }: Picture, shadow: Plane): void {
  const rowOf = smoothRows(shadow, width, height)
  for (let y = 0, i = 0; y < height; y++) {
    const row = rowOf(y)
    for (let x = 0; x < width; x++, i += 4) {
      const keep = 1 - (row[x] as number)
      if (keep === 1) continue
      data[i] = (data[i] as number) * keep
      data[i + 1] = (data[i + 1] as number) * keep
      data[i + 2] = (data[i + 2] as number) * keep
    }
  }
}

/**
 * Puts a black shadow under a cut-out with straight alpha, in place; opaque pixels stay as they
 * are.
 */
export function castBelow(cutOut: Picture, shadow: Plane): void {
  const { data } = cutOut
  for (let i = 0; i < shadow.data.length; i++) {
    const own = (data[4 * i + 3] as number) / 255
    const dark = (shadow.data[i] as number) * (1 - own)
    if (dark <= 0) continue
    const alpha = own + dark
    const share = own / alpha
    data[4 * i] = (data[4 * i] as number) * share
    data[4 * i + 1] = (data[4 * i + 1] as number) * share
    data[4 * i + 2] = (data[4 * i + 2] as number) * share
    data[4 * i + 3] = alpha * 255
  }
}

/** An even, opaque picture of an sRGB colour such as `#1e90ff`. */
export function plainPicture(width: number, height: number, colour: string): Picture {
  const value = Number.parseInt(colour.slice(1), 16)
  const pixel = new Uint8ClampedArray([value >> 16, (value >> 8) & 255, value & 255, 255])
  const data = new Uint8ClampedArray(width * height * 4)
  new Uint32Array(data.buffer).fill(new Uint32Array(pixel.buffer)[0] as number)
  return { width, height, data }
}
