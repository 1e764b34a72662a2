import { boxBlur } from '../../plane.ts'
import { pictureOf } from '../colour.ts'
import { drawLines } from '../lines.ts'
import type { Style } from '../style.ts'
import { applyInk, saturate, simplified, smoothstep, stretch } from '../tone.ts'

/** Soft animation: clear light and shade in three tones, bright even skin, thin lines in the colours' own dark shades, a little glow. */
export const anime: Style = (input) => {
  const { strength, unit, face, features } = input
  const tones = simplified(input, 14 + 16 * strength, 0.12 + 0.14 * strength)
  stretch(tones.luma)
  const { data } = tones.luma
  for (let i = 0; i < data.length; i++) {
    const level = Math.min(1, Math.max(0, data[i] as number))
    const cel =
      0.16 +
      0.2 * smoothstep(0.1, 0.18, level) +
      0.27 * smoothstep(0.3, 0.38, level) +
      0.2 * smoothstep(0.52, 0.6, level) +
      0.13 * smoothstep(0.72, 0.84, level)
    const skin = (face.data[i] as number) * (1 - (features.data[i] as number))
    const lit = level ** 0.72
    const share = (0.35 + 0.45 * strength) * (1 - 0.45 * skin) * (1 - 0.7 * (features.data[i] as number))
    data[i] = lit + share * (cel - lit) + 0.03 * skin
  }
  saturate(tones, 1.2 + 0.3 * strength)
  if (input.lines) {
    const ink = drawLines(input.drawing, input.flow, {
      sigma: Math.max(0.6, 0.85 * unit),
      along: Math.max(2, 4.5 * unit),
      emphasis: 22,
      threshold: 0.3,
      slope: 5,
      finer: face,
    })
    applyInk(tones, ink, 0.8, 0.75)
  }
  const glow = boxBlur(boxBlur(tones.luma, Math.max(2, Math.round(9 * unit))), Math.max(2, Math.round(9 * unit)))
  for (let i = 0; i < data.length; i++) {
    const light = Math.max(0, (glow.data[i] as number) - 0.55)
    data[i] = (data[i] as number) + 0.35 * light * (1 - (data[i] as number))
  }
  return pictureOf(tones)
}
