import { inArena } from '#engine/image/arena.ts'
import { boundsOf } from '#engine/image/geometry.ts'
import type { Matte, Picture } from '#engine/image/picture.ts'
import { shrink } from '#engine/image/plane.ts'
import { assessSubject, hesitation } from '#engine/tasks/subject-matte/index.ts'
import type { WarningCode } from '#tools/contract/tool.ts'

/** Longer side in pixels below which a subject does not survive being printed or enlarged. */
const smallSubject = 256
const burntShare = 0.25
const darkestBright = 60
const leastDetail = 12
const maxHesitation = 0.12

/** Longer side in pixels of the picture that is looked at. */
export const warningSide = 512

/**
 * Advice on how the subject was photographed, where it truly holds. `small` is the picture at
 * `warningSide`, the matte of any size.
 */
export function warningsFor(small: Picture, matte: Matte): WarningCode[] {
  const warnings: WarningCode[] = []
  const box = boundsOf(matte, 127)
  if (box && Math.max(box.width, box.height) < smallSubject) warnings.push('low_resolution')
  const { burnt, bright, detail, open } = inArena(() => {
    const smallMatte = shrink(matte, small.width, small.height)
    return { ...assessSubject(small, smallMatte), open: hesitation(smallMatte) }
  })
  if (detail < leastDetail && bright >= darkestBright) warnings.push('blurred')
  if (burnt > burntShare) warnings.push('overexposed')
  if (bright < darkestBright) warnings.push('too_dark')
  if (open > maxHesitation) warnings.push('uncertain_edges')
  return warnings
}
