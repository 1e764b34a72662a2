import type { MeshPoints } from '#engine/host.ts'
import { fillPolygon } from '#engine/image/geometry.ts'
import { dilate, erode, pixelwiseMax } from '#engine/image/morphology.ts'
import { ramp, smoothstep } from '#engine/image/numbers.ts'
import { createPlane, type Picture, type Plane } from '#engine/image/picture.ts'
import { channelPlane } from '#engine/image/pixels.ts'
import { boxBlur, feather } from '#engine/image/plane.ts'
import { meshBox, openness } from '#engine/tasks/faces/mesh-geometry.ts'
import { outlineOf } from '#engine/tasks/faces/regions.ts'
import { beardDarkness, type FaceAreas, type FaceSurface } from '#engine/tasks/faces/skin.ts'
import { logTones } from '#engine/tasks/faces/tones.ts'
import { type WarpMap, warpPlane } from '#engine/tasks/faces/warp.ts'
import type { TargetGlasses, TransferredGlasses } from './glasses.ts'
import { lightOffset } from './match-light.ts'

/** Start and end of the blend inside the outline, as shares of the face's width. */
const blendFrom = 0.008
const blendTo = 0.04
/** End of the blend on frames of glasses, which must not fade out before the outline. */
const frameTo = 0.016
/** Closed below this share of the target's opening; open above `openEye` (height by width). */
const closedShare = 0.5
const openEye = 0.16
/** Opening above which the inside of a mouth is kept from the target. */
export const openMouth = 0.05

/** A face and the picture it was cut from, at the working size. */
interface ReducedFace {
  picture: Picture
  mesh: MeshPoints
}

export interface FaceSurfaces {
  goal: FaceSurface
  origin: FaceSurface
  carried: TransferredGlasses | undefined
  worn: Pick<TargetGlasses, 'rims' | 'middle'> | undefined
}

/** Share of the source, at the size of the map; `unit` is the target face's width in pixels. */
export function blendMask(
  goal: ReducedFace,
  origin: ReducedFace,
  map: WarpMap,
  surfaces: FaceSurfaces,
  unit: number,
): Plane {
  const { width, height } = goal.picture
  const { depth } = surfaces.goal
  const { carried, worn } = surfaces
  const { middle: bared, rims } = worn ?? {}
  const above = excludedParts(origin, surfaces, map, unit)
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

/** Width of the fade around excluded parts, as a share of the face's width. */
const cutFade = 0.025

/**
 * Hair, deep shadow and objects in front of the face, 0 to 1, at the map's size. Fades out over
 * skin, except at glasses, and spares eyes, brows and lips.
 */
function excludedParts(
  { picture, mesh }: ReducedFace,
  { origin, carried }: Pick<FaceSurfaces, 'origin' | 'carried'>,
  map: WarpMap,
  unit: number,
): Plane {
  const width = meshBox(mesh).width
  const locks = hairOverFace({ ...origin, strands: hairStrands(picture, origin, width) }, width)
  const before = excludeMask(pixelwiseMax([origin.foreign, origin.shade, locks]), origin.beard)
  const cut = warpPlane(origin.lenses && !carried ? pixelwiseMax([before, origin.lenses]) : before, map)
  const reach = Math.max(1, Math.round(cutFade * unit))
  const faded = feather(dilate(warpPlane(excludeMask(before, origin.lenses), map), reach), reach)
  return pixelwiseMax([cut, excludeMask(faded, feather(warpPlane(origin.features, map), reach / 2))])
}

function excludeMask(plane: Plane, other: Plane | undefined): Plane {
  if (!other) return plane
  return { ...plane, data: plane.data.map((value, i) => value * (1 - (other.data[i] as number))) }
}

/** Logarithmic darkness relative to the target where the source fades, and is excluded. */
const darkFrom = 0.55
const darkTo = 0.9
/** Depths in face widths of full and no exclusion; dark areas come in over the outline. */
const darkDepth = { full: 0.16, none: 0.28 } as const

/** Shadow and hair that no relighting turns into skin, 0 to 1; beards may be darker. */
export function darkAreas(
  warped: Picture,
  target: Picture,
  { features, jaw, depth, unit }: { features: Plane; jaw: Plane; depth: Float32Array; unit: number },
): Plane {
  const soft = (picture: Picture) => feather(channelPlane(picture, 1), 0.035 * unit)
  const [above, below] = [soft(warped), soft(target)]
  const plane = createPlane(target.width, target.height)
  for (let i = 0; i < plane.data.length; i++) {
    if (warped.data[4 * i + 3] === 0) continue
    const darker = Math.log(((below.data[i] as number) + lightOffset) / ((above.data[i] as number) + lightOffset))
    const from = darkFrom + beardDarkness * (jaw.data[i] as number)
    const near = ramp(darkDepth.none, darkDepth.full, (depth[i] as number) / unit)
    plane.data[i] = ramp(from, from + darkTo - darkFrom, darker) * near * (1 - (features.data[i] as number))
  }
  return feather(plane, 0.02 * unit)
}

/** Inside of an open mouth, and open eyes where the source's are closed. */
function keptFeatures(goal: ReducedFace, origin: ReducedFace, unit: number): Plane {
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

/** Depths in face widths at which areas with hardly any skin count fully, and not, as hair. */
const lockDepth = { full: 0.08, none: 0.15 } as const
/** Share of skin around a pixel below which it may be hair, and below which it is. */
const skinShare = { maybe: 0.6, hair: 0.35 } as const

/**
 * Fair or thin hair over the rim, too similar to skin to be certain, with the parts of brows and
 * eyes it hides. Excluding it from a source is harmless: the target's skin replaces it.
 */
export function hairOverFace(
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
    const hair = jaw.data[i] === 0 ? ramp(skinShare.maybe, skinShare.hair, share) : 0
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
