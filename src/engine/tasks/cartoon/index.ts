import { smoothKeepingEdges } from '#engine/image/domain-transform.ts'
import { smoothstep } from '#engine/image/numbers.ts'
import { copyPlane, createPlane, type Picture, type Plane } from '#engine/image/picture.ts'
import { shrink } from '#engine/image/plane.ts'
import { pictureOf, type Tones, toneOf, tonesOf } from '#engine/image/tones.ts'
import { drawLines } from './lines.ts'
import {
  applyInk,
  type Eye,
  edgeFlow,
  enlargeEyes,
  removeFineTexture,
  type Style,
  type StyleInput,
  scaleSaturation,
  stretchContrast,
} from './style.ts'
import { anime } from './styles/anime.ts'
import { ink, pencil, watercolour } from './styles/by-hand.ts'
import { comic, nearestColour, paletteOf, poster } from './styles/comic-and-poster.ts'

/** Bayer's 4×4 ordered dither (1973), −0.5 to 0.5. */
const bayer = [0, 8, 2, 10, 12, 4, 14, 6, 3, 11, 1, 9, 15, 7, 13, 5].map((rank) => (rank + 0.5) / 16 - 0.5)

const pixel: Style = (input) => {
  const { strength } = input
  const smooth = removeFineTexture(input, 5, 0.12)
  stretchContrast(smooth.luma)
  scaleSaturation(smooth, 1.65)
  const { width, height } = smooth.luma
  const across = Math.round(126 - 46 * strength)
  const cell = Math.max(2, Math.ceil(Math.max(width, height) / across))
  const columns = Math.ceil(width / cell)
  const rows = Math.ceil(height / cell)
  const small: Tones = {
    luma: shrink(smooth.luma, columns, rows),
    blue: shrink(smooth.blue, columns, rows),
    red: shrink(smooth.red, columns, rows),
  }
  const face = shrink(input.face, columns, rows)
  sharpen(small.luma, 0.7)
  const palette = paletteOf(small, Math.round(24 - 8 * strength))
  const coarse = { luma: createPlane(columns, rows), blue: createPlane(columns, rows), red: createPlane(columns, rows) }
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++) {
      const i = y * columns + x
      const dither = 0.1 * (1 - (face.data[i] as number)) * (bayer[(y % 4) * 4 + (x % 4)] as number)
      const level = (small.luma.data[i] as number) + dither
      const k = nearestColour(palette, level, small.blue.data[i] as number, small.red.data[i] as number)
      coarse.luma.data[i] = palette[3 * k] as number
      coarse.blue.data[i] = palette[3 * k + 1] as number
      coarse.red.data[i] = palette[3 * k + 2] as number
    }
  }
  if (input.lines) outline(coarse.luma, small.luma)
  const enlarge = ({ data }: Plane): Plane => {
    const out = createPlane(width, height)
    for (let y = 0; y < height; y++) {
      const row = Math.min(rows - 1, Math.floor(y / cell)) * columns
      for (let x = 0; x < width; x++) {
        out.data[y * width + x] = data[row + Math.min(columns - 1, Math.floor(x / cell))] as number
      }
    }
    return out
  }
  return pictureOf({ luma: enlarge(coarse.luma), blue: enlarge(coarse.blue), red: enlarge(coarse.red) })
}

function sharpen(plane: Plane, amount: number): void {
  const { width, height } = plane
  const before = plane.data.slice()
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const i = y * width + x
      const around = (before[i - 1]! + before[i + 1]! + before[i - width]! + before[i + width]!) / 4
      plane.data[i] = (before[i] as number) + amount * ((before[i] as number) - around)
    }
  }
}

function outline(target: Plane, light: Plane): void {
  const { width, height, data } = light
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const i = y * width + x
      const own = data[i] as number
      const lightest = Math.max(data[i - 1]!, data[i + 1]!, data[i - width]!, data[i + width]!)
      if (lightest - own > 0.17) target.data[i] = (target.data[i] as number) * 0.45
    }
  }
}

type Ink = readonly [luma: number, blue: number, red: number]

/** Inks from dark to light for warm, green or yellow, and cool or grey areas. */
const inks = {
  warm: ['#3a0f52', '#d6134d', '#ff6d8f', '#ffe3d3'].map(toneOf),
  green: ['#0c2f45', '#0b8c77', '#ffcf1a', '#fff2a6'].map(toneOf),
  cool: ['#17124a', '#1d4ed8', '#2fc3ee', '#fff8e4'].map(toneOf),
} as const
/** Lightness limits of the inks. */
const inkLimits = [0, 0.2, 0.45, 0.7, 1] as const

const popArt: Style = (input) => {
  const { strength } = input
  const tones = removeFineTexture(input, 14 + 14 * strength, 0.14 + 0.12 * strength)
  stretchContrast(tones.luma)
  printDots(tones, input)
  if (input.lines) {
    const ink = drawLines(input, { sigma: 1.7, along: 5, emphasis: 20, threshold: 0.34, slope: 9 })
    applyInk(tones, ink, 0.97)
  }
  return pictureOf(tones)
}

function printDots({ luma, blue, red }: Tones, { unit, features }: StyleInput): void {
  const { width, height, data } = luma
  const pitch = Math.max(5, 10 * unit)
  const soft = 0.7 / pitch
  const [cos, sin] = [Math.cos(Math.PI / 6), Math.sin(Math.PI / 6)]
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const i = y * width + x
      const level = Math.min(1, Math.max(0, data[i] as number)) ** 0.85
      const u = (x * cos + y * sin) / pitch
      const v = (y * cos - x * sin) / pitch
      const du = u - Math.round(u)
      const dv = v - Math.round(v)
      const away = Math.sqrt(du * du + dv * dv)
      const k = level < inkLimits[1] ? 0 : level < inkLimits[2] ? 1 : level < inkLimits[3] ? 2 : 3
      const [from, to] = [inkLimits[k], inkLimits[k + 1]] as [number, number]
      const dark = k === 0 ? 0 : (to - level) / (to - from)
      const size = 0.62 * Math.sqrt(Math.max(0, dark - 0.2))
      const dot = k === 0 ? 0 : smoothstep(size + soft, size - soft, away)
      const set = inkSetFor(blue.data[i] as number, red.data[i] as number)
      const [base, next] = [set[k] as Ink, set[Math.max(0, k - 1)] as Ink]
      const keep = 0.6 * (features.data[i] as number)
      const printed = base[0] + (next[0] - base[0]) * dot
      data[i] = printed + keep * (level - printed)
      blue.data[i] = (base[1] + (next[1] - base[1]) * dot) * (1 - keep)
      red.data[i] = (base[2] + (next[2] - base[2]) * dot) * (1 - keep)
    }
  }
}

function inkSetFor(blue: number, red: number): readonly Ink[] {
  if (red > 0.018 && red > -0.35 * blue) return inks.warm
  return blue < -0.045 ? inks.green : inks.cool
}

interface StylizeOptions {
  style: StyleName
  /** Distance from the photograph, 0 to 1. */
  strength: number
  lines: boolean
  /** Draws a paper border around the picture; false for cut-outs. */
  rim: boolean
  /** Masks of the faces, and of their eyes, brows and mouths, at the picture's size, 0 to 1. */
  face: Plane
  features: Plane
  eyes: readonly Eye[]
}

/**
 * Opaque picture of the same size. Strokes and dots scale with the picture, so that a preview looks
 * like the result. Intended for 0.1 to 2 MP; alpha is ignored.
 */
export function stylize(picture: Picture, { style, ...options }: StylizeOptions): Picture {
  const { tones, features } = withLargeEyes(tonesOf(picture), style, options)
  const unit = Math.max(picture.width, picture.height) / 1000
  const drawing = greenFiltered(tones)
  smoothKeepingEdges([drawing], [{ ...drawing, data: drawing.data.slice() }], {
    sigmaSpace: Math.max(1.5, 2.5 * unit),
    sigmaRange: 0.09,
    rounds: 2,
  })
  const flow = edgeFlow(drawing, Math.max(1, Math.round(2.5 * unit)))
  return styles[style]({ tones, drawing, flow, unit, ...options, features })
}

/** Darkens red before lines are drawn, which separates skin from white hair and from lips. */
const greenFilter = 0.9

function greenFiltered({ luma, red }: Tones): Plane {
  const plane = copyPlane(luma)
  for (let i = 0; i < plane.data.length; i++) {
    const own = luma.data[i] as number
    plane.data[i] = own * (1 - greenFilter * Math.max(0, red.data[i] as number))
  }
  return plane
}

/** Growth of the eyes' width, by style. */
const eyeGrowth: Partial<Record<StyleName, number>> = { anime: 0.16 }

function withLargeEyes(tones: Tones, style: StyleName, options: Omit<StylizeOptions, 'style'>) {
  const { features, eyes, strength } = options
  const growth = (eyeGrowth[style] ?? 0) * (0.5 + strength)
  if (growth === 0) return { tones, features }
  const planes = enlargeEyes([tones.luma, tones.blue, tones.red, features], eyes, growth)
  const [luma, blue, red, moved] = planes as [Plane, Plane, Plane, Plane]
  return { tones: { luma, blue, red }, features: moved }
}

const styles = {
  comic,
  anime,
  ink,
  watercolour,
  'pop-art': popArt,
  pencil,
  poster,
  pixel,
} as const satisfies Record<string, Style>

type StyleName = keyof typeof styles

export { eyesOf } from './style.ts'
