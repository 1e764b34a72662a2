import { bound, network, shift, straight, unbound } from './affinity-network.ts'
import type { ColourEstimate, Traits } from './colour-estimate.ts'

/**
 * What pixels are compared by, side by side for each pixel, and the colours that are guessed for
 * them, two for each variant.
 */
export interface PixelFeatures {
  traits: Float32Array
  /** Red–green and yellow–blue as they will be seen, side by side for each pixel. */
  guesses: Float32Array
  guessed: number
  size: number
}

/**
 * A hint's colour (red–green, yellow–blue), what is below it in the mean, and ways from it over
 * soft and along sharp edges.
 */
export interface HintFeatures {
  colour: readonly [a: number, b: number]
  traits: Float32Array
  guesses: Float32Array
  /** How much chroma there is room for there. */
  body: number
  ways: readonly [Float32Array, Float32Array]
  /** How much lightness ranges on the way there, for every second pixel in either direction. */
  barrier: Float32Array
  spots: readonly (readonly [x: number, y: number])[]
}

/** Which pixel is asked about. */
export interface QueriedPixel {
  i: number
  /** Its index among every second pixel in either direction. */
  coarse: number
  /** In pixels, and the picture's longer side. */
  x: number
  y: number
  side: number
  /** How certain its guess is. */
  known: number
}

/** Traits by which pixels are compared, and the most that two of them differ by. */
const compared: readonly (readonly [keyof Traits | 'kind' | 'skin', number])[] = [
  ['level', 1],
  ['near', 1],
  ['wide', 1],
  ['texture', 9],
  ['folds', 9],
  ['person', 1],
  ['kind', 9],
  ['bare', 1],
  ['skin', 1],
  ['face', 1],
  ['under', 3],
  ['aside', 2],
  ['lips', 1],
  ['eyes', 1],
  ['brows', 1],
]
export const traitCount = compared.length
const [personAt, kindAt, bareAt, skinAt] = [5, 6, 7, 8] as const
/** The last three count as one. */
const alone = traitCount - 3
/** Certainty beyond which two pixels are of one kind, and that of faces. */
const enough = 0.06
const surest = 0.3
/** The most that chroma grows by where there is more room for it. */
const mostBody = 1.3
/** Ways are told apart by factors from this on, in sides of the picture. */
const unit = 0.05
const farthest = 50
/** Barriers are told apart by factors from this lightness on. */
const leastBarrier = 0.03

/**
 * What pixels are compared by; `guesses` are planes of the belief, red–green and yellow–blue by
 * turns, `faded` how much of them will be seen.
 */
export function featuresOf(
  traits: Traits,
  { weight, skin }: Pick<ColourEstimate, 'weight' | 'skin'>,
  guesses: readonly Float32Array[],
  faded: (level: number) => number,
): PixelFeatures {
  const size = weight.data.length
  const planes: Record<string, Float32Array> = {
    ...traits,
    kind: weight.data.map((known) => Math.log(Math.min(enough, known) + 0.004)),
    skin: skin.data,
  }
  const features = {
    traits: new Float32Array(traitCount * size),
    guesses: new Float32Array(guesses.length * size),
    guessed: guesses.length,
    size,
  }
  for (const [k, [name]] of compared.entries()) {
    const plane = planes[name] as Float32Array
    for (let i = 0; i < size; i++) features.traits[traitCount * i + k] = plane[i] as number
  }
  for (let i = 0; i < size; i++) {
    const seen = faded(traits.level[i] as number)
    for (const [k, plane] of guesses.entries()) features.guesses[guesses.length * i + k] = seen * (plane[i] as number)
  }
  return features
}

/**
 * What a pixel among hints takes: of all hints, and of what was guessed, each as likely as a small
 * network finds by ways, places and traits that they belong together; a hint also shifts the guess
 * by as much as it was wrong below the hint. Ways are those of chrominance blending (Yatziv &
 * Sapiro 2006), the other differences those of appearance propagation (An & Pellacini 2008). Into
 * `out` go the colours from hints, red–green and yellow–blue by turns, then how much of the pixel's
 * own guess comes on top, and how much of all that follows hints.
 */
export function mix(
  seeds: readonly HintFeatures[],
  features: PixelFeatures,
  place: QueriedPixel,
  out: Float32Array,
): void {
  const { i, known } = place
  const own = traitCount * i
  const trait = (k: number) => features.traits[own + k] as number
  const a = features.guesses[features.guessed * i] as number
  const b = features.guesses[features.guessed * i + 1] as number
  const loose =
    unbound[0] * Math.min(1, Math.max(0, known / surest)) +
    unbound[1] * trait(personAt) +
    unbound[2] * trait(bareAt) +
    unbound[3] * trait(skinAt) +
    unbound[4] * 0.05 * distance(a, b)
  const nothing = Math.exp(bound + loose) / seeds.length
  const body = bodyOf(trait(0))
  let [sum, kept] = [nothing, nothing]
  out.fill(0)
  for (const seed of seeds) {
    compare(seed, features, place)
    const chance = Math.exp(scoreOf())
    const shifted = 1 / (1 + Math.exp(-weigh(shift)))
    const full = shifted + (1 - shifted) * Math.min(mostBody, body / seed.body)
    for (let k = 0; k < features.guessed; k++) {
      const colour = full * (seed.colour[(k % 2) as 0 | 1] as number) - shifted * (seed.guesses[k] as number)
      out[k] = (out[k] as number) + chance * colour
    }
    sum += chance
    kept += chance * shifted
  }
  for (let k = 0; k < features.guessed; k++) out[k] = (out[k] as number) / sum
  out[features.guessed] = kept / sum
  out[features.guessed + 1] = 1 - nothing / sum
}

/**
 * Chroma goes with lightness: a colour is weaker in highlights and in deep shade than where it was
 * hinted.
 */
export const bodyOf = (level: number) => Math.max(0.08, 4 * level * (1 - level)) ** 0.7

function awayFrom(spots: HintFeatures['spots'], x: number, y: number): number {
  let least = Number.POSITIVE_INFINITY
  for (const spot of spots) least = Math.min(least, (x - spot[0]) ** 2 + (y - spot[1]) ** 2)
  return Math.sqrt(least)
}

/** The network's input: how much a pixel differs from what is below a hint. */
const given = new Float32Array(9 + alone)

function compare(
  { colour, traits, guesses, ways, barrier, spots }: HintFeatures,
  features: PixelFeatures,
  place: QueriedPixel,
): void {
  const { i, coarse, x, y, side } = place
  const own = traitCount * i
  const a = features.guesses[features.guessed * i] as number
  const b = features.guesses[features.guessed * i + 1] as number
  const below = guesses[0] as number
  const beside = guesses[1] as number
  given[0] = awayFrom(spots, x, y) / side
  given[1] = Math.log(1 + Math.min(farthest, ways[0][i] as number) / unit)
  given[2] = Math.log(1 + Math.min(farthest, ways[1][i] as number) / unit)
  let parts = 0
  for (let k = 0; k < traitCount; k++) {
    const off = Math.abs((features.traits[own + k] as number) - (traits[k] as number))
    if (k < alone) given[3 + k] = Math.min(most[k] as number, off)
    else parts += off
  }
  const unlike = 0.05 * distance(a - colour[0], b - colour[1])
  given[3 + alone] = parts
  given[4 + alone] = unlike
  given[5 + alone] = unlike * (given[3 + kindAt] as number)
  given[6 + alone] = 0.1 * distance(a - below, b - beside)
  given[7 + alone] = 0.05 * distance(colour[0] - below, colour[1] - beside)
  given[8 + alone] = Math.log(1 + (barrier[coarse] as number) / leastBarrier)
}

const most = Float32Array.from(compared, ([, value]) => value)
const distance = (x: number, y: number) => Math.sqrt(x * x + y * y)

function weigh({ base, weights }: { base: number; weights: readonly number[] }): number {
  let sum = base
  for (let k = 0; k < given.length; k++) sum += (weights[k] as number) * (given[k] as number)
  return sum
}

function scoreOf(): number {
  let score = weigh(straight)
  for (const node of network) {
    const sum = weigh(node)
    score += (node.out * sum) / (1 + Math.abs(sum))
  }
  return score
}
