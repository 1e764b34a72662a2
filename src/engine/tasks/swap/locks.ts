import { dilate } from '#engine/image/morphology.ts'
import type { Plane } from '#engine/image/picture.ts'
import { boxBlur, createPlane } from '#engine/image/plane.ts'
import { ramp } from '#engine/image/ramp.ts'
import { feather } from '#engine/tasks/faces/regions.ts'
import type { FaceSurface } from '#engine/tasks/faces/skin.ts'

/**
 * How far inside the outline what is hardly skin is taken for locks of hair, as shares of the
 * face's width: in full up to the first, not at all from the second on.
 */
const lockDepth = { full: 0.08, none: 0.15 } as const
/** Shares of skin around a pixel below which it may be hair, and is. */
const bareness = { maybe: 0.6, hair: 0.35 } as const

/**
 * Fair or thin hair over the rim of a face, which differs too little from skin to be told apart for
 * certain, and what it covers of brows and eyes: of a source it costs nothing to take the target's
 * skin there.
 */
export function locksOver({ skin, features, foreign, hull, jaw, depth }: FaceSurface, unit: number): Plane {
  const reach = Math.max(1, Math.round(0.012 * unit))
  const known = { ...hull, data: hull.data.map((inside, i) => inside * (1 - (features.data[i] as number))) }
  const [bare, seen] = [boxBlur(skin, reach), boxBlur(known, reach)]
  const unlike = createPlane(hull.width, hull.height)
  for (let i = 0; i < unlike.data.length; i++) {
    if (known.data[i] === 0) continue
    const share = (bare.data[i] as number) / Math.max(0.05, seen.data[i] as number)
    const hair = jaw.data[i] === 0 ? ramp(bareness.maybe, bareness.hair, share) : 0
    unlike.data[i] = (known.data[i] as number) * Math.max(hair, foreign.data[i] as number)
  }
  const [near, around] = [unlike, known].map((plane) => boxBlur(plane, 4 * reach)) as [Plane, Plane]
  for (let i = 0; i < unlike.data.length; i++) {
    const most = (near.data[i] as number) / Math.max(0.05, around.data[i] as number)
    const hidden = ramp(0.4, 0.7, most)
    const rim = ramp(lockDepth.none, lockDepth.full, (depth[i] as number) / unit)
    unlike.data[i] = rim * Math.max(unlike.data[i] as number, (features.data[i] as number) * hidden)
  }
  return feather(dilate(unlike, reach), 0.012 * unit)
}
