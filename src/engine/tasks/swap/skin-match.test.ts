import { expect, test } from 'vitest'
import { createPlane, type Picture } from '#engine/image/picture.ts'
import { randomSequence } from '#engine/image/random.ts'
import { logTones } from '#engine/tasks/faces/tones.ts'
import { applyChroma, matchChroma } from './skin-match.ts'

const side = 80
const skin = createPlane(side, side, 1)

function face(noise: readonly [number, number, number]): Picture {
  const random = randomSequence(5)
  const data = new Uint8ClampedArray(4 * side * side).fill(255)
  for (let i = 0; i < side * side; i++) {
    for (const [c, value] of [190, 150, 120].entries())
      data[4 * i + c] = value + (noise[c] as number) * (random() - 0.5)
  }
  return { width: side, height: side, data }
}

function colours(picture: Picture): [number, number] {
  const [, red, blue] = logTones(picture)
  const [, usualRed, usualBlue] = logTones(face([0, 0, 0]))
  const mean = (values: Float32Array, usual: number) =>
    values.reduce((sum, value) => sum + Math.abs(value - usual), 0) / values.length
  return [mean(red.data, usualRed.data[0] as number), mean(blue.data, usualBlue.data[0] as number)]
}

const target = face([8, 8, 8])

test('blots of one colour fade to the spread of the target’s skin, and brightness stays', () => {
  const lit = face([8, 8, 200])
  const before = { colours: colours(lit), green: lit.data.slice() }
  const match = matchChroma(lit, target, skin, side)
  applyChroma(lit, match!)
  expect(before.colours[1]).toBeGreaterThan(0.3)
  expect(colours(lit)[1]).toBeLessThan(1.6 * colours(target)[1])
  expect(colours(lit)[0]).toBeCloseTo(before.colours[0], 2)
  for (let i = 1; i < lit.data.length; i += 4) expect(Math.abs(lit.data[i]! - before.green[i]!)).toBeLessThanOrEqual(1)
})

test('a face that is not more colourful than the target keeps its colours', () => {
  expect(matchChroma(face([9, 9, 9]), target, skin, side)).toBeUndefined()
  expect(matchChroma(face([0, 0, 0]), target, skin, side)).toBeUndefined()
})
