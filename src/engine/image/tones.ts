import { createPlane, type Picture, type Plane } from './picture.ts'

/** ITU-R BT.601, in the unit of the arguments. */
export const luma = (red: number, green: number, blue: number): number => 0.299 * red + 0.587 * green + 0.114 * blue

export function lumaAt(data: Uint8ClampedArray, i: number): number {
  return luma(data[4 * i] as number, data[4 * i + 1] as number, data[4 * i + 2] as number)
}

/** Scaled to 0…`white`; alpha is ignored. */
export function lumaOf({ width, height, data }: Picture, white = 255): Plane {
  const plane = createPlane(width, height)
  for (let i = 0; i < plane.data.length; i++) plane.data[i] = (lumaAt(data, i) * white) / 255
  return plane
}

export function toGreyscale(data: Uint8ClampedArray): void {
  for (let i = 0; i < data.length; i += 4) {
    const level = luma(data[i] as number, data[i + 1] as number, data[i + 2] as number)
    data[i] = level
    data[i + 1] = level
    data[i + 2] = level
  }
}

/** ITU-R BT.601 luma (0 to 1), Cb and Cr (−0.5 to 0.5), gamma-coded. */
export interface Tones {
  luma: Plane
  blue: Plane
  red: Plane
}

/** Ignores alpha. */
export function tonesOf({ width, height, data }: Picture): Tones {
  const tones = { luma: createPlane(width, height), blue: createPlane(width, height), red: createPlane(width, height) }
  for (let i = 0, j = 0; i < data.length; i += 4, j++) {
    const [y, cb, cr] = toneAt((data[i] as number) / 255, (data[i + 1] as number) / 255, (data[i + 2] as number) / 255)
    tones.luma.data[j] = y
    tones.blue.data[j] = cb
    tones.red.data[j] = cr
  }
  return tones
}

type Tone = readonly [luma: number, blue: number, red: number]

function toneAt(r: number, g: number, b: number): Tone {
  const y = luma(r, g, b)
  return [y, 0.564 * (b - y), 0.713 * (r - y)]
}

/** Converts {@link Tones} to an opaque picture. */
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

/** Converts #rrggbb to {@link Tones}. */
export function toneOf(hex: string): Tone {
  const [r, g, b] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
  return toneAt(r as number, g as number, b as number)
}
