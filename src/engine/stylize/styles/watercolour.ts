import { boxBlur, createPlane } from '../../plane.ts'
import { pictureOf } from '../colour.ts'
import { drawLines } from '../lines.ts'
import { cloudNoise, whiteNoise } from '../noise.ts'
import type { Style } from '../style.ts'
import { saturate, simplified, smoothstep, stretch } from '../tone.ts'

/**
 * Watercolour (Bousseau et al. 2006): washes whose pigment varies with turbulent flow and the paper's grain and gathers at their edges, light
 * tones left to the paper, a faint pencil drawing below.
 */
export const watercolour: Style = (input) => {
  const { unit, strength, features, flow } = input
  const tones = simplified(input, 16 + 14 * strength, 0.14 + 0.12 * strength)
  stretch(tones.luma)
  const { width, height } = tones.luma
  const wet = cloudNoise(width, height, 110 * unit, 4, 3)
  const grain = boxBlur(whiteNoise(width, height, 17), 1)
  const radius = Math.max(1, Math.round(3 * unit))
  const around = boxBlur(tones.luma, radius)
  const contours = drawLines(input.drawing, flow, {
    sigma: Math.max(0.6, 0.9 * unit),
    along: Math.max(2, 4 * unit),
    emphasis: 20,
    threshold: 0.27,
    slope: 4,
    finer: input.face,
  })
  saturate(tones, 1.3 + 0.25 * strength)
  const rim = createPlane(width, height)
  for (let i = 0; i < rim.data.length; i++) {
    rim.data[i] = Math.abs((tones.luma.data[i] as number) - (around.data[i] as number))
  }
  for (let i = 0; i < rim.data.length; i++) {
    const keep = features.data[i] as number
    const level = Math.min(1, Math.max(0, tones.luma.data[i] as number))
    // Pigment density: 1 leaves the wash as it is (Bousseau's darkening C' = C − (C − C²)(d − 1)).
    const density =
      1 +
      (1 - 0.6 * keep) * (0.32 * (wet.data[i] as number) + 0.5 * (grain.data[i] as number)) * (0.6 + 0.5 * strength) +
      5 * Math.min(0.12, rim.data[i] as number)
    const wash = 0.16 + 0.84 * level ** 0.8
    const dense = wash - (wash - wash * wash) * (density - 1)
    const paper = smoothstep(0.78, 0.98, dense + 0.06 * (wet.data[i] as number)) * 0.85
    const line = input.lines ? 0.42 * (contours.data[i] as number) * (0.8 + 0.5 * (grain.data[i] as number)) : 0
    tones.luma.data[i] = (dense + (0.985 - dense) * paper) * (1 - Math.max(0, line)) + 0.015 * (grain.data[i] as number)
    const colour = (1 - 0.75 * paper) * (0.85 + 0.25 * density - 0.1)
    tones.blue.data[i] = (tones.blue.data[i] as number) * colour - 0.01 * paper
    tones.red.data[i] = (tones.red.data[i] as number) * colour + 0.004 * paper
  }
  return pictureOf(tones)
}
