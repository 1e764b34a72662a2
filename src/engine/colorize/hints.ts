import type { Plane } from '../picture.ts'
import { boxBlur, createPlane } from '../plane.ts'
import { rasterizeStrokes } from '../strokes.ts'
import { type Lab, labOfColour } from './lab.ts'
import type { Sight } from './priors.ts'
import type { Belief } from './solve.ts'

/** A colour that a person put somewhere: a dot or a line of a width, x and y by turns, in pixels of the picture. */
export interface ColourHint {
  color: string
  size: number
  points: readonly number[]
}

/** How firmly hints hold, and how much the guesses about faces and surroundings yield to them. */
const hintWeight = 40
const yielding = 0.5
const guessWeight = 0.5
/** What a difference in lightness of 1 between two pixels adds to the way, in sides of the picture; grain adds nothing. */
const edgeCost = 4
const grain = 0.015
/** What the outline of a person adds. */
const outlineCost = 2
/** Beyond this distance, in sides of the picture, and this difference in lightness, what a hint says fades. */
const reach = 1.3
const alike = 0.28

/** All hints of one colour. */
interface Seed {
  lab: Lab
  /** Mean lightness below the hints, 0 to 1. */
  level: number
  distance: Float32Array
}

/**
 * Puts hints among the beliefs about a reduced picture's colours, in place: firmly where they were drawn, and as a guess wherever the way from them
 * crosses few edges (chrominance blending by intrinsic distance, Yatziv & Sapiro 2006). `scale` is from the hints' pixels to the planes'.
 */
export function placeHints(
  { lightness, person }: Pick<Sight, 'lightness' | 'person'>,
  hints: readonly ColourHint[],
  scale: number,
  a: Belief,
  b: Belief,
): void {
  if (hints.length === 0) return
  const { width, height, data } = lightness
  const smooth = boxBlur(lightness, 1)
  const byColour = Map.groupBy(hints, ({ color }) => color.toLowerCase())
  const seeds: Seed[] = []
  const marks = createPlane(width, height, -1)
  for (const [color, own] of byColour) {
    const strokes = own.map(({ size, points }) => ({ mode: 'keep', shape: 'line', size, points }) as const)
    const drawn = rasterizeStrokes(strokes, width, height, scale).data
    const distance = new Float32Array(data.length).fill(Number.POSITIVE_INFINITY)
    let [sum, count] = [0, 0]
    for (let i = 0; i < data.length; i++) {
      if (drawn[i] !== 1) continue
      distance[i] = 0
      marks.data[i] = seeds.length
      sum += smooth.data[i] as number
      count++
    }
    if (count === 0) continue
    travel(smooth, person, distance)
    seeds.push({ lab: labOfColour(color), level: sum / count, distance })
  }
  for (let i = 0; i < data.length; i++) {
    const mark = seeds[marks.data[i] as number]
    if (mark) {
      a.value.data[i] = mark.lab[1]
      b.value.data[i] = mark.lab[2]
      a.weight.data[i] = hintWeight
      continue
    }
    blend(seeds, i, smooth.data[i] as number, a, b)
  }
}

function blend(seeds: readonly Seed[], i: number, level: number, a: Belief, b: Belief): void {
  let [sum, red, yellow, best] = [0, 0, 0, 0]
  for (const { lab, level: own, distance } of seeds) {
    const far = distance[i] as number
    const like = Math.exp(-(((level - own) / alike) ** 2))
    const weight = like / (far * far + 1e-4) ** 1.5
    sum += weight
    // Chroma goes with lightness: a colour is weaker in highlights and in deep shade than where it was hinted.
    const body = Math.min(1.25, Math.sqrt(bodyOf(level) / bodyOf(own)))
    red += weight * lab[1] * body
    yellow += weight * lab[2] * body
    best = Math.max(best, like * Math.exp(-((far / reach) ** 2)))
  }
  const known = a.weight.data[i] as number
  const follow = Math.min(1, 1.25 * best) * (known > 0.1 ? 0.2 : 1)
  if (sum > 0) {
    a.value.data[i] = (a.value.data[i] as number) * (1 - follow) + (follow * red) / sum
    b.value.data[i] = (b.value.data[i] as number) * (1 - follow) + (follow * yellow) / sum
  }
  a.weight.data[i] = known * yielding + guessWeight * (0.3 + 0.7 * follow)
}

const bodyOf = (level: number) => Math.max(0.08, 4 * level * (1 - level))

/** Shortest ways over the picture, in its longer sides, where edges are long ways: raster scans in four directions (Toivanen 1996). */
function travel({ width, height, data }: Plane, person: Plane, distance: Float32Array): void {
  const step = 1 / Math.max(width, height)
  const cost = (i: number, j: number) =>
    step +
    edgeCost * Math.max(0, Math.abs((data[i] as number) - (data[j] as number)) - grain) +
    outlineCost * Math.abs((person.data[i] as number) - (person.data[j] as number))
  const relax = (i: number, j: number) => {
    const way = (distance[j] as number) + cost(i, j)
    if (way < (distance[i] as number)) distance[i] = way
  }
  for (let round = 0; round < 3; round++) {
    for (let y = 0; y < height; y++) {
      for (let x = 0, i = y * width; x < width; x++, i++) {
        if (x > 0) relax(i, i - 1)
        if (y > 0) relax(i, i - width)
      }
      for (let x = width - 2, i = y * width + x; x >= 0; x--, i--) relax(i, i + 1)
    }
    for (let y = height - 1; y >= 0; y--) {
      for (let x = width - 1, i = y * width + x; x >= 0; x--, i--) {
        if (x + 1 < width) relax(i, i + 1)
        if (y + 1 < height) relax(i, i + width)
      }
      for (let x = 1, i = y * width + 1; x < width; x++, i++) relax(i, i - 1)
    }
  }
}
