import { smoothstep } from '#engine/image/numbers.ts'
import { pictureOf, type Tones, toneOf } from '#engine/image/tones.ts'
import { drawLines } from '../lines.ts'
import { applyInk, removeFineTexture, type Style, type StyleInput, stretchContrast } from '../style.ts'

type Ink = readonly [luma: number, blue: number, red: number]

/** Inks from dark to light for warm, green or yellow, and cool or grey areas. */
const inks = {
  warm: ['#3a0f52', '#d6134d', '#ff6d8f', '#ffe3d3'].map(toneOf),
  green: ['#0c2f45', '#0b8c77', '#ffcf1a', '#fff2a6'].map(toneOf),
  cool: ['#17124a', '#1d4ed8', '#2fc3ee', '#fff8e4'].map(toneOf),
} as const
/** Lightness limits of the inks. */
const inkLimits = [0, 0.2, 0.45, 0.7, 1] as const

export const popArt: Style = (input) => {
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
