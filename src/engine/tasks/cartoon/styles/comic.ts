import { smoothstep } from '#engine/image/numbers.ts'
import type { Plane } from '#engine/image/picture.ts'
import { pictureOf, type Tones } from '#engine/image/tones.ts'
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
