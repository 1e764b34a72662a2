import { boxBlur, createPlane } from '../../plane.ts'
import { pictureOf } from '../colour.ts'
import { alongEdges, drawLines } from '../lines.ts'
import { cloudNoise, whiteNoise } from '../noise.ts'
import type { Style } from '../style.ts'
import { copyPlane, smoothstep, stretch } from '../tone.ts'

/** Graphite on grained paper: contours, and tones as strokes that follow the form (line integral convolution of noise; Mao et al. 2001). */
export const pencil: Style = (input) => {
  const { unit, strength, flow, features } = input
  const luma = copyPlane(input.drawing)
  stretch(luma)
  const { width, height } = luma
  const contours = drawLines(luma, flow, {
    sigma: Math.max(0.6, 0.9 * unit),
    along: Math.max(2, 3.5 * unit),
    emphasis: 30,
    threshold: 0.3,
    slope: 5,
    finer: input.face,
  })
  const strokes = alongEdges(whiteNoise(width, height, 11), flow, Math.max(3, 7 * unit))
  const grain = whiteNoise(width, height, 23)
  const patches = cloudNoise(width, height, 60 * unit, 3, 5)
  const soft = boxBlur(luma, Math.max(1, Math.round(1.5 * unit)))
  const light = createPlane(width, height)
  for (let i = 0; i < light.data.length; i++) {
    const keep = features.data[i] as number
    const tone = (1 - keep) * (soft.data[i] as number) + keep * (luma.data[i] as number)
    const dark = (1 - smoothstep(0.05, 0.95, tone)) * (0.62 + 0.3 * strength)
    const texture =
      2.6 * (strokes.data[i] as number) + 0.16 * (grain.data[i] as number) + 0.06 * (patches.data[i] as number)
    const hatched = dark * (1 + (1 - 0.7 * keep) * texture) + 0.02 * (grain.data[i] as number) * dark
    const line = input.lines ? 0.82 * (contours.data[i] as number) * (0.9 + 0.3 * (grain.data[i] as number)) : 0
    const lead = Math.min(0.93, Math.max(hatched, line))
    light.data[i] = 0.965 + 0.012 * (grain.data[i] as number) - 0.9 * Math.max(0, lead)
  }
  return pictureOf({ luma: light, blue: createPlane(width, height, -0.006), red: createPlane(width, height, 0.002) })
}
