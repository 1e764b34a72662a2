import { expect, test } from 'vitest'
import { createRandom } from '#engine/image/random.ts'
import { expectColours } from './expectation.ts'
import { buildPyramid, channels, type Level } from './level.ts'
import { createMatches, improve, measure } from './matches.ts'
import { settleColours } from './settle.ts'

const size = 160

/** Chance texture with a square hole in the middle. */
function holeInTexture(): Level[] {
  const random = createRandom(2)
  const pixels = new Uint8Array(size * size * channels)
  const hole = new Uint8Array(size * size)
  for (let i = 0; i < hole.length; i++) {
    const [x, y] = [i % size, Math.floor(i / size)]
    if (Math.max(Math.abs(x - 80), Math.abs(y - 80)) < 30) hole[i] = 1
    const calm = Math.hypot(x - 30, y - 80) < 10
    const light = calm ? 100 : 60 + random(80)
    pixels.set([light, light, light, calm ? 0 : 80], channels * i)
  }
  return buildPyramid({ width: size, height: size, pixels, hole }, [])
}

function meanOf({ pixels, hole }: Level, channel: number): number {
  let [sum, count] = [0, 0]
  for (let i = 0; i < hole.length; i++) {
    if (hole[i] === 0) continue
    sum += pixels[channels * i + channel] as number
    count++
  }
  return sum / count
}

test('a filling of another colour comes nearer to the expected one and keeps its detail', () => {
  const levels = holeInTexture()
  const [finest, level] = levels as [Level, Level]
  const [colours] = expectColours(levels.slice(1)) as [Uint8Array]
  const detail = (i: number) => (i % 2 === 0 ? 12 : -12)
  finest.hole.forEach((open, i) => {
    if (open) finest.pixels.set([160 + detail(i), 60 + detail(i), 60 + detail(i)], channels * i)
  })
  const chance = new Float32Array(level.width * level.height).fill(1)
  settleColours(finest, { level, halvings: 1, colours, chance })
  expect(meanOf(finest, 0)).toBeLessThan(130)
  expect(meanOf(finest, 1)).toBeGreaterThan(80)
  const middle = channels * (83 * finest.width + 83)
  expect(Math.abs((finest.pixels[middle] as number) - (finest.pixels[middle + channels] as number))).toBeGreaterThan(20)

  const before = finest.pixels.slice()
  settleColours(finest, { level, halvings: 1, colours, chance: chance.fill(0) })
  expect(finest.pixels).toEqual(before)
})

test('one patch that suits everywhere is not repeated all over a hole', () => {
  const mostUsed = (varied: boolean): number => {
    const [level] = holeInTexture() as [Level]
    const random = createRandom(7)
    const matches = createMatches(level)
    const sources = [...level.source.keys()].filter((i) => level.source[i] === 1)
    for (const i of level.targets) {
      matches.centre[i] = sources[random(sources.length)] as number
      if (level.hole[i] === 1) level.pixels.set([100, 100, 100, 0], channels * i)
    }
    measure(level, matches)
    for (let pass = 0; pass < 4; pass++) {
      improve(level, matches, { backwards: pass % 2 === 1, radius: size, shifts: new Int32Array(0), varied, random })
    }
    const uses = new Map<number, number>()
    for (const i of level.targets) {
      const match = matches.centre[i] as number
      uses.set(match, (uses.get(match) ?? 0) + 1)
    }
    return Math.max(...uses.values())
  }
  expect(mostUsed(true)).toBeLessThan(mostUsed(false) / 2)
})
