import { connectedRegions } from '#engine/image/geometry.ts'
import type { Picture } from '#engine/image/picture.ts'
import { disagreement, greyMirrored, modelInput, plain, viewOf } from '#engine/tasks/subject-matte/person-views.ts'
import type { EngineHost } from '../host.ts'

/**
 * How much the model may contradict itself between a coloured and a grey version; groups, and
 * people it hardly sees, lie above.
 */
const maxDisagreement = 0.15
/** Pixels, of the model's 256 × 256, from which a region counts. */
const smallestRegion = 300

/** Whether a picture plainly shows one figure, so that it is found without looking for faces. */
export async function showsOneFigure(picture: Picture, host: EngineHost): Promise<boolean> {
  const whole = { x: 0, y: 0, width: picture.width, height: picture.height }
  const small = await modelInput(picture, whole, host)
  const colour = await viewOf(whole, small, plain, host)
  const grey = await viewOf(whole, small, greyMirrored, host)
  if (disagreement(colour, grey) > maxDisagreement) return false
  const { width, height, data } = colour.odds
  const { regions } = connectedRegions(width, height, (i) => (data[i] as number) > 0)
  return regions.filter(({ area }) => area > smallestRegion).length === 1
}
