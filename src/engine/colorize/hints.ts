import type { Plane } from '../picture.ts'
import { boxBlur, copyPlane } from '../plane.ts'
import { rasterizeStrokes } from '../strokes.ts'
import { type Lab, labOfColour } from './lab.ts'
import { colourfulness, type Likely, type Sight } from './likely.ts'
import type { Belief } from './solve.ts'
import { stepsOver, travel } from './ways.ts'

/** A colour that a person put somewhere: a dot or a line of a width, x and y by turns, in pixels of the picture. */
export interface ColourHint {
  color: string
  size: number
  points: readonly number[]
}

/** How firmly a hint holds where it was drawn, and what follows from it elsewhere. */
const hintWeight = 40
const guessWeight = 0.3
/** Differences in lightness are long ways, in sides of the picture, and so are the outlines of people and of bare skin. */
const terrain = { edge: 4, grain: 0.015, label: 2 }
/**
 * How a pixel's chance to have a hint's colour falls, as logarithms, by the way from it, the straight distance, the differences in lightness, in
 * lightness around and in the share of people, and by how differently well the colours of both are known, which tells faces, hair, skin and clothes
 * apart, the more the less the colour is what the pixel's own kind has (`unlike`, for each unit of CIELAB). `nothing` is the chance to have another
 * colour than all hints, `sure` what the certainty of a face adds. Fitted to about ninety photographs of people with one to five hints.
 */
const odds = {
  way: 0.64,
  unit: 0.05,
  away: 2.2,
  level: 5.2,
  around: 2.2,
  person: 4.8,
  kind: 0.58,
  unlike: 0.107,
  nothing: -6,
  sure: 4.1,
}
/** Knowledge that is sure, and beyond which two pixels are of one kind. */
const surest = 0.3
const enough = 0.06
/** Chroma goes with lightness: a colour is weaker in highlights and in deep shade than where it was hinted. */
const fading = 0.7
const mostBody = 1.3

/** What pixels are compared by, planes of one size, and the colours that are guessed for them. */
interface Looks {
  guess: readonly [Plane, Plane]
  level: Plane
  around: Plane
  person: Plane
  kind: Plane
}
const looks = ['level', 'around', 'person', 'kind'] as const

/** All hints of one colour: where they are, in pixels of the planes, and what is below them in the mean. */
interface Seed extends Record<(typeof looks)[number], number> {
  lab: Lab
  spots: readonly (readonly [x: number, y: number])[]
  distance: Float32Array
}

/**
 * Puts hints among the beliefs about a reduced picture's colours, in place: firmly where they were drawn, and elsewhere each as far as a pixel is
 * likely to share its colour, with what was believed before as one more candidate. Ways are those of chrominance blending (Yatziv & Sapiro 2006), the
 * other differences those of appearance propagation (An & Pellacini 2008). `scale` is from the hints' pixels to the planes'; the belief's values are
 * red–green and yellow–blue by turns.
 */
export function placeHints(
  sight: Pick<Sight, 'lightness' | 'person'>,
  { skin }: Pick<Likely, 'skin'>,
  hints: readonly ColourHint[],
  scale: number,
  { values, weight }: Belief,
): void {
  if (hints.length === 0) return
  const { width, height } = sight.lightness
  const side = Math.max(width, height)
  const seen: Looks = {
    guess: [copyPlane(values[0] as Plane), copyPlane(values[1] as Plane)],
    level: boxBlur(sight.lightness, 1),
    around: boxBlur(sight.lightness, Math.max(2, Math.round(0.02 * side))),
    person: sight.person,
    kind: { width, height, data: weight.data.map((known) => Math.log(Math.min(enough, known) + 0.004)) },
  }
  const steps = stepsOver(seen.level, [sight.person, skin], { ...terrain, step: 1 / side })
  const marks = new Int16Array(width * height).fill(-1)
  const seeds: Seed[] = []
  for (const [color, own] of Map.groupBy(hints, (hint) => hint.color.toLowerCase())) {
    const strokes = own.map(({ size, points }) => ({ mode: 'keep', shape: 'line', size, points }) as const)
    const drawn = rasterizeStrokes(strokes, width, height, scale).data
    const seed = seedOf(drawn, seen, labOfColour(color), own, scale)
    if (!seed) continue
    for (let i = 0; i < drawn.length; i++) if (drawn[i] === 1) marks[i] = seeds.length
    travel(steps, seed.distance)
    seeds.push(seed)
  }
  for (let i = 0; i < marks.length; i++) {
    const level = seen.level.data[i] as number
    const known = weight.data[i] as number
    const mark = seeds[marks[i] as number]
    const { share, red, yellow } = mark
      ? { share: 1, red: mark.lab[1], yellow: mark.lab[2] }
      : blend(seeds, seen, i, known)
    const fade = 1 / colourfulness(level)
    for (const [k, { data }] of values.entries()) {
      data[i] = (1 - share) * (data[i] as number) + fade * (k % 2 === 0 ? red : yellow)
    }
    weight.data[i] = mark ? hintWeight : (1 - share) * known + share * guessWeight
  }
}

/** What lies below the hints of a colour; undefined where they are outside of the picture. */
function seedOf(
  drawn: Int8Array,
  seen: Looks,
  lab: Lab,
  hints: readonly ColourHint[],
  scale: number,
): Seed | undefined {
  const seed = { level: 0, around: 0, person: 0, kind: 0 }
  const distance = new Float32Array(drawn.length).fill(Number.POSITIVE_INFINITY)
  let area = 0
  for (let i = 0; i < drawn.length; i++) {
    if (drawn[i] !== 1) continue
    distance[i] = 0
    for (const look of looks) seed[look] += seen[look].data[i] as number
    area++
  }
  if (area === 0) return undefined
  for (const look of looks) seed[look] /= area
  const spots = hints.map(({ points }) => middleOf(points).map((at) => at * scale) as [number, number])
  return { ...seed, lab, spots, distance }
}

/** The middle of a line, x and y. */
function middleOf(points: readonly number[]): [number, number] {
  const middle: [number, number] = [0, 0]
  for (const [k, at] of points.entries()) middle[k % 2 === 0 ? 0 : 1] += (2 * at) / points.length
  return middle
}

/** How much a pixel follows the hints, and the colour that they give it, times that. */
function blend(seeds: readonly Seed[], seen: Looks, i: number, known: number) {
  const { width, height } = seen.level
  const [x, y] = [i % width, Math.floor(i / width)]
  const level = seen.level.data[i] as number
  const body = bodyOf(level)
  const nothing = Math.exp(odds.nothing + odds.sure * Math.min(1, known / surest)) / seeds.length
  let [sum, red, yellow] = [nothing, 0, 0]
  for (const seed of seeds) {
    const away = Math.min(...seed.spots.map(([u, v]) => Math.hypot(x - u, y - v))) / Math.max(width, height)
    const unlike = Math.hypot(
      (seen.guess[0].data[i] as number) - seed.lab[1],
      (seen.guess[1].data[i] as number) - seed.lab[2],
    )
    const chance =
      (1 + (seed.distance[i] as number) / odds.unit) ** -odds.way *
      Math.exp(
        -odds.away * away -
          odds.level * Math.abs(level - seed.level) -
          odds.around * Math.abs((seen.around.data[i] as number) - seed.around) -
          odds.person * Math.abs((seen.person.data[i] as number) - seed.person) -
          (odds.kind + odds.unlike * unlike) * Math.abs((seen.kind.data[i] as number) - seed.kind),
      )
    const strength = chance * Math.min(mostBody, (body / bodyOf(seed.level)) ** fading)
    sum += chance
    red += strength * seed.lab[1]
    yellow += strength * seed.lab[2]
  }
  return { share: 1 - nothing / sum, red: red / sum, yellow: yellow / sum }
}

const bodyOf = (level: number) => Math.max(0.08, 4 * level * (1 - level))
