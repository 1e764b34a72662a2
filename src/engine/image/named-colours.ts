/** Numbers of ITU-T H.273, by which PNG (cICP), AVIF and HEIF (nclx) may name their colours. */
export interface NamedColours {
  primaries: number
  transfer: number
}

/** Colours that a PNG describes itself (gAMA and cHRM, third edition, §11.3.2). */
export interface MeasuredColours {
  /** Exponent of the samples, such as 0.45455. */
  gamma: number
  /** x and y of white, red, green and blue; sRGB without. */
  chromaticities?: readonly number[] | undefined
}

type Matrix = readonly [number, number, number, number, number, number, number, number, number]

/** Linear light to that of sRGB (CSS Color 4). */
const toSrgb: Readonly<Record<number, Matrix>> = {
  1: [1, 0, 0, 0, 1, 0, 0, 0, 1],
  9: [1.660491, -0.5876411, -0.0728499, -0.1245505, 1.1328999, -0.0083494, -0.0181508, -0.1005789, 1.1187297],
  12: [1.2249402, -0.2249402, 0, -0.0420569, 1.0420569, 0, -0.0196376, -0.0786361, 1.0982735],
}

/** Linear light to that of Rec. 2020, in which bright colours are compressed. */
const toRec2020: Readonly<Record<number, Matrix>> = {
  1: [0.6274039, 0.329283, 0.0433131, 0.0690973, 0.9195404, 0.0113623, 0.0163914, 0.0880133, 0.8955953],
  12: [0.753833, 0.1985974, 0.0475696, 0.0457438, 0.9417772, 0.0124789, -0.0012103, 0.0176017, 0.9836086],
}

const fromSrgbCurve = (v: number) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
const toSrgbCurve = (v: number) => (v <= 0.0031308 ? v * 12.92 : 1.055 * v ** (1 / 2.4) - 0.055)

/** White of a picture in nits, which others call 1 (ITU-R BT.2408). */
const referenceWhite = 203
/** SMPTE ST 2084. */
function fromPq(v: number): number {
  const p = v ** (32 / 2523)
  return (10_000 / referenceWhite) * (Math.max(0, p - 107 / 128) / (2413 / 128 - (2392 / 128) * p)) ** (8192 / 1305)
}
/** Light of the scene, 0 to 1 (ITU-R BT.2100). */
const fromHlg = (v: number) => (v <= 0.5 ? v ** 2 / 3 : (Math.exp((v - 0.55991073) / 0.17883277) + 0.28466892) / 12)
/** A screen of 1000 nits, for which HLG pictures are meant. */
const hlgPeak = 1000 / referenceWhite
const hlgGamma = 1.2

const pq = 16
const hlg = 18
/** sRGB; the curves of video are read like it in AVIF and HEIF. */
const curves: Readonly<Record<number, (v: number) => number>> = {
  1: fromSrgbCurve,
  4: (v) => v ** 2.2,
  6: fromSrgbCurve,
  8: (v) => v,
  13: fromSrgbCurve,
  14: fromSrgbCurve,
  15: fromSrgbCurve,
  [pq]: fromPq,
  [hlg]: fromHlg,
}
/** In PNG, the curves of video are those of a screen in a dim room (ITU-R BT.1886). */
const videoCurves = new Set([1, 6, 14, 15])

/**
 * Brightness of a high-dynamic-range picture on an ordinary screen: half as bright up to white,
 * compressed above. Pairs of light and what Chromium 156 shows of it.
 */
const shownLight = [
  [0, 0],
  [1, 0.499],
  [1.25, 0.592],
  [1.5, 0.658],
  [1.75, 0.703],
  [2, 0.743],
  [2.5, 0.81],
  [3, 0.864],
  [3.5, 0.906],
  [4, 0.945],
  [4.5, 0.976],
  [4.93, 1],
] as const

function toneMapped(light: number): number {
  const [, second] = shownLight
  if (light <= second[0]) return light * (second[1] / second[0])
  for (let i = 2; i < shownLight.length; i++) {
    const [[x0, y0], [x1, y1]] = [shownLight[i - 1], shownLight[i]] as [
      readonly [number, number],
      readonly [number, number],
    ]
    if (light <= x1) return y0 + ((light - x0) * (y1 - y0)) / (x1 - x0)
  }
  return 1
}

/** False for sRGB and for what is unknown or unspecified, which is shown as sRGB. */
export function needsConversion({ primaries, transfer }: NamedColours, { png }: { png: boolean }): boolean {
  if (!toSrgb[primaries] || !curves[transfer]) return false
  return primaries !== 1 || (png && videoCurves.has(transfer)) || curves[transfer] !== fromSrgbCurve
}

/** Converts RGBA samples in place to sRGB as Chromium does, which reads 2.2 alone as sRGB. */
export function convertMeasuredColours(data: Uint8ClampedArray, { gamma, chromaticities }: MeasuredColours): void {
  const matrix = chromaticities ? matrixToSrgb(chromaticities) : toSrgb[1]
  const isSrgb = !chromaticities && Math.abs(gamma - 1 / 2.2) < 0.005
  if (gamma > 0 && matrix && !isSrgb) convertLight(data, (v) => v ** (1 / gamma), matrix)
}

type Vector = readonly [number, number, number]

const srgbChromaticities = [0.3127, 0.329, 0.64, 0.33, 0.3, 0.6, 0.15, 0.06]

/** White stays white. Undefined for impossible colours. */
function matrixToSrgb(chromaticities: readonly number[]): Matrix | undefined {
  const [from, to] = [chromaticities, srgbChromaticities].map(toXyz) as [Matrix, Matrix]
  const columns = [0, 1, 2].map((at) => times(inverted(to), [from[at]!, from[at + 3]!, from[at + 6]!]))
  const rows = [0, 1, 2].map((at) => columns.map((column) => column[at]!))
  const matrix = rows.flatMap((row) => row.map((value) => value / row.reduce((sum, one) => sum + one)))
  return matrix.every(Number.isFinite) ? (matrix as unknown as Matrix) : undefined
}

function toXyz(chromaticities: readonly number[]): Matrix {
  const [white, red, green, blue] = [0, 2, 4, 6].map((at): Vector => {
    const [x = 0, y = 0] = chromaticities.slice(at)
    return [x / y, 1, (1 - x - y) / y]
  }) as [Vector, Vector, Vector, Vector]
  const primaries = [0, 1, 2].flatMap((at) => [red[at], green[at], blue[at]]) as unknown as Matrix
  const scale = times(inverted(primaries), white)
  return primaries.map((value, at) => value * scale[at % 3]!) as unknown as Matrix
}

const times = ([a, b, c, d, e, f, g, h, i]: Matrix, [x, y, z]: Vector): Vector => [
  a * x + b * y + c * z,
  d * x + e * y + f * z,
  g * x + h * y + i * z,
]

function inverted([a, b, c, d, e, f, g, h, i]: Matrix): Matrix {
  const [j, k, l] = [e * i - f * h, f * g - d * i, d * h - e * g]
  const adjugate = [j, c * h - b * i, b * f - c * e, k, a * i - c * g, c * d - a * f, l, b * g - a * h, a * e - b * d]
  return adjugate.map((value) => value / (a * j + b * k + c * l)) as unknown as Matrix
}

/** Converts RGBA samples in place to sRGB as browsers show them on an ordinary screen. */
export function convertNamedColours(
  data: Uint8ClampedArray,
  { primaries, transfer }: NamedColours,
  { png }: { png: boolean },
): void {
  const curve = png && videoCurves.has(transfer) ? (v: number) => v ** 2.4 : curves[transfer]
  const bright = transfer === pq || transfer === hlg
  const matrix = toSrgb[bright ? 9 : primaries]
  if (curve && matrix) convertLight(data, curve, matrix, bright ? { transfer, wide: toRec2020[primaries] } : undefined)
}

function convertLight(
  data: Uint8ClampedArray,
  curve: (v: number) => number,
  matrix: Matrix,
  bright?: { transfer: number; wide: Matrix | undefined },
): void {
  const light = Float32Array.from({ length: 256 }, (_, v) => curve(v / 255))
  const steps = 4095
  const encoded = Uint8Array.from({ length: steps + 1 }, (_, v) => Math.round(255 * toSrgbCurve(v / steps)))
  const shown = (v: number) => encoded[Math.round(steps * Math.min(1, Math.max(0, v)))] as number
  const wide = bright?.wide
  for (let i = 0; i < data.length; i += 4) {
    let [r, g, b] = [light[data[i]!]!, light[data[i + 1]!]!, light[data[i + 2]!]!]
    if (wide) {
      const [x, y, z] = [r, g, b]
      r = wide[0] * x + wide[1] * y + wide[2] * z
      g = wide[3] * x + wide[4] * y + wide[5] * z
      b = wide[6] * x + wide[7] * y + wide[8] * z
    }
    if (bright) {
      let gain = 1
      if (bright.transfer === hlg) gain = hlgPeak * (0.2627 * r + 0.678 * g + 0.0593 * b) ** (hlgGamma - 1)
      const most = gain * Math.max(r, g, b)
      if (most > 0) gain *= toneMapped(most) / most
      r *= gain
      g *= gain
      b *= gain
    }
    data[i] = shown(matrix[0] * r + matrix[1] * g + matrix[2] * b)
    data[i + 1] = shown(matrix[3] * r + matrix[4] * g + matrix[5] * b)
    data[i + 2] = shown(matrix[6] * r + matrix[7] * g + matrix[8] * b)
  }
}
