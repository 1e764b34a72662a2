import { pictureOf } from '../colour.ts'
import { drawLines } from '../lines.ts'
import type { Style } from '../style.ts'
import { applyInk, quantise, saturate, simplified, stretch } from '../tone.ts'

/** Clean comic: even areas in a few tones, lively colours, black lines (Winnemöller et al. 2006 for the tones). */
export const comic: Style = (input) => {
  const { strength, unit } = input
  const tones = simplified(input, 10 + 14 * strength, 0.1 + 0.12 * strength)
  stretch(tones.luma)
  quantise(tones.luma, Math.round(8 - 3 * strength), 3.2)
  for (let i = 0; i < tones.luma.data.length; i++) {
    const level = Math.min(1, Math.max(0, tones.luma.data[i] as number))
    tones.luma.data[i] = 0.1 + 0.9 * level ** 0.85
  }
  saturate(tones, 1.15 + 0.35 * strength)
  if (input.lines) {
    const ink = drawLines(input.drawing, input.flow, {
      sigma: Math.max(0.7, 1.25 * unit),
      along: Math.max(2, 4 * unit),
      emphasis: 24,
      threshold: 0.36,
      slope: 7,
      finer: input.face,
    })
    applyInk(tones, ink, 0.96)
  }
  return pictureOf(tones)
}
