import { dilate, erode } from '#engine/image/morphology.ts'
import { ramp } from '#engine/image/numbers.ts'
import { createPlane, type Picture, type Plane } from '#engine/image/picture.ts'
import { boxBlur } from '#engine/image/plane.ts'
import type { FaceAreas, FaceSurface } from '#engine/tasks/faces/skin.ts'
import { logTones } from '#engine/tasks/faces/tones.ts'

/** Maximum width in face widths; possible and certain contrast to skin, as logarithms. */
const strandWidth = 0.05
const strandContrast = { maybe: 0.15, sure: 0.3 } as const
/** Depths in face widths at which strands count in full, and not at all. */
const strandDepth = { full: 0.2, none: 0.3 } as const

/**
 * Single strands, fair or dark, 0 to 1: thin lines on skin, not on glasses (white and black top-hat
 * transforms, Serra 1982). `unit` is the face's width in pixels.
 */
export function hairStrands(
  picture: Picture,
  { hull, features, jaw, depth, lenses }: FaceAreas & Pick<FaceSurface, 'lenses'>,
  unit: number,
): Plane {
  const light = boxBlur(logTones(picture)[0], 1)
  const reach = Math.max(1, Math.round((strandWidth * unit) / 2))
  const [closed, opened] = [erode(dilate(light, reach), reach), dilate(erode(light, reach), reach)]
  const strands = createPlane(hull.width, hull.height)
  for (let i = 0; i < strands.data.length; i++) {
    if ((hull.data[i] as number) === 0 || (features.data[i] as number) > 0 || (jaw.data[i] as number) > 0) continue
    const own = light.data[i] as number
    const contrast = Math.max((closed.data[i] as number) - own, own - (opened.data[i] as number))
    const near = ramp(strandDepth.none, strandDepth.full, (depth[i] as number) / unit)
    const bare = 1 - (lenses?.data[i] ?? 0)
    strands.data[i] = bare * near * ramp(strandContrast.maybe, strandContrast.sure, contrast)
  }
  return strands
}
