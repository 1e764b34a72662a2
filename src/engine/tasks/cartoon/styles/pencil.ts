import { boxBlur, createPlane } from '#engine/image/plane.ts'
import { smoothstep } from '#engine/image/ramp.ts'
import { whiteNoise } from '#engine/image/random.ts'
import { pictureOf } from '#engine/image/tones.ts'
import { alongEdges, drawLines, strandsOf } from '../lines.ts'
import type { Style } from '../style.ts'
import { copyPlane, stretch } from '../tone.ts'

/**
 * The drawing is left unfinished towards the rim of the sheet: so far from it, in thousandths of
 * the longer side, it is whole.
 */
const unfinished = 170
/** How far around a face it is whole anyway. */
const around = 160

/**
 * Graphite on grained paper: contours, hair strand by strand, and tones as strokes that follow the
 * form (line integral convolution of noise; Mao et al. 2001), which the hand leaves out towards the
 * rim of the sheet.
 */
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
  const grain = whiteNoise(width, height, 23)
  const strokes = alongEdges(grain, flow, Math.max(3, 7 * unit), { from: -1, to: 1, stride: 1.5 })
  const strands = input.lines ? strandsOf(input) : createPlane(width, height)
  const soft = boxBlur(luma, Math.max(1, Math.round(1.5 * unit)))
  const near = boxBlur(input.face, Math.round(around * unit))
  const light = createPlane(width, height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const i = y * width + x
      const keep = features.data[i] as number
      const tone = (1 - keep) * (soft.data[i] as number) + keep * (luma.data[i] as number)
      const inside = Math.min(x, y, width - 1 - x, height - 1 - y) / unit
      const sketched = input.rim ? smoothstep(-20, unfinished, inside + 600 * (near.data[i] as number)) : 1
      const dark = (1 - smoothstep(0.03, 0.85, tone)) * (0.62 + 0.3 * strength) * (0.15 + 0.85 * sketched)
      const texture = 2.8 * (strokes.data[i] as number) + 0.14 * (grain.data[i] as number)
      const hatched = dark * (1 + (1 - 0.7 * keep) * texture)
      const rough = 0.9 + 0.3 * (grain.data[i] as number)
      const contour = input.lines ? 0.85 * (0.35 + 0.65 * sketched) * (contours.data[i] as number) : 0
      const strand = 0.5 * sketched * (strands.data[i] as number)
      const lead = Math.min(0.94, Math.max(hatched, rough * Math.max(contour, strand)))
      light.data[i] = 0.975 + 0.01 * (grain.data[i] as number) - 0.92 * Math.max(0, lead)
    }
  }
  return pictureOf({ luma: light, blue: createPlane(width, height, -0.006), red: createPlane(width, height, 0.002) })
}
