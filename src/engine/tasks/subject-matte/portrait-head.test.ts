import { expect, test } from 'vitest'
import type { EngineHost } from '#engine/host.ts'
import { createPlane, type Picture } from '#engine/image/picture.ts'
import type { DetectedPerson } from './people.ts'
import { findPortraitHead, sharpenHead } from './portrait-head.ts'

const side = 200
const picture: Picture = { width: side, height: side, data: new Uint8ClampedArray(4 * side * side) }
const person: DetectedPerson = { box: { x: 50, y: 50, width: 100, height: 100 }, part: 'face' }
type Part = readonly [x: number, y: number, width: number, height: number]
const head: Part = [65, 30, 70, 120]

const planeOf = (parts: readonly Part[]) => {
  const plane = createPlane(side, side)
  for (const [x, y, width, height] of parts) {
    for (let row = y; row < y + height; row++) plane.data.fill(1, row * side + x, row * side + x + width)
  }
  return plane
}

/** The probability of a head without ears after the salience of `seen` has sharpened it. */
async function sharpened(seen: readonly Part[], people = [person]) {
  const probability = planeOf([head])
  const salience = planeOf(seen)
  const host = {
    resize: async (given: Picture) => given,
    salience: async () => ({ ...salience, data: Uint8Array.from(salience.data, (value) => 255 * value) }),
  } as unknown as EngineHost
  const found = await findPortraitHead(picture, people, probability, { doubtful: false }, host)
  if (found) sharpenHead(probability, found)
  return (x: number, y: number) => probability.data[y * side + x]
}

const ear: Part = [53, 88, 12, 24]

test('an ear that only the network of salience sees is added to a head', async () => {
  const at = await sharpened([head, ear])
  expect([at(58, 100), at(100, 100), at(30, 100)]).toEqual([1, 1, 0])
})

test.each<[string, readonly Part[]]>([
  ['beside a head', [head, [35, 60, 30, 110]]],
  ['on its shoulder', [head, [53, 138, 12, 24]]],
  ['without the head', [ear]],
])('a thing %s is none', async (_, parts) => {
  const at = await sharpened(parts)
  expect([at(58, 100), at(58, 145)]).toEqual([0, 0])
})

test('a head with both ears does not need the slow network, and neighbours mislead it', async () => {
  const other: DetectedPerson = { box: { x: 0, y: 50, width: 60, height: 60 }, part: 'face' }
  expect((await sharpened([head, ear], [person, other]))(58, 100)).toBe(0)
  const whole = planeOf([[55, 30, 90, 120]])
  const host = { salience: () => Promise.reject(new Error('slow')) } as unknown as EngineHost
  expect(await findPortraitHead(picture, [person], whole, { doubtful: false }, host)).toBeUndefined()
})
