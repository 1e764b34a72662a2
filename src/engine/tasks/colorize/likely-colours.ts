import type { MeshPoints } from '#engine/host.ts'
import { ramp } from '#engine/image/numbers.ts'
import { createPlane, type Plane } from '#engine/image/picture.ts'
import { boxBlur, feather } from '#engine/image/plane.ts'
import { roughness } from '#engine/image/smooth-map.ts'
import { meshArea, outlineOf } from '#engine/tasks/faces/regions.ts'
import { completeSurfaces, dropIsolatedPatches, dropUnboundedAreas } from './skin-surfaces.ts'
import { geodesicDistance, geodesicSteps, type StepCosts } from './spread-colours.ts'

/** All planes have one size. */
export interface Observations {
  /** Lightness, 0 to 1. */
  lightness: Plane
  /** Face meshes in pixels of the planes. */
  faces: readonly MeshPoints[]
  person: Plane
}

/** Planes of one size. */
export interface LikelyColours {
  /** CIELAB red–green; `b` is yellow–blue. */
  a: Plane
  b: Plane
  /** Weight of a pixel's own colour relative to neighbours of equal lightness. */
  weight: Plane
  skin: Plane
  clothes: Plane
}

/**
 * CIELAB red–green and yellow–blue at medium lightness, where the gamut is widest. Human skin has
 * nearly one hue.
 */
const colours = { skin: [18, 21], lips: [23, 17], hair: [9, 13], sky: [-3, -13] } as const
type Material = keyof typeof colours

/**
 * Weights of known colours; the weight between similar pixels is 1. Unknown parts of a person apart
 * from the face hold grey, so that its colour does not run into a wall in the mask.
 */
const knownWeights = { nothing: 0.03, clothes: 0.01, apart: 0.1, hair: 0.05, bare: 0.04, face: 0.5, sky: 0.05 } as const

/** Room for chroma at a lightness, 0 to 1: it vanishes towards black and white. */
export const chromaHeadroom = (level: number) => Math.max(0, Math.min(1, 4 * level * (1 - level)))

/**
 * Colours skin, lips and hair by the face meshes, bare skin by similarity to the nearest face, and
 * a sky. The rest stays colourless: no colour is better than a wrong one.
 */
export function likelyColours(observed: Observations): LikelyColours {
  const { lightness } = observed
  const { width, height } = lightness
  const plane = (value = 0) => createPlane(width, height, value)
  const known = { a: plane(), b: plane(), weight: plane(knownWeights.nothing), skin: plane(), clothes: plane() }
  paintSky(observed, known)
  const faces = observed.faces.map((mesh) => faceOf(lightness, mesh)).filter((face) => face !== undefined)
  if (faces.length > 0) paintBodies(observed, faces, known)
  for (const face of faces) paintFace(lightness, face, known)
  return known
}

function blendMaterial(
  { a, b, weight }: LikelyColours,
  i: number,
  matter: Material,
  level: number,
  share: number,
  hold: number,
) {
  const room = share * chromaHeadroom(level)
  a.data[i] = (1 - share) * (a.data[i] as number) + room * colours[matter][0]
  b.data[i] = (1 - share) * (b.data[i] as number) + room * colours[matter][1]
  weight.data[i] = (1 - share) * (weight.data[i] as number) + share * hold
}

interface FaceArea {
  mesh: MeshPoints
  inside: Plane
  centre: number
  top: number
  bottom: number
  wide: number
  tall: number
  /** `shade` is the lightness of deeper shadows. */
  level: number
  shade: number
}

/** Measures a face; undefined if fewer than 8 pixels are inside its outline. */
function faceOf(lightness: Plane, mesh: MeshPoints): FaceArea | undefined {
  const oval = outlineOf(mesh, 'face')
  const inside = meshArea(lightness, mesh, 'face')
  const levels = lightness.data.filter((_, i) => (inside.data[i] as number) > 0).sort()
  if (levels.length < 8) return undefined
  const [xs, ys] = [oval.map(({ x }) => x), oval.map(({ y }) => y)]
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]
  return {
    mesh,
    inside,
    centre: (left + right) / 2,
    top,
    bottom,
    wide: right - left,
    tall: bottom - top,
    level: levels[Math.floor(0.6 * levels.length)] as number,
    shade: levels[Math.floor(0.1 * levels.length)] as number,
  }
}

/** The face whose body most likely covers a position: bodies are below their faces. */
function nearestFace(faces: readonly FaceArea[], x: number, y: number): FaceArea {
  const distanceTo = (face: FaceArea) => {
    const aside = (x - face.centre) / face.wide
    const above = Math.max(0, face.top - y) / face.tall
    const below = Math.max(0, y - face.bottom) / face.tall
    return 1.5 * aside ** 2 + 4 * above ** 2 + 0.5 * below ** 2
  }
  return faces.reduce((best, face) => (distanceTo(face) < distanceTo(best) ? face : best))
}

/**
 * Tolerance of bare skin relative to its face, and extra next to it, as shoulders shine. Chosen
 * with `skinStepCosts` and `distantSkinLikelihood` on 31 portraits with known colours.
 */
const faceTolerance = { lighter: 0.1, darker: 0.16 } as const
const besideFaceTolerance = { lighter: 0.15, darker: 0.05 } as const
/** Roughness of cloth, and of skin. */
const roughnessLimits = [0.035, 0.015] as const
/** Likelihood of skin far from the face, on arms, hands or legs, if it matches the face's. */
const distantSkinLikelihood = 0.47
/** Difference in lightness from the face for possible and for certain cloth. */
const clothDifference = [0.15, 0.3] as const
/** Similarity from which an area counts as possible and as certain skin. */
const skinLimits = [0.32, 0.52] as const

function paintBodies(observed: Observations, faces: readonly FaceArea[], known: LikelyColours): void {
  const { lightness, person } = observed
  const { width, height, data } = lightness
  const reach = Math.max(2, Math.round(0.01 * Math.max(width, height)))
  const texture = roughness(lightness, reach).data
  const near = nearSkin(observed, faces)
  const similarity = createPlane(width, height)
  eachWithFace(lightness, faces, (i, face) => {
    const lighter = (data[i] as number) - face.level
    const side = lighter > 0 ? 'lighter' : 'darker'
    const off = lighter / (faceTolerance[side] + besideFaceTolerance[side] * (near[i] as number) ** 2)
    const close = distantSkinLikelihood + (1 - distantSkinLikelihood) * (near[i] as number)
    similarity.data[i] = close * Math.exp(-(off ** 2)) * ramp(...roughnessLimits, texture[i] as number)
  })
  const bareSkin = boxBlur(similarity, reach)
  dropUnboundedAreas(bareSkin, (skinLimits[0] + skinLimits[1]) / 2, reach + 1, near, observed)
  completeSurfaces(bareSkin, (skinLimits[0] + skinLimits[1]) / 2, near, observed)
  dropIsolatedPatches(bareSkin, skinLimits)
  const bare = bareSkin.data
  eachWithFace(lightness, faces, (i, face, x, y) => {
    const here = person.data[i] as number
    if (here === 0) return
    const level = data[i] as number
    const under = (y - face.bottom) / face.tall
    const skin = ramp(...skinLimits, bare[i] as number) * ramp(-0.3, 0, under)
    const beside = ramp(1.2, 1, Math.abs(x - face.centre) / face.wide) * ramp(-0.9, -0.7, (y - face.top) / face.tall)
    const strands = 0.6 * ramp(0.7, 0.2, under) * ramp(0.01, 0.025, texture[i] as number)
    const hair = beside * Math.max(ramp(0, -0.2, under), strands)
    known.skin.data[i] = here * skin
    known.clothes.data[i] = here * ramp(...clothDifference, Math.abs(level - face.level)) * (1 - skin) * (1 - hair)
    known.weight.data[i] =
      (1 - here) * (known.weight.data[i] as number) +
      here * (knownWeights.clothes + knownWeights.apart * (1 - (near[i] as number)) ** 2)
    blendMaterial(known, i, 'hair', level, here * hair * (1 - skin), knownWeights.hair)
    blendMaterial(known, i, 'skin', level, here * skin, knownWeights.bare)
  })
}

function eachWithFace(
  { width, height }: Plane,
  faces: readonly FaceArea[],
  visit: (i: number, face: FaceArea, x: number, y: number) => void,
): void {
  for (let y = 0, i = 0; y < height; y++) for (let x = 0; x < width; x++, i++) visit(i, nearestFace(faces, x, y), x, y)
}

/** Costs of distances over soft shadows, in heights of the largest face; outlines add to them. */
const skinStepCosts: StepCosts = { step: 0.12, edge: 5, grain: 0.012, label: 2 }

/** Nearness to the skin of a face, 1 there, falling with the geodesic distance. */
function nearSkin({ lightness, person }: Observations, faces: readonly FaceArea[]): Float32Array {
  const { width, height, data } = lightness
  const distance = new Float32Array(width * height).fill(Number.POSITIVE_INFINITY)
  for (const { inside, level } of faces) {
    for (let i = 0; i < distance.length; i++) {
      if ((inside.data[i] as number) > 0 && Math.abs((data[i] as number) - level) < 0.2) distance[i] = 0
    }
  }
  const step = skinStepCosts.step / Math.max(...faces.map(({ tall }) => tall))
  geodesicDistance(geodesicSteps(boxBlur(lightness, 1), [person], { ...skinStepCosts, step }), distance)
  return distance.map((length) => Math.exp(-length))
}

function paintFace(lightness: Plane, { mesh, inside, level: usual, shade, wide }: FaceArea, known: LikelyColours) {
  const { data } = lightness
  const part = (name: Parameters<typeof outlineOf>[1]) => feather(meshArea(lightness, mesh, name), wide / 100)
  for (let i = 0; i < data.length; i++) {
    if ((inside.data[i] as number) < 0.5) continue
    // Deep shadows may be hair over the face.
    const hold = (data[i] as number) < shade - 0.12 ? 0.04 * knownWeights.face : knownWeights.face
    blendMaterial(known, i, 'skin', data[i] as number, 1, hold)
    known.skin.data[i] = 1
    known.clothes.data[i] = 0
  }
  const over = (area: Plane, matter: Material, darkOnly: boolean) => {
    for (let i = 0; i < data.length; i++) {
      const level = data[i] as number
      const share = area.data[i] as number
      if (share > 0.5 && !(darkOnly && level > usual)) blendMaterial(known, i, matter, level, share, knownWeights.face)
    }
  }
  over(part('lips'), 'lips', false)
  for (const name of ['leftBrow', 'rightBrow', 'leftEye', 'rightEye'] as const) over(part(name), 'hair', true)
}

/** Smallest and largest sky, as shares of the picture; tallest face before a sky, of its height. */
const skyArea = [0.08, 0.6] as const
const tallestFace = 0.08
/** Lowest end of a sky as a share of the picture, and its greatest roughness. */
const lowestSky = 0.7
const roughSky = 0.02
const skyStepCosts: StepCosts = { step: 0, edge: 30, grain: 0.012, label: 3 }

/**
 * Paints a sky only where it is certain: an even, light area along most of the upper edge, lighter
 * than the rest. Walls behind portraits look the same, so large faces exclude a sky.
 */
function paintSky({ lightness, person, faces }: Observations, known: LikelyColours): void {
  const { width, height, data } = lightness
  for (const mesh of faces) {
    const ys = outlineOf(mesh, 'face').map(({ y }) => y)
    if (Math.max(...ys) - Math.min(...ys) > tallestFace * height) return
  }
  const reach = Math.max(2, Math.round(0.012 * Math.max(width, height)))
  const texture = roughness(lightness, reach).data
  const distance = new Float32Array(width * height).fill(Number.POSITIVE_INFINITY)
  const open = (i: number) =>
    (data[i] as number) > 0.55 && (person.data[i] as number) < 0.5 && (texture[i] as number) < roughSky
  let begins = 0
  for (let x = 0; x < width; x++) if (open(x + width * reach)) [distance[x], begins] = [0, begins + 1]
  if (begins < 0.6 * width) return
  geodesicDistance(geodesicSteps(boxBlur(lightness, 1), [person], skyStepCosts), distance)
  let [area, inside, outside] = [0, 0, 0]
  for (let i = 0; i < distance.length; i++) {
    const sky = (distance[i] as number) < 1.5 && open(i)
    if (sky && i > lowestSky * distance.length) return
    if (sky) [area, inside] = [area + 1, inside + (data[i] as number)]
    else [distance[i], outside] = [Number.POSITIVE_INFINITY, outside + (data[i] as number)]
  }
  const share = area / distance.length
  if (share < skyArea[0] || share > skyArea[1] || inside / area < outside / (distance.length - area) + 0.12) return
  for (let i = 0; i < distance.length; i++) {
    if (distance[i] !== Number.POSITIVE_INFINITY) blendMaterial(known, i, 'sky', data[i] as number, 1, knownWeights.sky)
  }
}
