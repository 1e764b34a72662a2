import type { Picture, Plane } from '#engine/image/picture.ts'
import { createRandom } from '#engine/image/random.ts'
import {
  enlargeMatches,
  improveMatches,
  randomMatches,
  updateDifferences,
  voteColours,
} from '#engine/tasks/inpaint/patch-match.ts'
import { buildPyramid, channels, type PyramidLevel, patchRadius } from '#engine/tasks/inpaint/pyramid.ts'

/**
 * Baseline: PatchMatch alone (Barnes et al. 2009) with multi-scale voting (Wexler, Shechtman and
 * Irani 2007).
 */
export function plainPatchMatch(picture: Picture, mask: Plane): Picture {
  const { width, height } = picture
  const random = createRandom(1)
  const hole = Uint8Array.from(mask.data, (weight) => (weight > 0 ? 1 : 0))
  const pixels = new Uint8Array(picture.data)
  for (let i = 3; i < pixels.length; i += channels) pixels[i] = 0
  const levels = buildPyramid({ width, height, pixels, hole })
  const last = levels.length - 1
  let matches = randomMatches(levels[last] as PyramidLevel, random)
  for (let l = last; l >= 0; l--) {
    const level = levels[l] as PyramidLevel
    if (l < last) matches = enlargeMatches(levels[l + 1] as PyramidLevel, matches, level, random)
    voteColours(level, matches)
    for (let round = 0; round < (l === last ? 12 : 4); round++) {
      updateDifferences(level, matches)
      for (let pass = 0; pass < 2; pass++) {
        improveMatches(level, matches, {
          backwards: pass === 1,
          radius: Math.max(level.width, level.height),
          random,
        })
      }
      voteColours(level, matches)
    }
  }
  const data = picture.data.slice()
  const { width: wide, pixels: filled } = levels[0] as PyramidLevel
  for (let i = 0; i < hole.length; i++) {
    if (hole[i] === 0) continue
    const from = channels * ((Math.floor(i / width) + patchRadius) * wide + (i % width) + patchRadius)
    data.set(filled.subarray(from, from + 3), 4 * i)
  }
  return { ...picture, data }
}
