import type { MeshPoints } from '#engine/host.ts'
import { fillPolygon } from '#engine/image/geometry.ts'
import { filterGuided } from '#engine/image/guided-filter.ts'
import { ramp } from '#engine/image/numbers.ts'
import { createPlane, type Picture, type Plane } from '#engine/image/picture.ts'
import { fitArea } from '#engine/image/pixels.ts'
import { feather, resizeSmooth, shrink } from '#engine/image/plane.ts'
import { resamplePart } from '#engine/image/resample.ts'
import { type HeadFrame, headCoordinates, headFrame } from '#engine/tasks/faces/head.ts'
import { outlineOf } from '#engine/tasks/faces/regions.ts'
import { segment, segmentDefaults } from '#engine/tasks/subject-matte/segment.ts'

/** Body of another person, below the chin; `aside` is the minimum distance from this head. */
export const body = { below: 1, beside: 2.6, aside: 0.85 } as const

export const isBody = ({ below, beside }: { below: number; beside: number }) =>
  below > body.below && beside < body.beside

/** {@link headDistance} that is certainly the head, distance of even odds, and the slope there. */
const headReach = { sure: 1, even: 1.35, steep: 7 } as const
/** Probability that areas above a head, or long areas in its hair's colours, belong to it. */
const probability = { above: 0.9, long: 0.8 } as const
/** In pixels. */
const cutArea = 220 * 220

/** 1 for the head, 0 for e.g. an arm; one minimum cut over position, colours and edges. */
export function headLikeness(
  picture: Picture,
  matte: Plane,
  long: Plane,
  points: MeshPoints,
  frame: HeadFrame,
  others: readonly HeadFrame[],
): Plane {
  const { width, height } = matte
  const face = createPlane(width, height)
  fillPolygon(face, outlineOf(points, 'face'))
  const place = headCoordinates(width, frame)
  const bodies = others.map((other) => headCoordinates(width, other))
  const aside = (0.62 * frame.width) / frame.eyesToChin
  const belief = createPlane(width, height)
  for (let i = 0; i < matte.data.length; i++) {
    if (matte.data[i] === 0) continue
    const [x, y] = [(i % width) + 0.5, Math.floor(i / width) + 0.5]
    const [{ below, beside }, away] = [place(i), headDistance(x, y, frame)]
    const onOtherFace = others.some((other) => headDistance(x, y, other) < 0.8)
    const onOtherBody = onOtherFace || bodies.some((at) => isBody(at(i)))
    let chance = 1 / (1 + Math.exp(headReach.steep * (away - headReach.even)))
    if (face.data[i] === 1 || (away < headReach.sure && !onOtherFace)) chance = 1
    else if (onOtherBody && beside > body.aside) chance = 0
    else if (!onOtherBody && below < 0 && beside < aside) chance = probability.above
    else if (!onOtherBody && (long.data[i] as number) > 0.5) chance = Math.max(chance, probability.long)
    belief.data[i] = Math.min(chance, matte.data[i] as number)
  }
  const size = fitArea(matte, cutArea)
  const small = resamplePart(picture, { x: 0, y: 0, width, height }, size.width, size.height)
  return resizeSmooth(segment(small, shrink(belief, size.width, size.height)), width, height)
}

/** Slope of the odds between two heads, colours' weight, smoothness and window in pixels. */
const seam = { steep: 9, colour: 0.3, limit: 3, smooth: 2, window: 5, epsilon: 1e-3 } as const
/** Heads farther than this, in {@link headDistance} of either, have no seam. */
const reachOfOthers = 3.5

/**
 * 1 where pixels belong to this head rather than to one of `people`, 0 elsewhere: a minimum cut, so
 * that the seam between faces that touch follows their edges. Undefined without a neighbour.
 */
export function sideOfSeam(
  picture: Picture,
  own: MeshPoints,
  people: readonly MeshPoints[],
  { width, height }: Plane,
): Plane | undefined {
  const frame = headFrame(own)
  const others = people
    .filter((points) => points !== own)
    .map((points) => ({ points, frame: headFrame(points) }))
    .filter((other) => headDistance(other.frame.centre.x, other.frame.centre.y, frame) < reachOfOthers)
  if (others.length === 0) return undefined
  const size = fitArea({ width, height }, cutArea)
  const scale = size.width / width
  const areaOf = (meshes: readonly MeshPoints[]) => {
    const area = createPlane(size.width, size.height)
    for (const points of meshes)
      fillPolygon(
        area,
        outlineOf(points, 'face').map(({ x, y }) => ({ x: x * scale, y: y * scale })),
      )
    return area
  }
  const [face, faces] = [areaOf([own]), areaOf(others.map(({ points }) => points))]
  const chance = createPlane(size.width, size.height)
  for (let i = 0; i < chance.data.length; i++) {
    const [x, y] = [((i % size.width) + 0.5) / scale, (Math.floor(i / size.width) + 0.5) / scale]
    const away = headDistance(x, y, frame)
    const least = Math.min(...others.map((other) => headDistance(x, y, other.frame)))
    // The mesh of a face that another head covers continues on that head.
    const isFace = face.data[i] !== faces.data[i] && (face.data[i] === 1) === away < least
    chance.data[i] = isFace ? (face.data[i] as number) : 1 / (1 + Math.exp(seam.steep * (away - least)))
  }
  const small = resamplePart(picture, { x: 0, y: 0, width, height }, size.width, size.height)
  const side = segment(small, chance, { ...segmentDefaults, colour: seam.colour, limit: seam.limit })
  // Without threads and, where no edge leads it, the grid's steps.
  const smooth = feather(side, seam.smooth)
  const fine = resizeSmooth({ ...smooth, data: smooth.data.map((value) => ramp(0.4, 0.6, value)) }, width, height)
  const open = Uint8Array.from(fine.data, (value) => (value > 0 && value < 1 ? 1 : 0))
  filterGuided(picture, fine, seam.window, seam.epsilon, open)
  return fine
}

function headDistance(x: number, y: number, { centre, down, eyesToChin: unit, width }: HeadFrame): number {
  const [dx, dy] = [x - centre.x, y - centre.y]
  const below = (dx * down.x + dy * down.y) / (1.15 * unit)
  const beside = (dx * down.y - dy * down.x) / (0.62 * width)
  return Math.hypot(below + 0.05, beside)
}
