import type { Picture } from '../../picture.ts'
import { createPlane } from '../../plane.ts'
import { pictureOf, type Tones } from '../colour.ts'
import { drawLines } from '../lines.ts'
import type { Style, StyleInput } from '../style.ts'
import { applyInk, saturate, simplified, smoothstep, stretch } from '../tone.ts'

/** Pop art: loud flat colours, shades printed as dots on a turned screen, thick black lines. */
export const popArt: Style = (input) => {
  const { unit, strength } = input
  const tones = simplified(input, 14 + 12 * strength, 0.14 + 0.12 * strength)
  stretch(tones.luma)
  saturate(tones, 1.9 + 0.7 * strength)
  print(tones, input)
  if (input.lines) {
    const ink = drawLines(input.drawing, input.flow, {
      sigma: Math.max(0.8, 1.7 * unit),
      along: Math.max(2, 5 * unit),
      emphasis: 20,
      threshold: 0.34,
      slope: 9,
      finer: input.face,
    })
    applyInk(tones, ink, 0.97)
  }
  return withPaper(tones)
}

/** Three flat levels with round dots in between; the dots lie on a screen turned by 30°. */
function print({ luma, blue, red }: Tones, { unit, features }: StyleInput): void {
  const { width, height, data } = luma
  const pitch = Math.max(5, 9.5 * unit)
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
      const base = level < 0.22 ? 0.1 : level < 0.62 ? 0.5 : 0.9
      const next = level < 0.22 ? 0.1 : level < 0.62 ? 0.24 : 0.62
      const dark = level < 0.22 ? 0 : level < 0.62 ? (0.62 - level) / 0.4 : (1 - level) / 0.38
      const size = 0.66 * Math.sqrt(Math.max(0, dark - 0.12))
      const dot = 1 - smoothstep(size - 0.09, size + 0.09, away)
      const keep = features.data[i] as number
      const printed = base + (next - base) * dot
      data[i] = printed + keep * 0.6 * (level - printed)
      const rich = base === 0.9 ? 0.75 + 0.35 * dot : 1
      blue.data[i] = Math.min(0.42, Math.max(-0.42, (blue.data[i] as number) * rich))
      red.data[i] = Math.min(0.42, Math.max(-0.42, (red.data[i] as number) * rich))
    }
  }
}

/** Greys, which loud colours leave dull, become warm paper and blue shade. */
function withPaper({ luma, blue, red }: Tones): Picture {
  const { width, height } = luma
  const [cb, cr] = [createPlane(width, height), createPlane(width, height)]
  for (let i = 0; i < luma.data.length; i++) {
    const b = blue.data[i] as number
    const r = red.data[i] as number
    const grey = 1 - smoothstep(0.03, 0.12, Math.sqrt(b * b + r * r))
    const level = luma.data[i] as number
    const warm = smoothstep(0.55, 0.85, level)
    const shade = grey * smoothstep(0.14, 0.3, level)
    cb.data[i] = b + shade * (0.17 * (1 - warm) - 0.12 * warm)
    cr.data[i] = r + shade * (-0.08 * (1 - warm) + 0.03 * warm)
  }
  return pictureOf({ luma, blue: cb, red: cr })
}
