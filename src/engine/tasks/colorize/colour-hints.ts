import { weightedMean } from '#engine/image/numbers.ts'
import type { Plane } from '#engine/image/picture.ts'
import { boxBlur } from '#engine/image/plane.ts'
import { roughness } from '#engine/image/smooth-map.ts'
import { rasterizeStrokes } from '#engine/image/strokes.ts'
import type { Stroke } from '#shared/media.ts'
import { labOfColour } from './lab.ts'
import type { LikelyColours, Observations } from './likely-colours.ts'
import { geodesicDistance, geodesicSteps, type KnownColours, type StepCosts } from './spread-colours.ts'

/**
 * Dot or line of the given width (default), or filled outline. `points` alternates x and y in
 * pixels of the picture.
 */
export interface ColourHint {
  color: string
  shape?: Stroke['shape']
  size: number
  points: readonly number[]
}

const hintWeight = 40
const followWeight = 0.3

/** Costs of distances from hints, in sides of the picture; outlines add to them. */
const hintStepCosts: StepCosts = { step: 2, edge: 3, grain: 0.015, label: 0.4 }
/** Distance beyond which hints lose against nearer ones, and the power of that falloff. */
const falloffStart = 0.1
const falloffPower = 1.5
/** Differences from the area below a hint that reduce the likelihood of its colour to 1/e. */
const tolerance = { lightness: 0.12, surroundings: 0.5, texture: 1.2, person: 0.3, skin: 0.4 } as const
/** Likelihood of keeping a colour beside hints, if it was unknown and if it was certain. */
const keptShare = [0.005, 0.2] as const
/** Largest growth of chroma where the lightness has more room for it than below the hint. */
const mostGrowth = 1.3

interface DrawnHint {
  colour: readonly [a: number, b: number]
  /** Means of the `compared` planes below the hint, in their order. */
  below: readonly number[]
  distance: Float32Array
  room: number
}

/**
 * Merges hints into the beliefs about colours, in place: fixed where drawn, elsewhere by geodesic
 * distance (chrominance blending, Yatziv & Sapiro 2006) and similar appearance (An & Pellacini
 * 2008). `scale` converts hints to planes; values alternate red–green and yellow–blue; `shown` is
 * the share of chroma visible at a lightness.
 */
export function applyHints(
  { lightness, person }: Observations,
  { skin }: LikelyColours,
  hints: readonly ColourHint[],
  scale: number,
  { values, weight }: KnownColours,
  shown: (level: number) => number,
): void {
  const { width, height, data } = lightness
  const side = Math.max(width, height)
  const reach = Math.max(2, Math.round(0.02 * side))
  const texture = roughness(lightness, reach).data.map((value) => Math.log(value + 0.004))
  const compared: readonly (readonly [Float32Array, number])[] = [
    [data, tolerance.lightness],
    [boxBlur(lightness, 2 * reach).data, tolerance.surroundings],
    [texture, tolerance.texture],
    [person.data, tolerance.person],
    [skin.data, tolerance.skin],
  ]
  const steps = geodesicSteps(boxBlur(lightness, 1), [person, skin], {
    ...hintStepCosts,
    step: hintStepCosts.step / side,
  })
  const marks = new Int16Array(width * height).fill(-1)
  const drawnHints: DrawnHint[] = []
  for (const [color, own] of Map.groupBy(hints, (hint) => hint.color.toLowerCase())) {
    const strokes = own.map(({ shape = 'line', size, points }) => ({ mode: 'keep', shape, size, points }) as const)
    const drawn = rasterizeStrokes(strokes, width, height, scale).data
    if (!drawn.includes(1)) continue
    for (let i = 0; i < drawn.length; i++) if (drawn[i] === 1) marks[i] = drawnHints.length
    const distance = Float32Array.from(drawn, (mark) => (mark === 1 ? 0 : Number.POSITIVE_INFINITY))
    geodesicDistance(steps, distance)
    const below = compared.map(([plane]) => weightedMean(plane, drawn))
    const [, a, b] = labOfColour(color)
    drawnHints.push({ colour: [a, b], below, distance, room: chromaRoom(below[0] as number) })
  }
  for (let i = 0; i < marks.length && drawnHints.length > 0; i++) {
    const level = data[i] as number
    const mark = drawnHints[marks[i] as number]
    const mixed = mark ? { a: mark.colour[0], b: mark.colour[1], share: 1 } : mixedAt(i, drawnHints, compared, weight)
    for (const [k, plane] of values.entries()) {
      const colour = (k % 2 === 0 ? mixed.a : mixed.b) / shown(level)
      plane.data[i] = colour + (1 - mixed.share) * (plane.data[i] as number)
    }
    const known = weight.data[i] as number
    weight.data[i] = mark ? hintWeight : (1 - mixed.share) * known + mixed.share * followWeight
  }
}

/** Colours are weaker in highlights and in deep shade. */
const chromaRoom = (level: number) => Math.max(0.08, 4 * level * (1 - level)) ** 0.7

function mixedAt(
  i: number,
  drawnHints: readonly DrawnHint[],
  compared: readonly (readonly [Float32Array, number])[],
  weight: Plane,
): { a: number; b: number; share: number } {
  const room = chromaRoom(compared[0]?.[0][i] as number)
  const known = Math.min(1, (weight.data[i] as number) / 0.5)
  const kept = (keptShare[0] + (keptShare[1] - keptShare[0]) * known) / drawnHints.length
  let [a, b, sum] = [0, 0, 0]
  for (const { colour, below, distance, room: own } of drawnHints) {
    let away = falloffPower * Math.log(1 + (distance[i] as number) / falloffStart)
    for (let k = 0; k < compared.length; k++) {
      const [plane, scale] = compared[k] as (typeof compared)[number]
      away += Math.abs((plane[i] as number) - (below[k] as number)) / scale
    }
    const chance = Math.exp(-away)
    const grown = chance * Math.min(mostGrowth, room / own)
    a += grown * colour[0]
    b += grown * colour[1]
    sum += chance
  }
  const all = sum + kept
  return { a: a / all, b: b / all, share: sum / all }
}
