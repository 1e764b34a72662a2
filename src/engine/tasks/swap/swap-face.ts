import type { EngineHost, Face, MeshPoints } from '#engine/host.ts'
import { clipBox, growBox } from '#engine/image/geometry.ts'
import { borderDistance, dilate, erode, pixelwiseMax } from '#engine/image/morphology.ts'
import { createPlane, type Picture, type Plane } from '#engine/image/picture.ts'
import { blendPicture, cropPicture } from '#engine/image/pixels.ts'
import { resizeSmooth, smoothRows } from '#engine/image/plane.ts'
import { toGreyscale } from '#engine/image/tones.ts'
import { meshBox, openness, placeMesh } from '#engine/tasks/faces/mesh-geometry.ts'
import { type FaceSurface, faceSurface } from '#engine/tasks/faces/skin.ts'
import { type WarpMap, warpMap, warpPicture, warpPlane } from '#engine/tasks/faces/warp.ts'
import type { Box } from '#shared/media.ts'
import { blendMask, darkAreas, type FaceSurfaces, openMouth } from './blend-mask.ts'
import {
  isOverstretched,
  surfaceWithoutGlasses,
  type TransferredGlasses,
  targetGlasses,
  transferredGlasses,
} from './glasses.ts'
import {
  applyLevels,
  compressHighlights,
  featureContrast,
  isMonochrome,
  type LightGains,
  lightGains,
  lightOffset,
  matchLevels,
} from './match-light.ts'
import { removeGlassesRims } from './remove-glasses-rims.ts'
import { applyChroma, applyTexture, matchChroma, matchTexture } from './skin-match.ts'
import { transferShape } from './transfer-shape.ts'

/** Width of the face in pixels at which masks and light are computed. */
const workWidth = 200
/** As a share of the face's width. */
const faceMargin = 0.05

export interface FaceInPicture {
  picture: Picture
  face: Face
}

/** The changed part of the target picture, opaque; pixels outside the face are the target's. */
export interface SwapPatch {
  box: Box
  picture: Picture
  /** Share of the source at each pixel of the box, at any size. */
  mask: Plane
  /** Share of the target's face, without its rim and glasses, that the source covers, 0 to 1. */
  coverage: number
  glasses: { target: boolean; source: boolean }
}

/**
 * Replaces the target's face: mesh triangles are warped to its pose and expression with the
 * source's features ({@link transferShape}). Objects in front of the target stay; hair in front of
 * the source is excluded (`hairOverFace`); its glasses are transferred if the target has none
 * ({@link transferredGlasses}). Light, colour, sharpness and grain follow the target ({@link
 * lightGains}, mean-value style cloning with a mixed boundary). Without `keepGlasses` the target's
 * glasses are removed ({@link removeGlassesRims}).
 */
export async function swapFace(
  target: FaceInPicture,
  source: FaceInPicture,
  host: EngineHost,
  { keepGlasses = true } = {},
): Promise<SwapPatch> {
  const width = meshBox(target.face.points).width
  const goal = await cutFace(target, 1, host)
  const origin = await cutFace(source, Math.min(1, width / meshBox(source.face.points).width), host)
  const reduction = Math.min(1, workWidth / width)
  const small = {
    goal: await reduce(goal, reduction, host),
    origin: await reduce(origin, Math.min(1, (reduction * width) / meshBox(origin.mesh).width), host),
  }
  const surfaces = {
    goal: faceSurface(small.goal.picture, small.goal.mesh),
    origin: faceSurface(small.origin.picture, small.origin.mesh),
  }
  const glasses = { target: surfaces.goal.lenses !== undefined, source: surfaces.origin.lenses !== undefined }
  const worn =
    keepGlasses || !glasses.target ? undefined : targetGlasses(small.goal.picture, surfaces.goal, small.goal.mesh)
  const { rimless = false } = surfaces.goal
  if (worn) surfaces.goal = surfaceWithoutGlasses(surfaces.goal, worn)
  else surfaces.goal = surfaceWithWholeLenses(surfaces.goal)
  // Both pictures are copies and may be modified.
  const copies = new Set([origin.picture, small.origin.picture])
  if (isMonochrome(small.goal.picture, surfaces.goal.hull)) for (const picture of copies) toGreyscale(picture.data)
  const { shape, map, carried } = placeFace(goal.mesh, small, surfaces)
  const levels = matchLevels(
    { picture: small.origin.picture, ...surfaces.origin },
    { picture: small.goal.picture, ...surfaces.goal },
    { glasses: carried !== undefined },
  )
  for (const picture of copies) applyLevels(picture, levels)
  const { mask, gains, chroma } = matchFaces(small, map, { ...surfaces, carried, worn })
  host.signal.throwIfAborted()
  const { picture } = goal
  const warped = warpPicture(origin.picture, warpMap(origin.mesh, shape, picture.width, picture.height))
  const alpha = resizeSmooth(mask, picture.width, picture.height)
  const skin = resizeSmooth(surfaces.goal.skin, picture.width, picture.height)
  for (let i = 0; i < skin.data.length; i++) skin.data[i] = (skin.data[i] as number) * (alpha.data[i] as number)
  applyGains(warped, gains)
  if (chroma) applyChroma(warped, chroma)
  applyTexture(warped, matchTexture(warped, picture, skin))
  blend(picture, warped, alpha)
  const { box } = goal
  const coverage = coverageOf(mask, surfaces.goal, reduction * width)
  if (!worn) return { box, picture, mask, coverage, glasses }
  const seen = { worn, scale: reduction, rimless }
  const { alpha: shown, ...patch } = await removeGlassesRims(target, { box, picture, alpha }, seen, host)
  return { ...patch, mask: shown, coverage, glasses }
}

/**
 * Lenses without rims stay whole with all that is behind them: their edges are too faint to be cut
 * out one by one.
 */
function surfaceWithWholeLenses(surface: FaceSurface): FaceSurface {
  const { rimless, lenses, foreign } = surface
  return rimless && lenses ? { ...surface, foreign: pixelwiseMax([foreign, lenses]) } : surface
}

/** Width of the face's rim, in which the blend fades anyway, as a share of the face's width. */
const rim = 0.08

function coverageOf(mask: Plane, { hull, depth, lenses }: FaceSurfaces['goal'], unit: number): number {
  let [inside, shown] = [0, 0]
  for (let i = 0; i < hull.data.length; i++) {
    if ((hull.data[i] as number) === 0 || (depth[i] as number) < rim * unit) continue
    if ((lenses?.data[i] ?? 0) > 0.5) continue
    inside++
    shown += mask.data[i] as number
  }
  return inside > 0 ? shown / inside : 0
}

export async function wearsGlasses(pictured: FaceInPicture, host: EngineHost): Promise<boolean> {
  return (await surfaceOf(pictured, host)).lenses !== undefined
}

/** {@link featureContrast} of a face: low in haze, in backlight and in the dark. */
export async function faceContrast(pictured: FaceInPicture, host: EngineHost): Promise<number> {
  return featureContrast(await surfaceOf(pictured, host))
}

async function surfaceOf(pictured: FaceInPicture, host: EngineHost) {
  const reduction = Math.min(1, workWidth / meshBox(pictured.face.points).width)
  const { picture, mesh } = await reduce(await cutFace(pictured, 1, host), reduction, host)
  return { picture, ...faceSurface(picture, mesh) }
}

interface FaceCut {
  box: Box
  picture: Picture
  mesh: MeshPoints
  scale: number
}

async function cutFace({ picture, face }: FaceInPicture, scale: number, host: EngineHost): Promise<FaceCut> {
  const place = meshBox(face.points)
  const box = clipBox(growBox(place, faceMargin * place.width), picture) ?? { x: 0, y: 0, width: 1, height: 1 }
  const cut = { box, picture: cropPicture(picture, box), mesh: placeMesh(face.points, box.x, box.y, 1), scale: 1 }
  return reduce(cut, scale, host)
}

async function reduce(cut: FaceCut, scale: number, host: EngineHost): Promise<FaceCut> {
  if (scale >= 1) return cut
  const width = Math.max(8, Math.round(cut.picture.width * scale))
  const height = Math.max(8, Math.round(cut.picture.height * scale))
  const picture = await host.resize(cut.picture, width, height)
  return { ...cut, picture, mesh: placeMesh(cut.mesh, 0, 0, scale), scale: cut.scale * scale }
}

interface Pair {
  goal: FaceCut
  origin: FaceCut
}

function placeFace(target: MeshPoints, { goal, origin }: Pair, surfaces: Pick<FaceSurfaces, 'goal' | 'origin'>) {
  const covered = { goal: surfaces.goal.lenses !== undefined, origin: surfaces.origin.lenses !== undefined }
  const placed = (carried?: TransferredGlasses, flat = false) => {
    const shape = transferShape(target, origin.mesh, {
      moveEyes: (!covered.goal || surfaces.goal.frames !== undefined) && !covered.origin,
      moveMouth: openness(target, 'mouth') < openMouth,
      glasses: carried && { points: carried.points, flat },
    })
    const { width, height } = goal.picture
    return { shape, carried, map: warpMap(origin.mesh, placeMesh(shape, 0, 0, goal.scale), width, height) }
  }
  if (covered.goal || !covered.origin) return placed()
  const glasses = transferredGlasses(origin.picture, surfaces.origin, origin.mesh)
  for (const flat of [false, true]) {
    const worn = placed(glasses, flat)
    if (!isOverstretched(glasses, worn.map)) return worn
  }
  return placed()
}

function matchFaces({ goal, origin }: Pair, map: WarpMap, surfaces: FaceSurfaces) {
  const unit = meshBox(goal.mesh).width
  const warped = warpPicture(origin.picture, map)
  const { depth, jaw } = surfaces.goal
  const mask = blendMask(goal, origin, map, surfaces, unit)
  const { features: own, beard } = surfaces.origin
  const wanted = [beard, surfaces.carried?.piece].filter((plane) => plane !== undefined)
  const kept = warpPlane(pixelwiseMax([own, ...wanted]), map)
  const features = surfaces.worn ? pixelwiseMax([kept, surfaces.worn.middle]) : kept
  const gloom = darkAreas(warped, goal.picture, { features, jaw, depth, unit })
  for (let i = 0; i < mask.data.length; i++) mask.data[i] = (mask.data[i] as number) * (1 - (gloom.data[i] as number))
  const common = commonSkin(mask, surfaces.goal, warpPlane(surfaces.origin.skin, map), unit)
  const gains = lightGains(warped, goal.picture, { ...common, unit })
  applyGains(warped, gains)
  return { mask, gains, chroma: matchChroma(warped, goal.picture, common.skin, unit) }
}

/** Radius in which the mask's transition is searched, as a share of the face's width. */
const fadeReach = 0.02

/**
 * Skin of both near the visible source; its part in the blend; distance from the blend's border.
 */
function commonSkin(mask: Plane, { skin: below, lenses }: FaceSurfaces['goal'], above: Plane, unit: number) {
  const shown = dilate(mask, Math.max(1, Math.round(0.05 * unit)))
  const reach = Math.max(1, Math.round(fadeReach * unit))
  // Glasses that stay keep their own colours up to their edge.
  const whole = lenses ? pixelwiseMax([mask, lenses]) : mask
  const [most, least] = [dilate(whole, reach), erode(whole, reach)]
  const skin = createPlane(mask.width, mask.height)
  const border = createPlane(mask.width, mask.height)
  for (let i = 0; i < skin.data.length; i++) {
    const both = (below.data[i] as number) * (above.data[i] as number) * (shown.data[i] as number)
    if (both > 0.05) skin.data[i] = both
    if (both > 0.4 && (most.data[i] as number) - (least.data[i] as number) > 0.2) border.data[i] = both
  }
  return { skin, border, depth: borderDistance(whole) }
}

/** In place; gains have a reduced size. */
function applyGains({ width, height, data }: Picture, gains: LightGains): void {
  const rows = gains.map((gain) => {
    const factors = { ...gain, data: gain.data.map((value) => Math.exp(value)) }
    return smoothRows(factors, width, height)
  })
  for (let y = 0; y < height; y++) {
    for (const [channel, row] of rows.entries()) {
      const factors = row(y)
      for (let x = 0, at = 4 * y * width; x < width; x++, at += 4) {
        if (data[at + 3] === 0) continue
        const own = data[at + channel] as number
        data[at + channel] = compressHighlights((own + lightOffset) * (factors[x] as number) - lightOffset, own)
      }
    }
  }
}

/** In place; pixels without a share stay unchanged. */
function blend(picture: Picture, warped: Picture, alpha: Plane): void {
  const shown = (share: number, i: number) => share > 0.002 && warped.data[4 * i + 3] === 255
  blendPicture(picture, warped, { ...alpha, data: alpha.data.map((share, i) => (shown(share, i) ? share : 0)) })
}
