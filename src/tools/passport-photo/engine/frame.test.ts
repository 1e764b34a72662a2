import { expect, test } from 'vitest'
import { findPreset } from '../contract/presets.ts'
import { framePhoto, framingProblem, isUnframeable, type PortraitFacts } from './frame.ts'

const { rule } = findPreset('35x45')!
const portrait: PortraitFacts = {
  width: 1200,
  height: 1600,
  centre: { x: 600, y: 600 },
  roll: 0,
  eyesToChin: 200,
  eyesToCrown: 250,
}
/** A line on which the picture's end cuts the body. */
const line = (from: readonly [number, number], to: readonly [number, number]) =>
  Array.from({ length: 21 }, (_, i) => [0, 1].map((axis) => from[axis]! + ((to[axis]! - from[axis]!) * i) / 20)).flat()
const bottomAt = (y: number) => ({ ...portrait, cuts: line([300, y], [900, y]) })

test('a body that goes on beyond the photo does not change the frame', () => {
  const free = framePhoto({ ...portrait, cuts: [] }, rule)
  expect(free.missing).toBe(0)
  expect(framePhoto(bottomAt(1500), rule)).toEqual(free)
})

test('a body that ends slightly too soon is framed within what is there, by the rule', () => {
  const free = framePhoto({ ...portrait, cuts: [] }, rule)
  const end = (free.height - free.placement.y) / free.placement.scale
  const frame = framePhoto(bottomAt(end - 10), rule)
  expect(frame.missing).toBe(0)
  expect(frame.head).toBeGreaterThan(free.head)
  expect(frame.head).toBeLessThanOrEqual(rule.head.max)
  expect(frame.eyes).toBeGreaterThanOrEqual(rule.eyes.min)
})

test('a size without a rule of its own takes a larger head before it refuses a cut shoulder', () => {
  const usual = findPreset('3x4')!.rule
  const free = framePhoto({ ...portrait, cuts: [] }, usual)
  const end = (free.width / 2 - free.placement.x) / free.placement.scale
  const shoulder = { ...portrait, cuts: line([end - 240, 850], [end - 240, 1500]) }
  const frame = framePhoto(shoulder, usual)
  expect(frame.missing).toBe(0)
  expect(frame.head).toBeGreaterThan(usual.head.max)
  const eyes = frame.placement.scale * portrait.centre.x + frame.placement.x
  expect(Math.abs(eyes / frame.width - 0.5)).toBeLessThanOrEqual(0.05)
})

test('a refusal tells whether another size would do', () => {
  const usual = findPreset('4x6')!.rule
  expect(framingProblem(bottomAt(900), usual)).toBe('engine.shoulders_missing')
  expect(framingProblem(bottomAt(805), usual)).toBe('engine.portrait_cut')
})

test.each([
  ['below', bottomAt(850)],
  ['at a side', { ...portrait, cuts: line([450, 800], [450, 1500]) }],
  ['at a slant', { ...portrait, cuts: line([300, 820], [900, 960]) }],
])('a body that the picture cuts %s inside the photo cannot be framed', (_, cut) => {
  expect(isUnframeable(cut, rule)).toBe(true)
})
