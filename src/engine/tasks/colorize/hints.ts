import type { Plane } from '#engine/image/picture.ts'
import { boxBlur, createPlane, resizeSmooth, shrink } from '#engine/image/plane.ts'
import { rasterizeStrokes } from '#engine/image/strokes.ts'
import { bodyOf, featuresOf, type HintFeatures, mix, type PixelFeatures, traitCount } from './affinity.ts'
import { type ColourEstimate, colourfulness, type Observations, traitsOf, withOutlines } from './colour-estimate.ts'
import { geodesicDistance, leastRange, type StepCosts, type Steps, stepsOver } from './geodesic.ts'
import { labOfColour } from './lab.ts'
import type { Belief } from './solve.ts'

/**
 * A colour that a person put somewhere: a dot or a line of a width, x and y by turns, in pixels of
 * the picture.
 */
export interface ColourHint {
  color: string
  size: number
  points: readonly number[]
}

/** How firmly a hint holds where it was drawn, and what follows from it elsewhere. */
const hintWeight = 40
const guessWeight = 0.3
/**
 * Ways over soft shades, which the outlines of people and of bare skin make longer, and such that
 * hardly cross an edge; for a side of the picture.
 */
const overSoftEdges: StepCosts = { step: 1, edge: 4, grain: 0.015, label: 2 }
const alongSharpEdges: StepCosts = { step: 0.3, edge: 20, grain: 0.02, label: 2 }

/**
 * Puts hints among the beliefs about a reduced picture's colours, in place: firmly where they were
 * drawn, and elsewhere each as far as a pixel is likely to share its colour (see `mix`), with what
 * was believed before as one more candidate. `scale` is from the hints' pixels to the planes'; the
 * belief's values are red–green and yellow–blue by turns.
 */
export function placeHints(
  observed: Observations,
  estimate: ColourEstimate,
  hints: readonly ColourHint[],
  scale: number,
  { values, weight }: Belief,
): void {
  if (hints.length === 0) return
  const { width, height } = observed.lightness
  const side = Math.max(width, height)
  const planes = values.map(({ data }) => data)
  const features = featuresOf(
    estimate.traits ?? traitsOf(observed, undefined),
    { ...estimate, weight },
    planes,
    colourfulness,
  )
  const level = boxBlur(observed.lightness, 1)
  const coarse = shrink(withOutlines(observed), ...halfOf(level))
  const steps = [
    stepsOver(level, [observed.person, estimate.skin], { ...overSoftEdges, step: overSoftEdges.step / side }),
    stepsOver(level, [observed.person], { ...alongSharpEdges, step: alongSharpEdges.step / side }),
  ] as const
  const marks = new Int16Array(width * height).fill(-1)
  const seeds: HintFeatures[] = []
  for (const [color, own] of Map.groupBy(hints, (hint) => hint.color.toLowerCase())) {
    const strokes = own.map(({ size, points }) => ({ mode: 'keep', shape: 'line', size, points }) as const)
    const drawn = rasterizeStrokes(strokes, width, height, scale).data
    if (!drawn.includes(1)) continue
    for (let i = 0; i < drawn.length; i++) if (drawn[i] === 1) marks[i] = seeds.length
    const [, a, b] = labOfColour(color)
    const spots = own.map(({ points }) => middleOf(points).map((at) => at * scale) as [number, number])
    seeds.push({
      colour: [a, b],
      spots,
      ...below(drawn, features),
      ways: [waysFrom(drawn, steps[0]), waysFrom(drawn, steps[1])],
      barrier: barrierAround(drawn, width, coarse),
    })
  }
  if (seeds.length === 0) return
  const mixed = mixAll(seeds, features, weight, side)
  for (let i = 0; i < marks.length; i++) {
    const mark = seeds[marks[i] as number]
    const fade = 1 / colourfulness(observed.lightness.data[i] as number)
    const own = mark ? 0 : (mixed[values.length]?.data[i] as number)
    for (const [k, { data }] of values.entries()) {
      const colour = mark ? mark.colour[(k % 2) as 0 | 1] : (mixed[k]?.data[i] as number)
      data[i] = fade * colour + own * (data[i] as number)
    }
    const share = mixed[values.length + 1]?.data[i] as number
    weight.data[i] = mark ? hintWeight : (1 - share) * (weight.data[i] as number) + share * guessWeight
  }
}

/** What all pixels take, see `mix`; found for every second one in either direction. */
function mixAll(seeds: readonly HintFeatures[], features: PixelFeatures, weight: Plane, side: number): Plane[] {
  const [width, height] = halfOf(weight)
  const out = new Float32Array(features.guessed + 2)
  const planes = Array.from(out, () => createPlane(width, height))
  for (let v = 0, j = 0; v < height; v++) {
    for (let u = 0; u < width; u++, j++) {
      const i = 2 * (v * weight.width + u)
      mix(seeds, features, { i, coarse: j, x: 2 * u, y: 2 * v, side, known: weight.data[i] as number }, out)
      for (const [k, plane] of planes.entries()) plane.data[j] = out[k] as number
    }
  }
  return planes.map((plane) => resizeSmooth(plane, weight.width, weight.height))
}

/** Width and height of a plane for every second pixel in either direction. */
const halfOf = ({ width, height }: Plane) => [Math.ceil(width / 2), Math.ceil(height / 2)] as const

/** What lies below the hints of a colour, in the mean. */
function below(drawn: Int8Array, features: PixelFeatures): Pick<HintFeatures, 'traits' | 'guesses' | 'body'> {
  const traits = new Float32Array(traitCount)
  const guesses = new Float32Array(features.guessed)
  let area = 0
  for (let i = 0; i < drawn.length; i++) {
    if (drawn[i] !== 1) continue
    for (let k = 0; k < traitCount; k++)
      traits[k] = (traits[k] as number) + (features.traits[traitCount * i + k] as number)
    for (let k = 0; k < features.guessed; k++) {
      guesses[k] = (guesses[k] as number) + (features.guesses[features.guessed * i + k] as number)
    }
    area++
  }
  for (const sums of [traits, guesses]) for (let k = 0; k < sums.length; k++) sums[k] = (sums[k] as number) / area
  return { traits, guesses, body: bodyOf(traits[0] as number) }
}

function waysFrom(drawn: Int8Array, steps: Steps): Float32Array {
  const distance = Float32Array.from(drawn, (mark) => (mark === 1 ? 0 : Number.POSITIVE_INFINITY))
  geodesicDistance(steps, distance)
  return distance
}

/** What parts every second pixel of rows `width` wide from what is drawn, see `leastRange`. */
function barrierAround(drawn: Int8Array, width: number, coarse: Plane): Float32Array {
  const barrier = new Float32Array(coarse.data.length).fill(Number.POSITIVE_INFINITY)
  for (let i = 0; i < drawn.length; i++) {
    if (drawn[i] === 1) barrier[((i / width) >> 1) * coarse.width + ((i % width) >> 1)] = 0
  }
  leastRange(coarse, barrier)
  return barrier
}

/** The middle of a line, x and y. */
function middleOf(points: readonly number[]): [number, number] {
  const middle: [number, number] = [0, 0]
  for (const [k, at] of points.entries()) middle[k % 2 === 0 ? 0 : 1] += (2 * at) / points.length
  return middle
}
