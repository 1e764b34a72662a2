import { type Level, reach } from './level.ts'
import { patchDifference } from './matches.ts'

const samples = 3000
const triesEach = 24
const kept = 24

/**
 * The shifts by which a picture repeats itself, for every level as index differences: the most
 * frequent ones between patches and their best likes elsewhere (statistics of patch offsets, He and
 * Sun 2012). Shifts shorter than a patch and a half do not count.
 */
export function repeatingShifts(levels: Level[], random: (limit: number) => number): Int32Array[] {
  const chosen = Math.min(levels.length - 1, Math.max(1, levels.length - 2))
  const level = levels[chosen] as Level
  const found = frequentShifts(level, random)
  return levels.map((other, l) => {
    const scale = 2 ** (chosen - l)
    return Int32Array.from(found, ([x, y]) => Math.round(y * scale) * other.width + Math.round(x * scale))
  })
}

function frequentShifts(level: Level, random: (limit: number) => number): [number, number][] {
  const { width, height, pixels, source } = level
  const least = 1.5 * (2 * reach + 1)
  const counts = new Map<number, number>()
  const recent = new Int32Array(64)
  let filled = 0
  for (let n = 0; n < samples; n++) {
    const i = random(source.length)
    if (source[i] === 0) continue
    const x = i % width
    const y = (i - x) / width
    let best = -1
    let smallest = 0x7fffffff
    for (let turn = 0; turn < triesEach; turn++) {
      const known = turn % 2 === 0 && filled > 0
      const j = known ? i + (recent[random(Math.min(filled, 64))] as number) : random(source.length)
      if (j < 0 || j >= source.length || source[j] === 0) continue
      const u = j % width
      if (Math.hypot(u - x, (j - u) / width - y) < least) continue
      const found = patchDifference(pixels, width, i, j, smallest)
      if (found < smallest) {
        smallest = found
        best = j
      }
    }
    if (best < 0) continue
    recent[filled++ % 64] = best - i
    const u = best % width
    const key = ((best - u) / width - y + height) * 2 * width + (u - x + width)
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return [...counts]
    .sort((a, b) => b[1] - a[1])
    .slice(0, kept)
    .map(([key]) => [(key % (2 * width)) - width, Math.floor(key / (2 * width)) - height])
}
