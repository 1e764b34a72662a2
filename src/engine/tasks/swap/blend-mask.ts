import type { MeshPoints } from '#engine/host.ts'
import { fillPolygon } from '#engine/image/geometry.ts'
import { dilate, largest } from '#engine/image/morphology.ts'
import { ramp, smoothstep } from '#engine/image/numbers.ts'
import { createPlane, type Picture, type Plane } from '#engine/image/picture.ts'
import { channelPlane } from '#engine/image/pixels.ts'
import { boxBlur, feather } from '#engine/image/plane.ts'
import { meshBox, openness } from '#engine/tasks/faces/mesh-geometry.ts'
import { outlineOf } from '#engine/tasks/faces/regions.ts'
import { beardDark, type FaceSurface } from '#engine/tasks/faces/skin.ts'
import { type WarpMap, warpPlane } from '#engine/tasks/faces/warp.ts'
import type { CarriedGlasses } from './carried-glasses.ts'
import { dark } from './light.ts'
import { strandsOver } from './strands.ts'
import type { WornGlasses } from './worn-glasses.ts'

/** Where the blend starts and ends inside the outline, as shares of the face's width. */
const blendFrom = 0.008
const blendTo = 0.04
/** Where it ends on frames of glasses, which are not to fade away before the outline. */
const frameTo = 0.016
/**
 * Below this share of the target's own opening, the source's eye counts as closed, and an eye is
 * open above the second.
 */
const closedShare = 0.5
const openEye = 0.16
/** The inside of a mouth that is open wider than this is the target's own. */
export const openMouth = 0.05

/** A face and the picture it was cut out of, at the size at which it is worked on. */
export interface SeenFace {
  picture: Picture
  mesh: MeshPoints
}

/** What is seen of the two faces of a swap. */
export interface Surfaces {
  goal: FaceSurface
  origin: FaceSurface
  /** Glasses of the source that come along. */
  carried: CarriedGlasses | undefined
  /** Glasses of the target that are taken off. */
  worn: Pick<WornGlasses, 'rims' | 'middle'> | undefined
}

/**
 * How much of the source shows at each pixel of the target, at the size of the map; `unit` is the
 * width of the target's face in pixels.
 */
export function blendMask(goal: SeenFace, origin: SeenFace, map: WarpMap, surfaces: Surfaces, unit: number): Plane {
  const { width, height } = goal.picture
  const { depth } = surfaces.goal
  const { carried, worn } = surfaces
  const { middle: bared, rims } = worn ?? {}
  const above = leftOut(origin, surfaces, map, unit)
  const piece = carried && warpPlane(carried.piece, map)
  const frame = carried && warpPlane(carried.frame, map)
  const own = keptFeatures(goal, origin, unit)
  const mask = createPlane(width, height)
  for (let i = 0; i < mask.data.length; i++) {
    if (map.covered[i] === 0 || (surfaces.goal.hull.data[i] as number) === 0) continue
    const whole = Math.max(piece?.data[i] ?? 0, bared?.data[i] ?? 0)
    const to = blendTo + Math.max(frame?.data[i] ?? 0, rims?.data[i] ?? 0) * (frameTo - blendTo)
    const cut = 1 - (1 - (above.data[i] as number)) * (1 - (own.data[i] as number))
    const open = (1 - (surfaces.goal.foreign.data[i] as number)) * (1 - cut * (1 - whole))
    mask.data[i] = smoothstep(blendFrom, to, (depth[i] as number) / unit) * open
  }
  return mask
}

/**
 * How wide the skin around what is left out of the source fades into the target's, as a share of
 * the face's width.
 */
const cutFade = 0.025

/**
 * Hair, deep shadow and whatever else before the source's face is left out, at the size of the map,
 * 0 to 1. It fades in the skin around it, but for glasses, and leaves eyes, brows and lips whole.
 */
function leftOut(
  { picture, mesh }: SeenFace,
  { origin, carried }: Pick<Surfaces, 'origin' | 'carried'>,
  map: WarpMap,
  unit: number,
): Plane {
  const width = meshBox(mesh).width
  const locks = locksOver({ ...origin, strands: strandsOver(picture, origin, width) }, width)
  const before = without(largest([origin.foreign, origin.shade, locks]), origin.beard)
  const cut = warpPlane(origin.lenses && !carried ? largest([before, origin.lenses]) : before, map)
  const reach = Math.max(1, Math.round(cutFade * unit))
  const faded = feather(dilate(warpPlane(without(before, origin.lenses), map), reach), reach)
  return largest([cut, without(faded, feather(warpPlane(origin.features, map), reach / 2))])
}

/** A plane where another one of its size is 0, and nothing where that is 1. */
function without(plane: Plane, other: Plane | undefined): Plane {
  if (!other) return plane
  return { ...plane, data: plane.data.map((value, i) => value * (1 - (other.data[i] as number))) }
}

/**
 * How much darker than the target, as a logarithm, a part of the source may be: from where on it
 * fades, and where nothing of it is taken.
 */
const gloomFrom = 0.55
const gloomTo = 0.9
/**
 * It comes in over the outline: so deep in the face, as shares of its width, it counts in full, and
 * from the second on nothing is taken for it.
 */
const gloomDepth = { full: 0.16, none: 0.28 } as const

/**
 * Deep shadow and locks of hair, which no light turns into the target's skin; 0 to 1. Beards may be
 * darker, so that none is cut off halfway.
 */
export function tooDark(
  warped: Picture,
  target: Picture,
  { features, jaw, depth, unit }: { features: Plane; jaw: Plane; depth: Float32Array; unit: number },
): Plane {
  const soft = (picture: Picture) => feather(channelPlane(picture, 1), 0.035 * unit)
  const [above, below] = [soft(warped), soft(target)]
  const plane = createPlane(target.width, target.height)
  for (let i = 0; i < plane.data.length; i++) {
    if (warped.data[4 * i + 3] === 0) continue
    const darker = Math.log(((below.data[i] as number) + dark) / ((above.data[i] as number) + dark))
    const from = gloomFrom + beardDark * (jaw.data[i] as number)
    const near = ramp(gloomDepth.none, gloomDepth.full, (depth[i] as number) / unit)
    plane.data[i] = ramp(from, from + gloomTo - gloomFrom, darker) * near * (1 - (features.data[i] as number))
  }
  return feather(plane, 0.02 * unit)
}

/**
 * The inside of an open mouth, and open eyes where the source's are shut: there is nothing to take
 * from the source.
 */
function keptFeatures(goal: SeenFace, origin: SeenFace, unit: number): Plane {
  const plane = createPlane(goal.picture.width, goal.picture.height)
  for (const eye of ['leftEye', 'rightEye'] as const) {
    const opening = openness(goal.mesh, eye)
    const closed = openness(origin.mesh, eye) < closedShare * opening
    const shut = opening < openEye && openness(origin.mesh, eye) > 1.6 * opening
    if ((opening > openEye && closed) || shut) fillPolygon(plane, outlineOf(goal.mesh, eye))
  }
  if (openness(goal.mesh, 'mouth') > openMouth) fillPolygon(plane, outlineOf(goal.mesh, 'mouth'))
  return feather(plane, 0.012 * unit)
}

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
export function locksOver(
  { skin, features, foreign, hull, jaw, depth, strands }: FaceSurface & { strands: Plane },
  unit: number,
): Plane {
  const reach = Math.max(1, Math.round(0.012 * unit))
  const known = { ...hull, data: hull.data.map((inside, i) => inside * (1 - (features.data[i] as number))) }
  const [bare, seen] = [boxBlur(skin, reach), boxBlur(known, reach)]
  const unlike = createPlane(hull.width, hull.height)
  for (let i = 0; i < unlike.data.length; i++) {
    if (known.data[i] === 0) continue
    const share = (bare.data[i] as number) / Math.max(0.05, seen.data[i] as number)
    const hair = jaw.data[i] === 0 ? ramp(bareness.maybe, bareness.hair, share) : 0
    unlike.data[i] = (known.data[i] as number) * Math.max(hair, foreign.data[i] as number, strands.data[i] as number)
  }
  const [near, around] = [unlike, known].map((plane) => boxBlur(plane, 4 * reach)) as [Plane, Plane]
  for (let i = 0; i < unlike.data.length; i++) {
    const most = (near.data[i] as number) / Math.max(0.05, around.data[i] as number)
    const hidden = ramp(0.4, 0.7, most)
    const rim = ramp(lockDepth.none, lockDepth.full, (depth[i] as number) / unit)
    const lock = rim * Math.max(unlike.data[i] as number, (features.data[i] as number) * hidden)
    unlike.data[i] = Math.max(lock, strands.data[i] as number)
  }
  return feather(dilate(unlike, reach), 0.012 * unit)
}
