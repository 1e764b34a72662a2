import type { Plane } from '#engine/image/picture.ts'
import { boxBlur, createPlane, resizeSmooth, shrink } from '#engine/image/plane.ts'
import { smoothstep } from '#engine/image/ramp.ts'
import { edgeFlow } from './flow.ts'
import { alongEdges } from './lines.ts'
import type { StyleInput } from './style.ts'

/** The width of a strand, and how far it is followed, in thousandths of the longer side. */
const width = 4
const length = 8
/**
 * How much darker than its surroundings a strand is, as a share of them: from the first on it is
 * drawn, from the second in full.
 */
const contrast = { from: 0.012, to: 0.04 } as const
/** Added to lightness, so that noise in the dark is no contrast. */
const dark = 0.12
/** Strands have directions even where they are fine and pale. */
const faint = 2e-5

/**
 * The dark strands of hair and folds of cloth, 0 to 1: fine detail that goes on in one direction,
 * which the even areas of a drawing lose. Without them white hair is as bare as skin. Pores and
 * grain, which go nowhere, cancel; faces have none.
 */
export function strandsOf({ tones: { luma }, face, unit }: Pick<StyleInput, 'tones' | 'face' | 'unit'>): Plane {
  const step = unit > 0.8 ? 2 : 1
  const small = shrink(luma, Math.ceil(luma.width / step), Math.ceil(luma.height / step))
  const around = boxBlur(small, Math.max(1, Math.round((width * unit) / step)))
  const detail = createPlane(small.width, small.height)
  for (let i = 0; i < detail.data.length; i++) {
    const base = around.data[i] as number
    detail.data[i] = ((small.data[i] as number) - base) / (dark + base)
  }
  const flow = edgeFlow(detail, Math.max(1, Math.round((width * unit) / step)), faint)
  const range = { from: -1, to: -contrast.from, stride: 1.5 }
  const strands = alongEdges(detail, flow, Math.max(2, (length * unit) / step), range)
  for (let i = 0; i < strands.data.length; i++) {
    strands.data[i] = smoothstep(contrast.from, contrast.to, -(strands.data[i] as number))
  }
  const full = resizeSmooth(strands, luma.width, luma.height)
  for (let i = 0; i < full.data.length; i++) full.data[i] = (full.data[i] as number) * (1 - (face.data[i] as number))
  return full
}
