import { describe, expect, test } from 'vitest'
import type { EngineHost } from '#engine/host.ts'
import { createPlane, type Picture } from '#engine/image/picture.ts'
import { testHost } from '#tests/support/test-host.ts'
import { findSubject } from './find-subject.ts'
import { doubtfulArea, removeIslands, removeRemnants, removeRemnantsBeside } from './remnants.ts'

const side = 320
const box = (plane: { data: Float32Array | Uint8Array }, x: number, y: number, size: number, value: number) => {
  for (let row = y; row < y + size; row++) plane.data.fill(value, row * side + x, row * side + x + size)
}
/** A head of 100 pixels, the salient thing or not, and a square of the matte beside it. */
const scene = (size: number, seen: { head: boolean }) => {
  const [matte, salience] = [createPlane(side, side), createPlane(side, side)]
  box(matte, 110, 110, 100, 1)
  box(matte, 230, 40, size, 1)
  if (seen.head) box(salience, 110, 110, 100, 1)
  const parts = () => ({ head: matte.data[160 * side + 160], beside: matte.data[44 * side + 234] })
  return { matte, salience, parts }
}

describe('remnants of the background beside a head', () => {
  const remove = (size: number, seen: { head: boolean }) => {
    const { matte, salience, parts } = scene(size, seen)
    const left = removeRemnants(matte, salience, 100, [{ x: 160, y: 160 }])
    return { left, ...parts() }
  }

  test('are removed', () => {
    expect(remove(10, { head: true })).toEqual({ left: false, head: 1, beside: 0 })
  })

  test('are only reported where they may be a shoulder or the face', () => {
    expect(remove(60, { head: true })).toEqual({ left: true, head: 1, beside: 1 })
    expect(remove(10, { head: false })).toEqual({ left: true, head: 1, beside: 0 })
  })
})

test('a flag beside a head, which a closer view takes for background, is measured, and no hair or shoulder', async () => {
  const picture: Picture = { width: side, height: side, data: new Uint8ClampedArray(4 * side * side) }
  const matte = createPlane(side, side)
  box(matte, 110, 110, 100, 1)
  box(matte, 60, 210, 110, 1)
  const measure = async (x: number) => {
    const own = { ...matte, data: matte.data.slice() }
    box(own, x, 150, 20, 1)
    // The model sees the head with hair in the middle of the view, and no shoulder.
    const personMask = async () => {
      const seen = createPlane(200, 200)
      for (let row = 50; row < 150; row++) seen.data.fill(1, 200 * row + 25, 200 * row + 175)
      return seen
    }
    const host = { ...testHost(), resize: async () => picture, personMask } as unknown as EngineHost
    return doubtfulArea(picture, own, { eyes: { x: 160, y: 160 }, chin: 210, head: 100 }, host)
  }
  expect(await measure(236)).toBeGreaterThan(0.03)
  expect(await measure(90)).toBeLessThan(0.01)
})

test('bits apart from a person are removed, large parts stay', () => {
  for (const [size, kept] of [
    [10, 0],
    [60, 1],
  ] as const) {
    const { matte, parts } = scene(size, { head: true })
    removeIslands(matte, 100)
    expect(parts()).toEqual({ head: 1, beside: kept })
  }
})

test('nothing of which the person model is sure is removed beside a face', () => {
  const remove = (probability: number) => {
    const { matte, salience, parts } = scene(10, { head: true })
    const face = { x: 125, y: 130, width: 70, height: 70 }
    removeRemnantsBeside(matte, createPlane(side, side, probability), { face, salience })
    return parts()
  }
  expect(remove(0.8)).toEqual({ head: 1, beside: 0 })
  expect(remove(0.99)).toEqual({ head: 1, beside: 1 })
})

test('a part on which the colour and grey views of a person disagree goes where nothing is salient', async () => {
  const picture: Picture = { width: 256, height: 256, data: new Uint8ClampedArray(4 * 256 * 256) }
  const paint = (left: number, top: number, right: number, bottom: number, colour: readonly number[]) => {
    for (let y = top; y < bottom; y++) {
      for (let x = left; x < right; x++) picture.data.set([...colour, 255], 4 * (256 * y + x))
    }
  }
  paint(0, 0, 256, 256, [0, 0, 0])
  paint(80, 80, 176, 256, [230, 190, 190])
  paint(110, 44, 146, 80, [60, 160, 60])
  const isPerson = (level: number) => level > 160
  /** Sees the green flower above the person in colour only. */
  const personMask = async ({ width, height, data }: Picture) => ({
    width,
    height,
    data: Float32Array.from({ length: width * height }, (_, i) => {
      const [red, green] = [data[4 * i] as number, data[4 * i + 1] as number]
      return isPerson(red) ? 1 : green > 100 && green > red + 10 ? 0.9 : 0
    }),
  })
  const face = { box: { x: 100, y: 90, width: 56, height: 70 }, fit: 1, confidence: 1, points: [] }
  const mask = async (salient: (level: number) => boolean) => {
    const host = {
      ...testHost(),
      faces: async () => [face],
      personMask,
      salience: async (square: Picture) => ({
        width: square.width,
        height: square.height,
        data: Uint8Array.from({ length: square.width * square.height }, (_, i) =>
          salient(square.data[4 * i] as number) ? 255 : 0,
        ),
      }),
    } as unknown as EngineHost
    const { mask: found } = await findSubject(picture, { subject: 'person' }, host)
    const at = (x: number, y: number) => found.data[Math.round((y * found.height) / 256) * found.width + x] as number
    return {
      flower: at(Math.round((128 * found.width) / 256), 60),
      body: at(Math.round((128 * found.width) / 256), 170),
    }
  }
  const all = await mask(() => true)
  expect(all.flower).toBeGreaterThan(0.5)
  const person = await mask(isPerson)
  expect(person.flower).toBeLessThan(0.05)
  expect(person.body).toBeGreaterThan(0.9)
})
