import { lightOf, linearOf, srgbOf } from '#engine/tasks/background/scene.ts'

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
