import type { Plane } from '#engine/image/picture.ts'
import { boxBlur, createPlane } from '#engine/image/plane.ts'
import { commonIn, type Face, nearestFace } from './faces.ts'
import { geodesicDistance, type StepCosts, stepsOver } from './geodesic.ts'
import { cutSegments, type Segments } from './segments.ts'

/** Ways from the face over soft shadows, and such that hardly cross an edge. */
const overSoftEdges: StepCosts = { step: 0.15, edge: 8, grain: 0.01, label: 2 }
const alongSharpEdges: StepCosts = { step: 0.1, edge: 20, grain: 0.02, label: 2 }

/** Tolerance and least area of segments, see `cutSegments`. */
const tolerance = 1.5
const leastPiece = 40

/**
 * What is known of every pixel: how near the face is by both kinds of ways, 0 to 1, and logarithms
 * of its coarser and finer texture.
 */
interface Seen {
  near: Float32Array
  nearer: Float32Array
  rough: Float32Array
  fine: Float32Array
  /** How much lighter than the face it belongs to. */
  lighter: Float32Array
}

/**
 * Probability of bare skin for what `person` covers, by a small network over what a pixel and the
 * piece between edges that it lies in are like next to the face: how light, how rough, how far
 * below, and how easily one gets there from the face's skin. Planes of one size; lightness 0 to 1,
 * `texture` its `roughness` within a hundredth of the longer side.
 */
export function bareSkin(lightness: Plane, texture: Plane, person: Plane, faces: readonly Face[]): Plane {
  const { width, height, data } = lightness
  const side = Math.max(width, height)
  const smooth = boxBlur(lightness, 1)
  const nearness = (costs: StepCosts) => nearnessOf(faces, lightness, smooth, person, costs)
  const seen: Seen = {
    near: nearness(overSoftEdges),
    nearer: nearness(alongSharpEdges),
    rough: logarithms(texture),
    fine: logarithms(grainOf(lightness, smooth, Math.max(2, Math.round(0.008 * side)))),
    lighter: new Float32Array(data.length),
  }
  const segments = cutSegments(smooth, person, tolerance, leastPiece)
  const shares = traitsOf(lightness, faces, seen, segments).map(answers)
  const chance = createPlane(width, height)
  for (let i = 0; i < data.length; i++) {
    const segment = segments.of[i] as number
    if (segment < 0) continue
    const lighter = seen.lighter[i] as number
    chance.data[i] = decide(shares[segment] as number[], lighter, seen.near[i] as number)
  }
  return chance
}

/** What the nodes of the network know by a piece alone. */
const answers = (segment: readonly number[]): number[] =>
  network.map(({ base, segment: weights }) =>
    weights.reduce((sum, weight, k) => sum + weight * (segment[k] as number), base),
  )

function decide(share: readonly number[], lighter: number, near: number): number {
  const same = equal(lighter)
  let score = bias
  for (let k = 0; k < network.length; k++) {
    const { pixel, out } = network[k] as Node
    score += out * Math.tanh((share[k] as number) + pixel[0] * lighter + pixel[1] * same + pixel[2] * near)
  }
  return 1 / (1 + Math.exp(-score))
}

/** 1 for skin exactly as light as the face's, 0 for what is far lighter or darker. */
const equal = (lighter: number) => Math.exp(-((lighter / 0.1) ** 2))

/**
 * What each piece is like in the mean: the network's input; notes how much lighter than its face
 * each pixel is.
 */
function traitsOf({ width, height, data }: Plane, faces: readonly Face[], seen: Seen, { of, count }: Segments) {
  const textures = new Map(faces.map((face) => [face, [meanIn(seen.rough, face), meanIn(seen.fine, face)] as const]))
  const traits = 8
  const sums = new Float64Array(traits * count)
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      const at = traits * (of[i] as number)
      if (at < 0) continue
      const face = nearestFace(faces, x, y)
      const [rough, fine] = textures.get(face) as readonly [number, number]
      const level = data[i] as number
      const lighter = level - face.level
      seen.lighter[i] = lighter
      const under = Math.min(4, Math.max(-0.2, (y - face.bottom) / face.tall))
      sums[at] = (sums[at] as number) + 1
      sums[at + 1] = (sums[at + 1] as number) + lighter
      sums[at + 2] = (sums[at + 2] as number) + lighter ** 2
      sums[at + 3] = (sums[at + 3] as number) + commonIn(face, level)
      sums[at + 4] = (sums[at + 4] as number) + (seen.nearer[i] as number)
      sums[at + 5] = (sums[at + 5] as number) + (seen.rough[i] as number) - rough
      sums[at + 6] = (sums[at + 6] as number) + (seen.fine[i] as number) - fine
      sums[at + 7] = (sums[at + 7] as number) + under
    }
  }
  return Array.from({ length: count }, (_, segment) => {
    const [area, ...own] = sums.subarray(traits * segment, traits * (segment + 1))
    const [lighter, square, ...rest] = own.map((sum) => sum / (area as number)) as [number, number, ...number[]]
    return [equal(lighter), ...rest, Math.sqrt(Math.max(0, square - lighter ** 2))]
  })
}

/**
 * How near each pixel is to bare skin of a face: 1 there, falling with the way; a step down a
 * face's height is the costs' step.
 */
function nearnessOf(
  faces: readonly Face[],
  lightness: Plane,
  smooth: Plane,
  person: Plane,
  costs: StepCosts,
): Float32Array {
  const distance = new Float32Array(lightness.data.length).fill(Number.POSITIVE_INFINITY)
  for (const { inside, level } of faces) {
    for (let i = 0; i < distance.length; i++) {
      if ((inside.data[i] as number) > 0 && Math.abs((lightness.data[i] as number) - level) < 0.2) distance[i] = 0
    }
  }
  const step = costs.step / Math.max(...faces.map(({ tall }) => tall))
  geodesicDistance(stepsOver(smooth, [person], { ...costs, step }), distance)
  return distance.map((way) => Math.exp(-way))
}

/** How much lightness differs from that right beside it. */
function grainOf({ width, height, data }: Plane, smooth: Plane, reach: number): Plane {
  const off = smooth.data.map((level, i) => Math.abs((data[i] as number) - level))
  return boxBlur({ width, height, data: off }, reach)
}

/** Textures differ by factors. */
const logarithms = ({ data }: Plane): Float32Array => data.map((value) => Math.log(value + 0.002))

function meanIn(values: Float32Array, { inside }: Face): number {
  let [sum, area] = [0, 0]
  for (let i = 0; i < values.length; i++) {
    if ((inside.data[i] as number) === 0) continue
    sum += values[i] as number
    area++
  }
  return sum / area
}

/**
 * One node of the network for bare skin: weights of what pixels and pieces are like, in the order
 * in which `bareSkin` knows it, and what follows.
 */
export interface Node {
  base: number
  pixel: readonly [lighter: number, equal: number, near: number]
  segment: readonly number[]
  out: number
}

// Fitted to the true colours of about ninety photographs of people: whether those of skin or of
// clothes are nearer.
export const bias = -0.85
export const network: readonly Node[] = [
  { base: -0.11, pixel: [2.62, -0.33, -0.35], segment: [0.64, -0.08, 0.11, 0.6, 0.22, 0.1, -1.24], out: -1.68 },
  { base: 1.92, pixel: [-0.15, -0.33, 1.11], segment: [-0.71, -1.14, 0.49, 0.24, 0.5, -0.2, -2.76], out: -1.49 },
  { base: 1.51, pixel: [0.41, -0.08, -1.68], segment: [0.03, 0.02, -1.01, 0.36, -0.79, 0.39, -0.45], out: -1.63 },
  { base: -0.63, pixel: [1.04, 0.56, 0.66], segment: [1.44, -0.03, 0.91, 0.33, 0.3, 0.31, 7.9], out: 2.03 },
]
