import { clusterColours } from '#engine/image/colour-clusters.ts'
import { smoothstep } from '#engine/image/numbers.ts'
import { createPlane, type Plane } from '#engine/image/picture.ts'
import { boxBlur } from '#engine/image/plane.ts'
import { pictureOf, type Tones, toneOf } from '#engine/image/tones.ts'
import { detectStrands, drawLines } from '../lines.ts'
import {
  applyInk,
  quantiseLightness,
  removeFineTexture,
  type Style,
  type StyleInput,
  scaleSaturation,
  stretchContrast,
} from '../style.ts'

/** The panel in thousandths of the longer side: white gutter, then a black frame. */
const panel = { gutter: 20, frame: 6 } as const
/** Lightness below which shadow is solid black, and below which it is hatched. */
const black = 0.2
const hatched = 0.4

/**
 * Comic book: few flat tones (Winnemöller et al. 2006), black lines, shadows ending in hatching.
 */
export const comic: Style = (input) => {
  const { strength, unit } = input
  const tones = removeFineTexture(input, 12 + 16 * strength, 0.11 + 0.12 * strength)
  stretchContrast(tones.luma)
  const shadow = shadows(tones.luma, input)
  quantiseLightness(tones.luma, Math.round(6 - 2 * strength), 4)
  for (let i = 0; i < tones.luma.data.length; i++) {
    const level = Math.min(1, Math.max(0, tones.luma.data[i] as number))
    tones.luma.data[i] = 0.16 + 0.84 * level ** 0.75
  }
  scaleSaturation(tones, 1.3 + 0.45 * strength)
  applyInk(tones, shadow, 0.97)
  if (input.lines) {
    const ink = drawLines(input, { sigma: 1.5, along: 5, emphasis: 24, threshold: 0.34, slope: 9 })
    applyInk(tones, ink, 0.97)
    applyInk(tones, detectStrands(input), 0.85)
  }
  if (input.rim) drawPanel(tones, unit)
  return pictureOf(tones)
}

function shadows(luma: Plane, { unit, features }: StyleInput): Plane {
  const { width, height } = luma
  const gap = Math.max(3, 6.5 * unit)
  const soft = 0.9 / gap
  const out = { width, height, data: new Float32Array(width * height) }
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const i = y * width + x
      const level = luma.data[i] as number
      if (level > hatched) continue
      const solid = smoothstep(black + 0.02, black - 0.02, level)
      const wave = Math.abs((((x + 0.7 * y) / gap) % 1) - 0.5) * 2
      const thick = 0.75 * (1 - (level - black) / (hatched - black))
      const stroke = smoothstep(1 - thick - soft, 1 - thick + soft, wave) * smoothstep(hatched, hatched - 0.04, level)
      out.data[i] = Math.max(solid, stroke) * (1 - (features.data[i] as number))
    }
  }
  return out
}

function drawPanel({ luma, blue, red }: Tones, unit: number): void {
  const { width, height } = luma
  const gutter = Math.round(panel.gutter * unit)
  const frame = gutter + Math.max(1, Math.round(panel.frame * unit))
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const away = Math.min(x, y, width - 1 - x, height - 1 - y)
      if (away >= frame) continue
      const i = y * width + x
      luma.data[i] = away < gutter ? 0.98 : 0.03
      blue.data[i] = 0
      red.data[i] = 0
    }
  }
}

/** Inks of a mid-century travel poster, which match each other for any photograph. */
const warm = ['#f6ecd2', '#f0c592', '#dfa62c', '#d99c68', '#cf5f38', '#b8754f', '#86725a', '#7c3a2d']
const cool = ['#b9b49f', '#a9cbbd', '#4f9390', '#1d5a73', '#15233f']
const inks = [...warm, ...cool]
const palette = Float32Array.from(inks.flatMap(toneOf))

/**
 * Each ink's share of a pixel is blurred and the largest wins, which rounds ragged borders like cut
 * paper (majority smoothing of a segmentation).
 */
export const poster: Style = (input) => {
  const { unit, strength, features } = input
  const tones = removeFineTexture(input, 18 + 20 * strength, 0.14 + 0.12 * strength)
  stretchContrast(tones.luma)
  scaleSaturation(tones, 1.15)
  const { width, height } = tones.luma
  const labels = new Uint8Array(width * height)
  for (let i = 0; i < labels.length; i++) {
    // Eyes and mouth come from the photograph itself, with more contrast.
    const keep = features.data[i] as number
    const level = tones.luma.data[i] as number
    const y = level + 1.4 * keep * ((input.tones.luma.data[i] as number) - level)
    labels[i] = nearestColour(palette, y, tones.blue.data[i] as number, tones.red.data[i] as number)
  }
  const rounded = majority(labels, width, height, inks.length, Math.max(1, Math.round((1.5 + strength) * unit)))
  for (let i = 0; i < labels.length; i++) {
    const k = (features.data[i] as number) > 0.25 ? (labels[i] as number) : (rounded[i] as number)
    tones.luma.data[i] = palette[3 * k] as number
    tones.blue.data[i] = palette[3 * k + 1] as number
    tones.red.data[i] = palette[3 * k + 2] as number
  }
  const edge = Math.max(1, Math.round(0.5 * unit))
  const out = { luma: boxBlur(tones.luma, edge), blue: boxBlur(tones.blue, edge), red: boxBlur(tones.red, edge) }
  if (input.lines) {
    applyInk(out, drawLines(input, { sigma: 1, along: 6, emphasis: 22, threshold: 0.2, slope: 6 }), 0.5, 0.6)
  }
  return pictureOf(out)
}

function majority(labels: Uint8Array, width: number, height: number, count: number, radius: number): Uint8Array {
  const out = new Uint8Array(labels.length)
  const most = new Float32Array(labels.length).fill(-1)
  const member = createPlane(width, height)
  const share = createPlane(width, height)
  for (let k = 0; k < count; k++) {
    for (let i = 0; i < labels.length; i++) member.data[i] = labels[i] === k ? 1 : 0
    boxBlur(member, radius, share)
    for (let i = 0; i < labels.length; i++) {
      if ((share.data[i] as number) <= (most[i] as number)) continue
      most[i] = share.data[i] as number
      out[i] = k
    }
  }
  return out
}

/** Luma, blue and red difference of each colour, one colour after the other. */
type Palette = Float32Array

/** Lightness weighs less than colour, so that a face does not break up into shades. */
const lumaWeight = 1.1
const colourWeight = 2.2

const sampleCount = 4000

export function paletteOf({ luma, blue, red }: Tones, count: number): Palette {
  const size = Math.min(sampleCount, luma.data.length)
  const points = new Float32Array(3 * size)
  for (let s = 0; s < size; s++) {
    const i = Math.floor(((s + 0.5) * luma.data.length) / size)
    points[3 * s] = lumaWeight * (luma.data[i] as number)
    points[3 * s + 1] = colourWeight * (blue.data[i] as number)
    points[3 * s + 2] = colourWeight * (red.data[i] as number)
  }
  const { mean } = clusterColours(points, count)
  return mean.map((value, k) => value / (k % 3 === 0 ? lumaWeight : colourWeight))
}

export function nearestColour(palette: Palette, luma: number, blue: number, red: number): number {
  let best = 0
  let least = Infinity
  for (let k = 0; k < palette.length; k += 3) {
    const dy = lumaWeight * (luma - (palette[k] as number))
    const db = colourWeight * (blue - (palette[k + 1] as number))
    const dr = colourWeight * (red - (palette[k + 2] as number))
    const away = dy * dy + db * db + dr * dr
    if (away < least) {
      least = away
      best = k / 3
    }
  }
  return best
}
