import { createPlane, type Plane } from '#engine/image/picture.ts'
import { boxBlur, feather } from '#engine/image/plane.ts'
import { fillFromSurroundings } from '#engine/image/smooth-map.ts'
import { estimateHoleColours } from './expected-colours.ts'
import { extrapolateLines } from './fill-scratch.ts'
import {
  enlargeMatches,
  improveMatches,
  type Matches,
  patchWeights,
  proposedColour,
  randomMatches,
  updateDifferences,
  voteColours,
} from './patch-match.ts'
import { channels, indexInBox, mirrorMargin, type PyramidLevel, patchRadius, targetBox } from './pyramid.ts'

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

/** Texture strength (0 to 255) from which all detail stays. */
const fullTexture = 78
/** Depth in pixels up to which less detail is removed, to avoid a visible rim. */
const calmDepth = 10
/** A step of this size (8-bit) is usual anywhere. */
const usualStep = 4
/** Radius along the border, in pixels, of the means in which texture cancels out. */
const stepReach = 8
/** Radius of detail, in pixels. */
const detailReach = 5

/**
 * Removes the seam by Poisson image editing (Pérez, Gangnet and Blake 2003): the step along the
 * border, continued by a membrane, is added inside. A step far above the usual is the end of an
 * object, whose colour would spread, so it counts as zero (redescending weight, Hampel 1974).
 * `estimate` writes the matches' red, green and blue for a known pixel beside the hole.
 */
export function hideSeam(level: PyramidLevel, estimate: (index: number, out: Float64Array) => void): void {
  const { width, pixels, hole, targets } = level
  const box = targetBox(level, 0)
  const step = [0, 1, 2].map(() => createPlane(box.width, box.height))
  const border = createPlane(box.width, box.height)
  const proposed = new Float64Array(3)
  const positions: number[] = []
  for (const i of targets) {
    if (hole[i] === 1 || !(hole[i - 1] || hole[i + 1] || hole[i - width] || hole[i + width])) continue
    estimate(i, proposed)
    const at = indexInBox(box, level, i)
    for (let c = 0; c < 3; c++) {
      ;(step[c] as Plane).data[at] = (pixels[4 * i + c] as number) - (proposed[c] as number)
    }
    border.data[at] = 1
    positions.push(at)
  }
  reduceStepsAtEnds(step, border, positions)
  const membranes = step.map((plane) => fillFromSurroundings(plane, border))
  for (const i of targets) {
    if (hole[i] === 0) continue
    const at = indexInBox(box, level, i)
    for (let c = 0; c < 3; c++) {
      const value = (pixels[4 * i + c] as number) + ((membranes[c] as Plane).data[at] as number)
      pixels[4 * i + c] = value < 0 ? 0 : value > 255 ? 255 : value + 0.5
    }
  }
}

/** In place, by the mean step along it; `border` is 1 at the given positions. */
function reduceStepsAtEnds(step: readonly Plane[], border: Plane, positions: readonly number[]): void {
  const soften = (plane: Plane): Float32Array => feather(plane, stepReach).data
  const count = soften(border)
  const soft = step.map(soften)
  const means = positions.map((at) => Math.hypot(...soft.map((mean) => mean[at] as number)) / (count[at] as number))
  const usual = usualStep + 2 * (means.toSorted((a, b) => a - b)[means.length >> 1] ?? 0)
  for (const [n, at] of positions.entries()) {
    const weight = 1 / (1 + ((means[n] as number) / usual) ** 4)
    for (const { data } of step) data[at] = weight * (data[at] as number)
  }
}

/**
 * Restores the grain lost by averaging: raises the local energy of the finest detail by the
 * matches' own detail.
 */
function continueGrain(level: PyramidLevel, { centre }: Matches): void {
  const { width, pixels, hole, targets } = level
  const box = targetBox(level, patchRadius + 1)
  const grain = new Float32Array(targets.length * 3)
  const wanted = createPlane(box.width, box.height)
  const present = createPlane(box.width, box.height)
  for (let n = 0; n < targets.length; n++) {
    const i = targets[n] as number
    const match = centre[i] as number
    if (hole[i] === 0) continue
    let there = 0
    let here = 0
    for (let c = 0; c < 3; c++) {
      const detail = finestDetail(pixels, width, match, c)
      const own = finestDetail(pixels, width, i, c)
      grain[3 * n + c] = detail
      there += detail * detail
      here += own * own
    }
    const at = indexInBox(box, level, i)
    wanted.data[at] = there
    present.data[at] = here
  }
  const before = boxBlur(wanted, patchRadius + 1)
  const after = boxBlur(present, patchRadius + 1)
  for (let n = 0; n < targets.length; n++) {
    const i = targets[n] as number
    if (hole[i] === 0) continue
    const at = indexInBox(box, level, i)
    const energy = before.data[at] as number
    const missing = energy - (after.data[at] as number)
    if (missing <= 0) continue
    const amount = Math.sqrt(missing / energy)
    for (let c = 0; c < 3; c++) {
      const value = (pixels[channels * i + c] as number) + amount * (grain[3 * n + c] as number)
      pixels[channels * i + c] = value < 0 ? 0 : value > 255 ? 255 : value + 0.5
    }
  }
}

/**
 * Reduces detail where sources are smooth: it is random there, and a filling without it is closer
 * to the original and calmer. All detail stays where the surroundings are rough.
 */
function reduceDetail(level: PyramidLevel): void {
  const { width, pixels, hole, depth, targets } = level
  const box = targetBox(level, 2 * detailReach)
  const soft = [0, 1, 2].map((c) => {
    const plane = createPlane(box.width, box.height)
    for (let k = 0, y = box.y; y < box.y + box.height; y++) {
      for (let i = y * width + box.x; i < y * width + box.x + box.width; i++) {
        plane.data[k++] = pixels[channels * i + c] as number
      }
    }
    return feather(plane, detailReach).data
  }) as [Float32Array, Float32Array, Float32Array]
  for (const i of targets) {
    if (hole[i] === 0) continue
    const own = channels * i
    const at = indexInBox(box, level, i)
    const rough = Math.min(1, Math.sqrt((pixels[own + 3] as number) / fullTexture))
    const gain = 1 - (1 - rough) * Math.min(1, (depth[i] as number) / calmDepth)
    for (let c = 0; c < 3; c++) {
      const base = (soft[c] as Float32Array)[at] as number
      pixels[own + c] = base + gain * ((pixels[own + c] as number) - base) + 0.5
    }
  }
}

function finestDetail(pixels: Uint8Array, width: number, index: number, channel: number): number {
  const i = channels * index + channel
  const row = channels * width
  let sum = 0
  for (let beside = i - row; beside <= i + row; beside += row) {
    for (let k = beside - channels; k <= beside + channels; k += channels) sum += pixels[k] as number
  }
  return (pixels[i] as number) - sum / 9
}
