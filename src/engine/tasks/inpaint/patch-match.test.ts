import { expect, test } from 'vitest'
import { createRandom } from '#engine/image/random.ts'
import { improveMatches, patchDifference, randomMatches, updateDifferences } from './patch-match.ts'
import { buildPyramid, channels, type PyramidLevel } from './pyramid.ts'

test('the stored difference of a match equals the difference of its patches in every scan direction', () => {
  const [size, random] = [90, createRandom(3)]
  const pixels = Uint8Array.from({ length: size * size * channels }, () => random(256))
  const hole = Uint8Array.from({ length: size * size }, (_, i) => {
    return Math.hypot((i % size) - 45, Math.floor(i / size) - 45) < 15 ? 1 : 0
  })
  const [level] = buildPyramid({ width: size, height: size, pixels, hole }) as [PyramidLevel]
  const matches = randomMatches(level, random)
  updateDifferences(level, matches)
  for (const backwards of [false, true, false]) {
    improveMatches(level, matches, { backwards, radius: 20, random })
  }
  for (const i of level.targets) {
    const match = matches.centre[i] as number
    expect(matches.difference[i]).toBe(patchDifference(level.pixels, level.width, i, match, 0x7fffffff))
  }
})
