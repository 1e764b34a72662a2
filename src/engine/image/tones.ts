import { lightOf, linearOf, srgbOf } from '#engine/tasks/background/scene.ts'
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

/** CIELAB under D65: lightness 0 to 100, red–green and yellow–blue each about −100 to 100. */
export type Lab = readonly [lightness: number, a: number, b: number]

const white = [0.95047, 1, 1.08883] as const
const linear = Float64Array.from({ length: 256 }, (_, level) => linearOf(level / 255))

/** sRGB levels indexed by the square root of light, which keeps dark levels apart. */
const encoded = Float32Array.from({ length: 4097 }, (_, i) => 255 * srgbOf((i / 4096) ** 2))
const levelOf = (light: number) => encoded[Math.round(4096 * Math.sqrt(Math.min(1, Math.max(0, light))))] as number

const labCurve = (t: number) => (t > 216 / 24389 ? Math.cbrt(t) : (24389 / 27 / 116) * t + 16 / 116)
const inverseLabCurve = (f: number) => (f > 6 / 29 ? f * f * f : 3 * (6 / 29) ** 2 * (f - 4 / 29))

/** CIELAB of sRGB levels from 0 to 255. */
export function labOf(red: number, green: number, blue: number): Lab {
  return labOfLight(linear[red] as number, linear[green] as number, linear[blue] as number)
}

export function labOfColour(colour: string): Lab {
  return labOfLight(...lightOf(colour))
}

function labOfLight(r: number, g: number, b: number): Lab {
  const x = labCurve((0.4124564 * r + 0.3575761 * g + 0.1804375 * b) / white[0])
  const y = labCurve(0.2126729 * r + 0.7151522 * g + 0.072175 * b)
  const z = labCurve((0.0193339 * r + 0.119192 * g + 0.9503041 * b) / white[2])
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)]
}

/** sRGB levels, 0 to 255, of a lightness and the nearest colour to `a`, `b` inside the gamut. */
export function labToRgb(lightness: number, a: number, b: number, out: [number, number, number]): void {
  for (let share = 1; ; share -= 0.2) {
    const y = (lightness + 16) / 116
    const x = inverseLabCurve(y + (share * a) / 500) * white[0]
    const z = inverseLabCurve(y - (share * b) / 200) * white[2]
    const light = inverseLabCurve(y)
    const red = 3.2404542 * x - 1.5371385 * light - 0.4985314 * z
    const green = -0.969266 * x + 1.8760108 * light + 0.041556 * z
    const blue = 0.0556434 * x - 0.2040259 * light + 1.0572252 * z
    const low = Math.min(red, green, blue)
    const high = Math.max(red, green, blue)
    if (share > 0.25 && (low < -0.004 || high > 1.01)) continue
    out[0] = levelOf(red)
    out[1] = levelOf(green)
    out[2] = levelOf(blue)
    return
  }
}
