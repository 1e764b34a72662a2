import { createPlane } from '#engine/image/picture.ts'
import { feather } from '#engine/image/plane.ts'
import { continueGrain, hideSeam, reduceDetail } from './blend.ts'
import { estimateHoleColours } from './expected-colours.ts'
import {
  enlargeMatches,
  improveMatches,
  type Matches,
  patchWeights,
  proposedColour,
  randomMatches,
  updateDifferences,
  voteColours,
} from './matches.ts'
import { channels, indexInBox, mirrorMargin, type PyramidLevel, patchRadius, targetBox } from './pyramid.ts'
import { extrapolateLines } from './scratch.ts'

/** Pixels to fill above which a level is searched less, and above which not at all. */
const fullSearch = 50_000
const maxSearch = 150_000
/** Effort at the coarsest level: rounds, passes in the first and other rounds, radius in pixels. */
const startEffort = { rounds: 10, firstPasses: 8, passes: 2, radius: Number.POSITIVE_INFINITY }
/** Coarse levels prevent drift of brightness and colour; the finest keeps the full contrast. */
const colourShare = (level: number): number => [0, 0.25][level] ?? 0.5
/** Radius, in pixels, of the blur that separates a level's low frequencies. */
const lowReach = 2

/** Fills the hole of the finest (first) level with patches of its surroundings, in place. */
export function fillTexture(
  levels: PyramidLevel[],
  random: (limit: number) => number,
  checkpoint: (fraction: number) => void,
): void {
  const finest = levels[0] as PyramidLevel
  const last = levels.length - 1
  const guided = levels.findIndex((level, l) => l === last || (colourShare(l) > 0 && level.targets.length <= maxSearch))
  const expected = estimateHoleColours(levels.slice(guided))
  const coarsest = levels[last] as PyramidLevel
  coarsest.pixels.set(expected.at(-1) as Uint8Array)
  let matches = randomMatches(coarsest, random)
  for (let l = last; l >= 0; l--) {
    checkpoint(1 - (l + 1) / levels.length)
    const level = levels[l] as PyramidLevel
    if (l < last) {
      matches = enlargeMatches(levels[l + 1] as PyramidLevel, matches, level, random)
      voteColours(level, matches)
    }
    mirrorMargin(level)
    if (level.targets.length > maxSearch) continue
    search(level, matches, {
      ...effortAt(level, l, l === last),
      random,
      settle: () => l >= guided && approachExpected(level, expected[l - guided] as Uint8Array, colourShare(l)),
    })
  }
  const rim = { ...finest, targets: finest.targets.filter((i) => (finest.depth[i] as number) <= patchRadius) }
  updateDifferences(rim, matches)
  const weights = patchWeights(rim, matches)
  hideSeam(finest, (i, out) => proposedColour(finest, matches, weights, i, out))
  continueGrain(finest, matches)
  reduceDetail(finest)
  extrapolateLines(finest)
}

interface Effort {
  rounds: number
  firstPasses: number
  passes: number
  radius: number
}

function effortAt({ targets, width, height }: PyramidLevel, halvings: number, coarsest: boolean): Effort {
  const widest = Math.max(width, height)
  if (coarsest) return { ...startEffort, radius: widest }
  const thorough = targets.length <= fullSearch
  const passes = thorough ? 2 : 1
  return {
    rounds: Math.min(thorough ? 6 : 2, 1 + halvings * 2),
    firstPasses: passes,
    passes,
    radius: Math.min(8 << (2 * halvings), widest),
  }
}

/** `settle` runs after each new estimate. */
function search(
  level: PyramidLevel,
  matches: Matches,
  {
    rounds,
    firstPasses,
    passes,
    settle,
    ...around
  }: Effort & { random: (limit: number) => number; settle: () => void },
): void {
  for (let round = 0; round < rounds; round++) {
    updateDifferences(level, matches)
    for (let pass = 0; pass < (round === 0 ? firstPasses : passes); pass++) {
      improveMatches(level, matches, { ...around, backwards: (round + pass) % 2 === 1 })
    }
    voteColours(level, matches)
    settle()
    mirrorMargin(level)
  }
}

/**
 * Moves only low frequencies, so that the next patches match. Blending the smooth colours in
 * directly would select smoother patches in every round.
 */
function approachExpected(level: PyramidLevel, expected: Uint8Array, share: number): void {
  const { pixels, hole, targets } = level
  const box = targetBox(level, 0)
  const inside = targets.filter((i) => hole[i] === 1)
  const places = inside.map((i) => indexInBox(box, level, i))
  const plane = createPlane(box.width, box.height)
  const soften = (): Float32Array => feather(plane, lowReach).data
  for (let n = 0; n < places.length; n++) plane.data[places[n] as number] = 1
  const known = soften()
  for (let c = 0; c < channels; c++) {
    for (let n = 0; n < inside.length; n++) {
      const k = channels * (inside[n] as number) + c
      plane.data[places[n] as number] = (expected[k] as number) - (pixels[k] as number)
    }
    const lacking = soften()
    for (let n = 0; n < inside.length; n++) {
      const k = channels * (inside[n] as number) + c
      const at = places[n] as number
      const value = (pixels[k] as number) + (share * (lacking[at] as number)) / (known[at] as number)
      pixels[k] = value < 0 ? 0 : value > 255 ? 255 : value + 0.5
    }
  }
}
