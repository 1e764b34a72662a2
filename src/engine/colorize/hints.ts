import { boxBlur, createPlane } from '../plane.ts'
import { rasterizeStrokes } from '../strokes.ts'
import { type Lab, labOfColour } from './lab.ts'
import type { Likely, Sight } from './likely.ts'
import type { Belief } from './solve.ts'
import { stepsOver, travel } from './ways.ts'

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
/** Differences in lightness are long ways, in sides of the picture, and so are the outlines of people and of bare skin. */
const terrain = { edge: 4, grain: 0.015, label: 2 }
/** Beyond this distance, in sides of the picture, and this difference in lightness, what a hint says fades. */
const reach = 1.8
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
 * crosses few edges (chrominance blending by intrinsic distance, Yatziv & Sapiro 2006). `scale` is from the hints' pixels to the planes'; the belief's
 * values are red–green and yellow–blue by turns.
 */
export function placeHints(
  { lightness, person }: Pick<Sight, 'lightness' | 'person'>,
  { skin }: Pick<Likely, 'skin'>,
  hints: readonly ColourHint[],
  scale: number,
  { values, weight }: Belief,
): void {
  if (hints.length === 0) return
  const { width, height } = lightness
  const count = width * height
  const smooth = boxBlur(lightness, 1)
  const steps = stepsOver(smooth, [person, skin], { ...terrain, step: 1 / Math.max(width, height) })
  const seeds: Seed[] = []
  const marks = createPlane(width, height, -1)
  for (const [color, own] of Map.groupBy(hints, (hint) => hint.color.toLowerCase())) {
    const strokes = own.map(({ size, points }) => ({ mode: 'keep', shape: 'line', size, points }) as const)
    const drawn = rasterizeStrokes(strokes, width, height, scale).data
    const distance = new Float32Array(count).fill(Number.POSITIVE_INFINITY)
    let [sum, area] = [0, 0]
    for (let i = 0; i < count; i++) {
      if (drawn[i] !== 1) continue
      distance[i] = 0
      marks.data[i] = seeds.length
      sum += smooth.data[i] as number
      area++
    }
    if (area === 0) continue
    travel(steps, distance)
    seeds.push({ lab: labOfColour(color), level: sum / area, distance })
  }
  for (let i = 0; i < count; i++) {
    const mark = seeds[marks.data[i] as number]
    const { share, colour } = mark
      ? { share: 1, colour: [mark.lab[1], mark.lab[2]] as const }
      : blend(seeds, i, smooth.data[i] as number)
    const known = weight.data[i] as number
    const follow = mark ? 1 : share * (known > 0.1 ? 0.2 : 1)
    for (const [k, { data }] of values.entries()) {
      data[i] = (data[i] as number) * (1 - follow) + follow * (colour[k % 2] as number)
    }
    weight.data[i] = mark ? hintWeight : known * yielding + guessWeight * (0.3 + 0.7 * follow)
  }
}

/** The colour that hints give a pixel, and how much it should follow them. */
function blend(seeds: readonly Seed[], i: number, level: number): { share: number; colour: readonly [number, number] } {
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
  return sum > 0 ? { share: Math.min(1, 1.5 * best), colour: [red / sum, yellow / sum] } : { share: 0, colour: [0, 0] }
}

const bodyOf = (level: number) => Math.max(0.08, 4 * level * (1 - level))
