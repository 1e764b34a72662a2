import type { EngineHost, MeshPoints } from '#engine/host.ts'
import { clipBox } from '#engine/image/geometry.ts'
import { dilate } from '#engine/image/morphology.ts'
import { clamp } from '#engine/image/numbers.ts'
import { createPlane, type Picture, type Plane, type Size } from '#engine/image/picture.ts'
import { cropPicture, cropPlane, pastePlane } from '#engine/image/pixels.ts'
import { shrink } from '#engine/image/plane.ts'
import { headCoordinates, headFrame } from '#engine/tasks/faces/head.ts'
import { placeMesh } from '#engine/tasks/faces/mesh-geometry.ts'
import { meshArea } from '#engine/tasks/faces/regions.ts'
import { enlargeMatte } from '#engine/tasks/subject-matte/refine.ts'
import { segment, segmentDefaults } from '#engine/tasks/subject-matte/segment.ts'
import type { Box } from '#shared/media.ts'

// The matte shows people, not one of them. Each of its pixels goes to the face whose head and
// shoulders are nearest; colours and edges move the border.

/** Distance from the eyes to the chin in the reduced picture, in pixels: the unit of a body. */
const workUnit = 30
/** Surroundings beside the crop that teach the neighbours' colours, in units. */
const context = 3.5
const bodyCut = { ...segmentDefaults, belief: 1, colour: 0.35, smooth: 8 }
/** Log odds for a distance of half a body's width, and in a face. */
const odds = { slope: 3, face: 5 }
/**
 * In units: an ellipse for the head, whose centre lies `above` the eyes, and shoulders that widen
 * from the neck at the chin.
 */
const body = { head: 0.9, height: 1.3, above: 0.15, neck: 0.7, shoulders: 2, shouldersBelow: 1.9 }
/** Half width of the chest, its rows below the eyes in units, and the least share that stays. */
const chest = { half: 0.8, from: 1.4, to: 2.6, kept: 0.6 }
/** Width in reduced pixels of the translucent edge of a neighbour. */
const edge = 3
/** Alpha of people, and the largest distance from the middle of a body. */
const visible = 0.3
const farthest = 2.5

/** A part of a picture, and the matte of its people at the part's size. */
interface PeopleCrop {
  picture: Picture
  box: Box
  part: Picture
  matte: Plane
}

/**
 * Removes the neighbours with the faces `others` from a matte of people, in place. Returns true if
 * they are left because the person's own chest would go, too. Meshes are in pixels of the picture.
 */
export async function removeNeighbours(
  { picture, box, part, matte }: PeopleCrop,
  own: MeshPoints,
  others: readonly MeshPoints[],
  host: EngineHost,
): Promise<boolean> {
  const { eyesToChin } = headFrame(own)
  const scale = Math.min(1, workUnit / eyesToChin)
  const reach = context * eyesToChin
  const wide = clipBox({ ...box, x: box.x - reach, width: box.width + 2 * reach }, picture) ?? box
  const reduced = (length: number) => Math.max(1, Math.floor(length * scale))
  const inner = {
    x: Math.floor((box.x - wide.x) * scale),
    y: 0,
    width: reduced(box.width),
    height: reduced(box.height),
  }
  const size = { width: Math.max(reduced(wide.width), inner.x + inner.width), height: inner.height }
  const alpha = createPlane(size.width, size.height, 1)
  pastePlane(alpha, shrink(matte, inner.width, inner.height), inner)
  const bodies = [own, ...others].map((mesh) => bodyIn(size, placeMesh(mesh, wide.x, wide.y, scale)))
  const { probability, isNear } = ownProbability(alpha, bodies)
  if (!isNear) return false
  const small = await host.resize(picture, size.width, size.height, wide)
  const labels = segment(small, probability, bodyCut)
  const isPerson = (i: number) => (alpha.data[i] as number) > visible
  if (meanWhere(labels, (i) => isPerson(i) && bodies[0]?.isChest(i) === true) < chest.kept) return true
  // The person's edge to the background stays as it is.
  const removed = dilate({ ...labels, data: labels.data.map((own, i) => (isPerson(i) ? 1 - own : 0)) }, edge)
  const kept = { ...labels, data: removed.data.map((gone, i) => (isPerson(i) && labels.data[i] === 1 ? 1 : 1 - gone)) }
  const keep = enlargeMatte(
    cropPlane(kept, inner.x, inner.y, inner.width, inner.height),
    cropPicture(small, inner),
    part,
  )
  for (let i = 0; i < matte.data.length; i++) {
    matte.data[i] = ((matte.data[i] as number) * (keep.data[i] as number)) / 255
  }
  return false
}

/** Of 0.5 outside of people. */
function ownProbability(alpha: Plane, bodies: readonly Body[]): { probability: Plane; isNear: boolean } {
  const probability = createPlane(alpha.width, alpha.height, 0.5)
  const [own, ...others] = bodies as [Body, ...Body[]]
  let isNear = false
  for (let i = 0; i < probability.data.length; i++) {
    if ((alpha.data[i] as number) < visible) continue
    const [near, away] = [own.distance(i), Math.min(...others.map(({ distance }) => distance(i)))]
    if (Math.min(near, away) > farthest) continue
    let value = clamp(odds.slope * (away - near), -odds.face, odds.face)
    if (own.isFace(i)) value = odds.face
    else if (others.some(({ isFace }) => isFace(i))) value = -odds.face
    if (value < 0) isNear = true
    probability.data[i] = 1 / (1 + Math.exp(-value))
  }
  return { probability, isNear }
}

/** Functions of a pixel's index; the distance from the middle is 1 at the usual outline. */
interface Body {
  distance(index: number): number
  isChest(index: number): boolean
  isFace(index: number): boolean
}

function bodyIn(size: Size, mesh: MeshPoints): Body {
  const place = headCoordinates(size.width, headFrame(mesh))
  const surface = meshArea(size, mesh, 'face')
  return {
    distance: (i) => {
      const { below, beside } = place(i)
      const head = Math.hypot(beside / body.head, (below + body.above) / body.height)
      if (below < 1) return head
      const share = Math.min(1, (below - 1) / (body.shouldersBelow - 1))
      return Math.min(head, beside / (body.neck + share * (body.shoulders - body.neck)))
    },
    isChest: (i) => {
      const { below, beside } = place(i)
      return beside < chest.half && below > chest.from && below < chest.to
    },
    isFace: (i) => surface.data[i] === 1,
  }
}

/** Mean where `counts` holds; 1 if it never does. */
function meanWhere({ data }: Plane, counts: (index: number) => boolean): number {
  let [all, sum] = [0, 0]
  for (let i = 0; i < data.length; i++) {
    if (!counts(i)) continue
    all++
    sum += data[i] as number
  }
  return all > 0 ? sum / all : 1
}
