import type { Box } from '#contract/media.ts'
import { clipBox, growBox } from '../../geometry.ts'
import type { EngineHost, Face, MeshPoints } from '../../host.ts'
import { dilate, largest } from '../../morphology.ts'
import type { Picture, Plane } from '../../picture.ts'
import { cropPicture } from '../../pixels.ts'
import { boxBlur, createPlane, resizeSmooth, smoothRows } from '../../plane.ts'
import { outlineOf } from '../landmarks.ts'
import { meshBox, openness, placeMesh } from '../mesh-geometry.ts'
import { feather, fillPolygon } from '../regions.ts'
import { beardDark, type FaceSurface, faceSurface } from '../skin.ts'
import { type WarpMap, warpMap, warpPicture, warpPlane } from '../warp.ts'
import { applyLevels, bend, dark, drainColour, type Gains, isColourless, lightGains, matchLevels } from './light.ts'
import { sharedShape } from './shape.ts'
import { applyTexture, matchTexture } from './texture.ts'

/** Width of the face in pixels at which masks and light are worked out. */
const workWidth = 200
/** How much around the face is looked at, as a share of its width. */
const around = 0.05
/** Where the blend starts and ends inside the outline, as shares of the face's width. */
const blendFrom = 0.008
const blendTo = 0.04
/** Below this share of the target's own opening, the source's eye counts as closed, and an eye is open above the second. */
const closedShare = 0.5
const openEye = 0.16
/** The inside of a mouth that is open wider than this is the target's own. */
const openMouth = 0.05

/** A face and the opaque picture it was found in. */
export interface PicturedFace {
  picture: Picture
  face: Face
}

/** The part of the target picture that a swap changed, opaque; pixels outside the face are the target's. */
export interface SwapPatch {
  box: Box
  picture: Picture
  /** How much of each pixel is the source's, over the box, at a reduced size. */
  mask: Plane
  /** What either face wears. */
  glasses: { target: boolean; source: boolean }
}

/**
 * Puts the source's face into the target's: each triangle of the face mesh is warped to the target's pose and expression, eyes, nose, brows and
 * mouth at the source's places ({@link sharedShape}); hair, glasses and whatever else lies before the target's face stays; light, skin
 * colour, sharpness and grain follow the target ({@link lightGains}, mean-value style cloning with a mixed boundary).
 */
export async function swapFace(target: PicturedFace, source: PicturedFace, host: EngineHost): Promise<SwapPatch> {
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
  // Both are copies.
  const given = new Set([origin.picture, small.origin.picture])
  if (isColourless(small.goal.picture, surfaces.goal.hull)) for (const picture of given) drainColour(picture)
  const levels = matchLevels(
    { picture: small.origin.picture, ...surfaces.origin },
    { picture: small.goal.picture, ...surfaces.goal },
  )
  for (const picture of given) applyLevels(picture, levels)
  const shape = sharedShape(goal.mesh, origin.mesh, {
    moveEyes: (!surfaces.goal.lenses || surfaces.goal.rims !== undefined) && !surfaces.origin.lenses,
    moveMouth: openness(goal.mesh, 'mouth') < openMouth,
  })
  const smallShape = placeMesh(shape, 0, 0, small.goal.scale)
  const { mask, gains } = matchFaces(small, smallShape, surfaces)
  host.signal.throwIfAborted()
  const { picture } = goal
  const warped = warpPicture(origin.picture, warpMap(origin.mesh, shape, picture.width, picture.height))
  const alpha = resizeSmooth(mask, picture.width, picture.height)
  const skin = resizeSmooth(surfaces.goal.skin, picture.width, picture.height)
  for (let i = 0; i < skin.data.length; i++) skin.data[i] = (skin.data[i] as number) * (alpha.data[i] as number)
  light(warped, gains)
  applyTexture(warped, matchTexture(warped, picture, skin))
  blend(picture, warped, alpha)
  return {
    box: goal.box,
    picture,
    mask,
    glasses: { target: surfaces.goal.lenses !== undefined, source: surfaces.origin.lenses !== undefined },
  }
}

interface FaceCut {
  box: Box
  picture: Picture
  mesh: MeshPoints
  /** From the picture the face was cut from. */
  scale: number
}

/** A copy of the face with its surroundings. */
async function cutFace({ picture, face }: PicturedFace, scale: number, host: EngineHost): Promise<FaceCut> {
  const place = meshBox(face.points)
  const box = clipBox(growBox(place, around * place.width), picture) ?? { x: 0, y: 0, width: 1, height: 1 }
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

/** Where the source's face shows, and its light there, at the size at which both are worked out. */
function matchFaces(
  { goal, origin }: { goal: FaceCut; origin: FaceCut },
  shape: MeshPoints,
  surfaces: { goal: FaceSurface; origin: FaceSurface },
): { mask: Plane; gains: Gains } {
  const { width, height } = goal.picture
  const unit = meshBox(goal.mesh).width
  const map = warpMap(origin.mesh, shape, width, height)
  const warped = warpPicture(origin.picture, map)
  const skinAbove = warpPlane(surfaces.origin.skin, map)
  const { depth, jaw } = surfaces.goal
  const mask = blendMask(goal, origin, map, surfaces, unit)
  const features = warpPlane(surfaces.origin.features, map)
  const gloom = tooDark(warped, goal.picture, { features, jaw, depth, unit })
  for (let i = 0; i < mask.data.length; i++) mask.data[i] = (mask.data[i] as number) * (1 - (gloom.data[i] as number))
  // The border is where the blend is, but light is compared beyond it too, as far as anything is to be seen.
  const shown = dilate(mask, Math.max(1, Math.round(0.05 * unit)))
  const skin = createPlane(width, height)
  const border = createPlane(width, height)
  for (let i = 0; i < skin.data.length; i++) {
    const both = (surfaces.goal.skin.data[i] as number) * (skinAbove.data[i] as number) * (shown.data[i] as number)
    skin.data[i] = both > 0.05 ? both : 0
    if ((depth[i] as number) < 1.4 * blendTo * unit) border.data[i] = both > 0.4 ? both : 0
  }
  return { mask, gains: lightGains(warped, goal.picture, { skin, border, depth, unit }) }
}

function blendMask(
  goal: FaceCut,
  origin: FaceCut,
  map: WarpMap,
  surfaces: { goal: FaceSurface; origin: FaceSurface },
  unit: number,
): Plane {
  const { width, height } = goal.picture
  const { foreign, shade, lenses } = surfaces.origin
  const { depth } = surfaces.goal
  const above = warpPlane(largest([foreign, shade, ...(lenses ? [lenses] : [])]), map)
  const own = keptFeatures(goal, origin, unit)
  const thin = stretchedSkin(map, 0.03 * unit)
  const mask = createPlane(width, height)
  for (let i = 0; i < mask.data.length; i++) {
    if (map.covered[i] === 0 || (surfaces.goal.hull.data[i] as number) === 0) continue
    const away = ((depth[i] as number) / unit - blendFrom) / (blendTo - blendFrom)
    const ramp = Math.min(1, Math.max(0, away))
    const open = (1 - (surfaces.goal.foreign.data[i] as number)) * (1 - (above.data[i] as number))
    mask.data[i] = ramp * ramp * (3 - 2 * ramp) * open * (1 - (own.data[i] as number)) * (1 - (thin.data[i] as number))
  }
  return mask
}

/** How much darker than the target, as a logarithm, a part of the source may be: from where on it fades, and where nothing of it is taken. */
const gloomFrom = 0.55
const gloomTo = 0.9
/** It comes in over the outline: so deep in the face, as shares of its width, it counts in full, and from the second on nothing is taken for it. */
const gloomDepth = { full: 0.16, none: 0.28 } as const

/** Deep shadow and locks of hair, which no light turns into the target's skin; 0 to 1. Beards may be darker, so that none is cut off halfway. */
function tooDark(
  warped: Picture,
  target: Picture,
  { features, jaw, depth, unit }: { features: Plane; jaw: Plane; depth: Float32Array; unit: number },
): Plane {
  const reach = Math.max(1, Math.round(0.035 * unit))
  const soft = (picture: Picture) => boxBlur(boxBlur(greenOf(picture), reach), reach)
  const [above, below] = [soft(warped), soft(target)]
  const plane = createPlane(target.width, target.height)
  for (let i = 0; i < plane.data.length; i++) {
    if (warped.data[4 * i + 3] === 0) continue
    const darker = Math.log(((below.data[i] as number) + dark) / ((above.data[i] as number) + dark))
    const from = gloomFrom + beardDark * (jaw.data[i] as number)
    const share = Math.min(1, Math.max(0, (darker - from) / (gloomTo - gloomFrom)))
    const inside = ((depth[i] as number) / unit - gloomDepth.full) / (gloomDepth.none - gloomDepth.full)
    const near = 1 - Math.min(1, Math.max(0, inside))
    plane.data[i] = share * near * (1 - (features.data[i] as number))
  }
  return feather(plane, 0.02 * unit)
}

function greenOf({ width, height, data }: Picture): Plane {
  const plane = createPlane(width, height)
  for (let i = 0; i < plane.data.length; i++) plane.data[i] = data[4 * i + 1] as number
  return plane
}

/** A turned face shows more of a cheek than the source does, whose rim would be drawn out over it. */
const stretchFrom = 1.9
const stretchTo = 3.2

function stretchedSkin(map: WarpMap, softness: number): Plane {
  const plane = createPlane(map.width, map.height)
  const covered = map.stretch.filter((_, i) => map.covered[i] === 1).sort()
  const usual = covered[covered.length >> 1] || 1
  for (let i = 0; i < plane.data.length; i++) {
    const times = (map.stretch[i] as number) / usual
    plane.data[i] = Math.min(1, Math.max(0, (times - stretchFrom) / (stretchTo - stretchFrom)))
  }
  return feather(plane, softness)
}

/** The inside of an open mouth, and open eyes where the source's are shut: there is nothing to take from the source. */
function keptFeatures(goal: FaceCut, origin: FaceCut, unit: number): Plane {
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

/** Multiplies by the gains, which were worked out at a reduced size, in place. */
function light({ width, height, data }: Picture, gains: Gains): void {
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
        data[at + channel] = bend((own + dark) * (factors[x] as number) - dark, own)
      }
    }
  }
}

/** Lays the warped face over the target, in place; pixels without any of it keep their values. */
function blend(picture: Picture, warped: Picture, alpha: Plane): void {
  const { data } = picture
  for (let i = 0; i < alpha.data.length; i++) {
    const share = warped.data[4 * i + 3] === 255 ? (alpha.data[i] as number) : 0
    if (share <= 0.002) continue
    for (let k = 4 * i; k < 4 * i + 3; k++) {
      data[k] = (data[k] as number) + share * ((warped.data[k] as number) - (data[k] as number))
    }
  }
}
