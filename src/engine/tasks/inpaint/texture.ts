import { boxBlur, createPlane } from '#engine/image/plane.ts'
import { calmDetail, continueGrain, hideSeam } from './blend.ts'
import { expectColours } from './expectation.ts'
import { channels, type Level, placeIn, reach, targetBox } from './level.ts'
import { createMatches, enlargeMatches, improve, type Matches, measure } from './matches.ts'
import { measurePredictability } from './predictability.ts'
import { predictRegions, regionColours, regionTrust } from './regions.ts'
import { repeatingShifts } from './repetition.ts'
import { continueLines } from './scratch.ts'
import { settleColours } from './settle.ts'
import { fillStructure, mirrorMargin } from './start.ts'
import { proposal, vote, weigh } from './vote.ts'

/**
 * Pixels to fill above which a resolution is searched less, and above which it only follows the
 * coarser one.
 */
const fullSearch = 50_000
const maxSearch = 150_000
/**
 * Rounds at the coarsest level, passes in the first of them and in the others, and how far around,
 * in pixels, they look. What fills a hole that is thin beside the level lies around it, so that its
 * first patches are near the best already.
 */
const startEffort = {
  thick: { rounds: 10, firstPasses: 8, passes: 2, radius: Number.POSITIVE_INFINITY },
  thin: { rounds: 6, firstPasses: 2, passes: 1, radius: 48 },
}
/**
 * Share of the expected colours where nothing can be predicted: the coarse levels keep brightness
 * and colour from going astray, while the finest keep all contrast of the texture.
 */
const restraint = (level: number): number => [0, 0.5][level] ?? 1

/**
 * Unpredictability, 0 to 1, from which the edge of the hole is left to the lines that run into it,
 * and the first patches are chosen by what regions foretell: below, patches know better.
 */
const fullChance = 0.5

/**
 * How much weaker than around the hole texture is expected where it is chance and uneven: of
 * patches that fit alike the calmer one is nearer to what was there, and brings fewer fragments of
 * things with it.
 */
const calmer = 0.4

/**
 * How much the most probable region counts before the others where the first patches are chosen,
 * and in the expected colours.
 */
const certainty = { patches: 6, colours: 3 }

/**
 * Level from which on patches must not repeat, and the picture's own repetitions are tried: the
 * finer ones only follow.
 */
const variedFrom = 2
const noShifts = new Int32Array(0)

/** How far around the hole, in pixels, texture is looked at. */
const ring = 12

/** Radius, in pixels, of the two means that leave what counts as low frequencies of a level. */
const lowReach = 2

/** Fills the hole of the finest level, the first, with patches of its surroundings. In place. */
export function fillTexture(
  levels: Level[],
  random: (limit: number) => number,
  checkpoint: (fraction: number) => void,
): void {
  const finest = levels[0] as Level
  const last = levels.length - 1
  const shifts = repeatingShifts(levels, random)
  const guided = levels.findIndex((level, l) => restraint(l) > 0 && level.targets.length <= maxSearch)
  const coarsest = levels[last] as Level
  const regions = predictRegions(coarsest)
  const guides = guided < 0 ? [] : levels.slice(guided)
  const expected = regions
    ? guides.map((level, n) => regionColours(level, regions, certainty.colours, last - guided - n))
    : expectColours(guides)
  const judged = levels[Math.max(0, guided)] as Level
  const unsure = unpredictability(judged, random)
  const chance = meanInHole(judged, unsure)
  const unevenness = textureUnevenness(judged)
  for (const [n, colours] of expected.entries()) {
    weakenTexture(colours, levels[guided + n] as Level, 1 - calmer * chance * unevenness)
  }
  const guess = regions ? regionColours(coarsest, regions, certainty.patches) : expected.at(-1)
  let matches: Matches = createMatches(coarsest)
  for (let l = last; l >= 0; l--) {
    checkpoint(1 - (l + 1) / levels.length)
    const level = levels[l] as Level
    if (l === last) {
      const unknown = Math.min(1, chance / fullChance) ** 2
      const sure = regions ? unknown * regions.clearness : 1
      matches = fillStructure(level, random, { guess, sure, nearby: !regions })
    } else {
      matches = enlargeMatches(levels[l + 1] as Level, matches, level, random)
      vote(level, matches)
      mirrorMargin(level)
    }
    if (level.targets.length > maxSearch) continue
    const colours = expected[l - guided]
    const open = colours && (l === guided ? unsure : unpredictability(level, random))
    const thorough = level.targets.length <= fullSearch
    const start = l === last ? (regions ? startEffort.thick : startEffort.thin) : undefined
    const rounds = start?.rounds ?? Math.min(thorough ? 6 : 2, 1 + l * 2)
    const usualPasses = start?.passes ?? (thorough ? 2 : 1)
    const widest = Math.max(level.width, level.height)
    for (let round = 0; round < rounds; round++) {
      measure(level, matches)
      const passes = start && round === 0 ? start.firstPasses : usualPasses
      for (let pass = 0; pass < passes; pass++) {
        improve(level, matches, {
          backwards: (round + pass) % 2 === 1,
          radius: Math.min(start?.radius ?? 8 << (2 * l), widest),
          shifts: start || l >= variedFrom ? (shifts[l] as Int32Array) : noShifts,
          varied: l >= variedFrom,
          random,
        })
      }
      vote(level, matches)
      if (colours && open) approach(level, colours, open, restraint(l))
      mirrorMargin(level)
    }
  }
  const [colours] = expected
  if (colours) {
    const trust = regions && regionTrust(judged, regions, last - guided)
    const settling = trust ? unsure.map((own, i) => own * (trust[i] as number)) : unsure
    settleColours(finest, { level: judged, halvings: guided, colours, chance: settling })
  }
  // The seam is judged by what is proposed beside the hole.
  const rim = { ...finest, targets: finest.targets.filter((i) => (finest.depth[i] as number) <= reach) }
  measure(rim, matches)
  const weights = weigh(rim, matches)
  hideSeam(finest, (i, out) => proposal(finest, matches, weights, i, out))
  continueGrain(finest, matches)
  calmDetail(finest)
  continueLines(finest, Math.min(1, chance / fullChance))
}

function meanInHole({ targets, hole }: Level, values: Float32Array): number {
  let sum = 0
  let count = 0
  for (const i of targets) {
    if (hole[i] === 0) continue
    sum += values[i] as number
    count++
  }
  return count > 0 ? sum / count : 0
}

/**
 * How unevenly texture lies around the hole: 0 where it is alike everywhere, as in a starry sky, so
 * that a calmer patch would show, and 1 where its lower quartile is at most half its mean, as where
 * flat and busy parts meet.
 */
function textureUnevenness({ width, pixels, hole, targets }: Level): number {
  const counts = new Float64Array(256)
  let [sum, count] = [0, 0]
  for (const i of targets) {
    for (const shift of [0, -ring, ring, -ring * width, ring * width]) {
      if (hole[i + shift] !== 0) continue
      const strength = pixels[channels * (i + shift) + 3] as number
      counts[strength] = (counts[strength] as number) + 1
      sum += strength
      count++
    }
  }
  let quartile = 0
  for (let below = counts[0] as number; 4 * below < count; below += counts[quartile] as number) quartile++
  return sum > 0 ? Math.min(1, Math.max(0, 2 - (2 * quartile * count) / sum) ** 2) : 0
}

/** Takes the expected strength of texture in the hole to a share of itself. */
function weakenTexture(colours: Uint8Array, { targets, hole }: Level, share: number): void {
  for (const i of targets) {
    if (hole[i] === 1) colours[channels * i + 3] = share * (colours[channels * i + 3] as number)
  }
}

function unpredictability(level: Level, random: (limit: number) => number): Float32Array {
  return measurePredictability(level, random).map((sure) => 1 - sure)
}

/**
 * Brings the estimate's low frequencies near the expected colours, so that patches chosen next keep
 * near them, and leaves it its texture: mixed in whole, colours that are smooth call for smooth
 * patches, round by round.
 */
function approach(level: Level, expected: Uint8Array, chance: Float32Array, share: number): void {
  const { pixels, hole, targets } = level
  const box = targetBox(level, 0)
  const inside = targets.filter((i) => hole[i] === 1)
  const places = inside.map((i) => placeIn(box, level, i))
  const plane = createPlane(box.width, box.height)
  const soften = (): Float32Array => boxBlur(boxBlur(plane, lowReach), lowReach).data
  for (let n = 0; n < places.length; n++) plane.data[places[n] as number] = 1
  const known = soften()
  for (let c = 0; c < channels; c++) {
    for (let n = 0; n < inside.length; n++) {
      const k = channels * (inside[n] as number) + c
      plane.data[places[n] as number] = (expected[k] as number) - (pixels[k] as number)
    }
    const lacking = soften()
    for (let n = 0; n < inside.length; n++) {
      const i = inside[n] as number
      const at = places[n] as number
      const step = (share * (chance[i] as number) * (lacking[at] as number)) / (known[at] as number)
      const value = (pixels[channels * i + c] as number) + step
      pixels[channels * i + c] = value < 0 ? 0 : value > 255 ? 255 : value + 0.5
    }
  }
}
