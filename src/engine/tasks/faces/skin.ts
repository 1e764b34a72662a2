import type { MeshPoints } from '#engine/host.ts'
import { connectedRegions } from '#engine/image/geometry.ts'
import { borderDistance, dilate, pixelwiseMax } from '#engine/image/morphology.ts'
import { ramp } from '#engine/image/numbers.ts'
import { createPlane, type Picture, type Plane, type Size } from '#engine/image/picture.ts'
import { boxBlur, feather } from '#engine/image/plane.ts'
import { smoothMaps } from '#engine/image/smooth-map.ts'
import { bridgeContrast } from './assess-face.ts'
import { areEyesHidden, classifyGlasses, darkLenses, lensZone, rimZone } from './glasses.ts'
import { findGlassesFrames, type GlassesFrames } from './glasses-frames.ts'
import { meshBox } from './mesh-geometry.ts'
import { facialFeatures, meshArea, shareAbove } from './regions.ts'
import { wearsRimlessGlasses } from './rimless-glasses.ts'
import { darkParts, type LogTones, logTones, type MedianSpread, medianSpread } from './tones.ts'

/** Mesh points of the cheeks and the nose, which are bare in nearly every photograph. */
const bareSkinPoints = {
  leftCheek: [116, 117, 118, 100, 142, 203, 206, 216, 207, 187, 123],
  rightCheek: [345, 346, 347, 329, 371, 423, 426, 436, 427, 411, 352],
  nose: [168, 122, 196, 3, 51, 45, 4, 275, 281, 248, 419, 351],
} as const
/** Jaw and chin up to the lower cheeks: higher up, dark areas beside a face are mostly hair. */
const jawOutline = [
  361, 288, 397, 365, 379, 378, 400, 377, 152, 148, 176, 149, 150, 136, 172, 58, 132, 187, 205, 1, 425, 411,
]

/** Planes of the picture's size from 0 to 1. */
export interface FaceSurface {
  hull: Plane
  /** See {@link borderDistance}. */
  depth: Float32Array
  /** Jaw, chin and lower cheeks: where beards grow. */
  jaw: Plane
  /** Part of the face; undefined without a beard. */
  beard?: Plane
  skin: Plane
  /** The rim of the face that turns into deep shadow. */
  shade: Plane
  features: Plane
  /** Objects in front of the face: hair, frames of glasses, hats, hands of another colour. */
  foreign: Plane
  /** Includes the eyes, which take on the lenses' colour; undefined without glasses. */
  lenses?: Plane
  /** Frames with closed rims; then nothing else around the eyes counts as foreign. */
  frames?: GlassesFrames
  /** True for glasses without rims, whose lenses and lines are not all `foreign`. */
  rimless?: true
}

export type FaceAreas = Pick<FaceSurface, 'hull' | 'depth' | 'features' | 'jaw'>

/** In pixels of a picture of this size. */
export function faceAreas(size: Size, mesh: MeshPoints): FaceAreas {
  const hull = meshArea(size, mesh, 'face')
  const reach = Math.max(1, Math.round(0.035 * meshBox(mesh).width))
  const features = dilate(meshArea(size, mesh, ...facialFeatures), reach)
  return { hull, depth: borderDistance(hull), features, jaw: meshArea(size, mesh, jawOutline) }
}

/**
 * Separates skin from objects in front of it by the colours of the face's cheeks and nose, relative
 * to a smooth map of its light. The face should be about 150 to 300 pixels wide.
 */
export function faceSurface(picture: Picture, mesh: MeshPoints): FaceSurface {
  const size = { width: picture.width, height: picture.height }
  const unit = meshBox(mesh).width
  const { hull, depth, features, jaw } = faceAreas(size, mesh)
  const eyes = meshArea(size, mesh, 'leftEye', 'rightEye')
  const seeds = meshArea(size, mesh, ...Object.values(bareSkinPoints))
  for (let i = 0; i < seeds.data.length; i++) if ((features.data[i] as number) > 0) seeds.data[i] = 0
  const tones = logTones(picture)
  const distance = skinDistance(tones, { hull, features, seeds, shaded: jaw }, unit)
  const lids = dilate(eyes, Math.max(1, Math.round(0.012 * unit)))
  const frames = findGlassesFrames(mesh, distance, lids)
  const seen = { contrast: bridgeContrast(picture, mesh), rims: frames?.contrast ?? 0 }
  const worn = classifyGlasses(mesh, distance, eyes, seen)
  const rimless = !worn && wearsRimlessGlasses(picture, mesh)
  const glasses = worn && areEyesHidden(tones[0], mesh, seeds, unit) ? 'dark' : rimless ? 'rimless' : worn
  const none = createPlane(size.width, size.height)
  const shielded = { clear: lids, dark: none, rimless: features, none: features }[glasses ?? 'none']
  const rims = glasses ? rimZone(mesh, size, unit) : undefined
  const found = glasses === 'clear' ? frames : undefined
  const unlike = foreignParts({ hull, depth }, shielded, distance, unit, rims)
  const before =
    glasses === 'dark' && rims ? pixelwiseMax([unlike, darkLenses(tones[0], { hull, rims, seeds }, unit)]) : unlike
  const foreign = found ? openLenses(before, { features, depth }, found, unit) : before
  const skin = createPlane(size.width, size.height)
  for (let i = 0; i < skin.data.length; i++) {
    const bareness = Math.exp(-0.5 * (distance.data[i] as number) ** 2)
    const open = (1 - (features.data[i] as number)) * (1 - (foreign.data[i] as number))
    skin.data[i] = (hull.data[i] as number) * open * bareness
  }
  const shade = shadedRim(tones[0], { hull, depth, jaw }, skin, unit)
  const beard = isBeard(mesh, darkParts(tones[0], skin)) ? feather(jaw, 0.02 * unit) : undefined
  const surface = { hull, depth, jaw, skin, shade, features, foreign, ...(beard && { beard }) }
  if (!glasses) return surface
  return {
    ...surface,
    lenses: feather(lensZone(mesh, size, unit), 0.012 * unit),
    ...(found && { frames: found }),
    ...(rimless && { rimless }),
  }
}

/** Logarithmic darkness of a rim, relative to the skin, where its shadow starts and is full. */
const shadeFrom = 0.45
const shadeTo = 0.8
/** Extra logarithmic darkness allowed at the jaw, because a beard is part of the face. */
export const beardDarkness = 0.35

type Outline = Pick<FaceSurface, 'hull' | 'depth'>

function shadedRim(light: Plane, { hull, depth, jaw }: Outline & { jaw: Plane }, skin: Plane, unit: number): Plane {
  const { middle } = medianSpread(light, skin, 0.1)
  const soft = boxBlur(light, Math.max(1, Math.round(0.015 * unit)))
  const out = createPlane(hull.width, hull.height)
  for (let i = 0; i < out.data.length; i++) {
    if ((hull.data[i] as number) === 0) continue
    const near = ramp(0.16 * unit, 0.08 * unit, depth[i] as number)
    const from = shadeFrom + beardDarkness * (jaw.data[i] as number)
    out.data[i] = near * ramp(from, from + shadeTo - shadeFrom, middle - (soft.data[i] as number))
  }
  return feather(out, 0.012 * unit)
}

/** Foreign areas without lids and skin behind lenses or brows above, but with the rims. */
function openLenses(
  foreign: Plane,
  { features, depth }: Pick<FaceSurface, 'features' | 'depth'>,
  frames: GlassesFrames,
  unit: number,
): Plane {
  const { rims, inside, between } = frames
  const wide = dilate(rims, 1)
  const edge = boxBlur(wide, 1)
  const near = dilate(rims, Math.max(1, Math.round(0.025 * unit)))
  const brows = createPlane(rims.width, rims.height)
  for (let i = 0; i < brows.data.length; i++) {
    const bridge = (between.data[i] as number) > 0 || (near.data[i] as number) > 0
    if (!bridge && (depth[i] as number) > 0.1 * unit) brows.data[i] = features.data[i] as number
  }
  const free = pixelwiseMax([feather(brows, 0.02 * unit), inside])
  const data = foreign.data.map((value, i) => Math.max(edge.data[i] as number, value * (1 - (free.data[i] as number))))
  return { ...foreign, data }
}

/** Likely and certain logarithmic redness of shadow by its darkening; hair and beards have less. */
const shadowRed = { likely: 0.12, sure: 0.22 } as const
/** Largest shift of skin's tones by shadow. */
const shadowReach = [0.6, 0.3, 0.15] as const

/** In standard deviations; `shaded` masks areas in which shadow on skin is usual. */
function skinDistance(
  tones: LogTones,
  { hull, features, seeds, shaded }: Record<'hull' | 'features' | 'seeds' | 'shaded', Plane>,
  unit: number,
): Plane {
  const spread = tones.map((tone, c) => medianSpread(tone, seeds, c === 0 ? 0.16 : 0.05)) as MedianSpread[]
  let distance = createPlane(hull.width, hull.height)
  let centres = tones.map((_, c) => createPlane(hull.width, hull.height, (spread[c] as MedianSpread).middle))
  for (let round = 0; round < 3; round++) {
    // The first round tolerates shadow and light, which later rounds have measured.
    const loose = round === 0 ? 1.8 : 1
    distance = createPlane(hull.width, hull.height)
    const weight = createPlane(hull.width, hull.height)
    for (let i = 0; i < distance.data.length; i++) {
      if (hull.data[i] === 0) continue
      let sum = 0
      const shadow = shaded.data[i] === 0 ? 0 : shadowAt(tones, centres, i)
      for (let c = 0; c < 3; c++) {
        const { deviation } = spread[c] as MedianSpread
        const all = ((tones[c] as Plane).data[i] as number) - ((centres[c] as Plane).data[i] as number)
        const off = Math.sign(all) * Math.max(0, Math.abs(all) - shadow * (shadowReach[c] as number))
        // Shine and blush are still skin.
        const scale = c === 0 && off > 0 ? 1.6 * deviation : deviation
        sum += (off / (loose * scale)) ** 2
      }
      const d = Math.sqrt(sum) / 2
      distance.data[i] = d
      weight.data[i] = (1 - (features.data[i] as number)) * Math.exp(-0.5 * d * d)
    }
    if (round < 2) centres = smoothMaps(tones, weight, 0.16 * unit)
  }
  return distance
}

function shadowAt([light, red]: LogTones, [usualLight, usualRed]: readonly Plane[], i: number): number {
  const darker = ((usualLight as Plane).data[i] as number) - (light.data[i] as number)
  if (darker <= 0) return 0
  const redder = (red.data[i] as number) - ((usualRed as Plane).data[i] as number)
  return ramp(shadowRed.likely, shadowRed.sure, redder / darker)
}

/** Regions unlike skin that reach in over the outline; inner regions belong to the face. */
function foreignParts({ hull, depth }: Outline, shielded: Plane, distance: Plane, unit: number, rims?: Plane): Plane {
  const { width, height } = hull
  const calm = boxBlur(distance, Math.max(1, Math.round(0.006 * unit)))
  const unlike = (i: number, limit: number) =>
    (hull.data[i] as number) > 0 && (shielded.data[i] as number) === 0 && (calm.data[i] as number) > limit
  // Hair is likely near the outline; deep inside, a slightly darker region is a wrinkle.
  const limit = (i: number) => {
    // Frames stand out more than skin behind glasses and the wrinkles beside them.
    if (rims?.data[i]) return 1.5
    const inside = (depth[i] as number) / unit
    return inside < 0.1 ? 1 : inside < 0.14 ? 1.25 : 1.9
  }
  const { labels, regions } = connectedRegions(width, height, (i) => unlike(i, limit(i)))
  const border = new Set<number>()
  const sure = new Set<number>()
  for (let i = 0; i < labels.length; i++) {
    const label = labels[i] as number
    if (label === 0) continue
    if ((depth[i] as number) < 0.03 * unit) border.add(label)
    if ((calm.data[i] as number) > 1.6) sure.add(label)
  }
  const out = createPlane(width, height)
  const least = (0.02 * unit) ** 2
  for (let i = 0; i < labels.length; i++) {
    const label = labels[i] as number
    if (label === 0 || !sure.has(label) || !(border.has(label) || rims?.data[i])) continue
    if ((regions[label - 1]?.area ?? 0) >= least) out.data[i] = 1
  }
  return feather(dilate(out, Math.max(1, Math.round(0.012 * unit))), 0.008 * unit)
}

/** Both halves of the chin, from the outline inwards. */
const chinHalves = [
  [149, 176, 148, 152, 199, 208, 32, 211],
  [378, 400, 377, 152, 199, 428, 262, 431],
] as const
/** Minimum dark share of either half with a beard; stubble and shadow cover less of one. */
const minDarkShare = 0.55

/**
 * True if the area covers both halves of the chin; hair and hands come from one side or leave the
 * chin bare. `dark` is 1 where the face is darker than its skin.
 */
function isBeard(mesh: MeshPoints, dark: Plane): boolean {
  return chinHalves.every((half) => shareAbove(dark, meshArea(dark, mesh, half), 0) > minDarkShare)
}
