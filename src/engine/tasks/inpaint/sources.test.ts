import { expect, test } from 'vitest'
import { buildPyramid, channels, type Level } from './level.ts'
import { createSourceLookup } from './sources.ts'

const size = 400

/** A grey level with a stroke of 16 pixels across it. */
function levelWithStroke(): Level {
  const pixels = new Uint8Array(size * size * channels).fill(128)
  const hole = new Uint8Array(size * size)
  hole.fill(1, 192 * size, 208 * size)
  return buildPyramid({ width: size, height: size, pixels, hole }, [])[0] as Level
}

test('around a place patches are looked at closely and elsewhere rarely, none in the hole', () => {
  const level = levelWithStroke()
  const found = createSourceLookup(level, true)(200 * level.width + 200)
  const away = [...found].map((i) => Math.hypot((i % level.width) - 200, Math.floor(i / level.width) - 200))
  expect(found.every((i) => level.source[i] === 1)).toBe(true)
  expect(away.filter((distance) => distance < 24).length).toBeGreaterThan(150)
  expect(away.filter((distance) => distance > 110).length).toBeGreaterThan(300)
  expect(found.length).toBeLessThan(1800)
})

test('at a corner there are fewer around, and all lie in the level', () => {
  const level = levelWithStroke()
  const lookup = createSourceLookup(level, true)
  const inMiddle = lookup(200 * level.width + 200).length
  const atCorner = lookup(4 * level.width + 4)
  expect(atCorner.length).toBeLessThan(inMiddle)
  expect(atCorner.every((i) => level.source[i] === 1)).toBe(true)
})
