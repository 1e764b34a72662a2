import { luma as weigh } from './luma.ts'
import type { Picture, Plane } from './picture.ts'
import { createPlane } from './plane.ts'

/**
 * A picture as lightness and two colour differences (ITU-R BT.601 luma, Cb and Cr), all
 * gamma-coded: luma 0 to 1, differences −0.5 to 0.5.
 */
export interface Tones {
  luma: Plane
  blue: Plane
  red: Plane
}

/** Splits a picture into {@link Tones}; alpha is left out. */
export function tonesOf({ width, height, data }: Picture): Tones {
  const luma = createPlane(width, height)
  const blue = createPlane(width, height)
  const red = createPlane(width, height)
  for (let i = 0, j = 0; j < luma.data.length; i += 4, j++) {
    const r = (data[i] as number) / 255
    const g = (data[i + 1] as number) / 255
    const b = (data[i + 2] as number) / 255
    const y = weigh(r, g, b)
    luma.data[j] = y
    blue.data[j] = 0.564 * (b - y)
    red.data[j] = 0.713 * (r - y)
  }
  return { luma, blue, red }
}

/** Writes {@link Tones} into an opaque picture. */
export function pictureOf({ luma, blue, red }: Tones): Picture {
  const { width, height } = luma
  const data = new Uint8ClampedArray(width * height * 4)
  for (let i = 0, j = 0; j < luma.data.length; i += 4, j++) {
    const y = luma.data[j] as number
    const cb = blue.data[j] as number
    const cr = red.data[j] as number
    data[i] = 255 * (y + 1.403 * cr)
    data[i + 1] = 255 * (y - 0.344 * cb - 0.714 * cr)
    data[i + 2] = 255 * (y + 1.773 * cb)
    data[i + 3] = 255
  }
  return { width, height, data }
}

/** A colour given as #rrggbb, as luma and both colour differences; see {@link Tones}. */
export function toneOf(hex: string): readonly [luma: number, blue: number, red: number] {
  const [r, g, b] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255) as [number, number, number]
  const y = weigh(r, g, b)
  return [y, 0.564 * (b - y), 0.713 * (r - y)]
}
