import { expect, test } from 'vitest'
import type { Picture } from '#engine/image/picture.ts'
import { createDetectionCache, withDetectionCache } from './detection-cache.ts'

const pictureOf = (value: number): Picture => ({ width: 2, height: 1, data: new Uint8ClampedArray(8).fill(value) })

function countingDetectors() {
  const detected: string[] = []
  const detectors = {
    faces: async ({ data }: Picture) => {
      detected.push(`faces in ${data[0]}`)
      return []
    },
    personMask: async ({ width, height }: Picture, model?: string) => {
      detected.push(`people by ${model}`)
      return { width, height, data: new Float32Array(2) }
    },
    faceMesh: () => Promise.reject(new Error('not expected')),
    hands: () => Promise.reject(new Error('not expected')),
    describeFace: () => Promise.reject(new Error('not expected')),
    salience: () => Promise.reject(new Error('not expected')),
    objects: async ({ data }: Picture) => {
      detected.push(`objects in ${data[0]}`)
      return [{ box: { x: data[0] as number, y: 0, width: 1, height: 1 }, confidence: 1, label: 'cup' }]
    },
  }
  return { detected, detectors }
}

test('a generation in another thread reuses the detections of a photo check', async () => {
  const cache = createDetectionCache()
  const { detected, detectors } = countingDetectors()
  const check = withDetectionCache(detectors, cache)
  const run = withDetectionCache(detectors, cache)
  const first = [await check.faces(pictureOf(7)), await check.objects(pictureOf(7))]
  expect([await run.faces(pictureOf(7)), await run.objects(pictureOf(7))]).toEqual(first)
  expect(detected).toEqual(['faces in 7', 'objects in 7'])
})

test('pictures with different pixels have separate cache entries', async () => {
  const { detected, detectors } = countingDetectors()
  const { objects } = withDetectionCache(detectors, createDetectionCache())
  expect((await objects(pictureOf(1)))[0]?.box.x).toBe(1)
  expect((await objects(pictureOf(2)))[0]?.box.x).toBe(2)
  expect(detected).toHaveLength(2)
})

test('the models of people have separate cache entries', async () => {
  const { detected, detectors } = countingDetectors()
  const { personMask } = withDetectionCache(detectors, createDetectionCache())
  for (const model of [undefined, 'landscape', 'general'] as const) await personMask(pictureOf(1), model)
  expect(detected).toEqual(['people by general', 'people by landscape'])
})

test('a full cache drops the least recently used entry', async () => {
  const { detected, detectors } = countingDetectors()
  const { faces } = withDetectionCache(detectors, createDetectionCache(2))
  for (const value of [1, 2, 1, 3, 1]) await faces(pictureOf(value))
  expect(detected).toEqual(['faces in 1', 'faces in 2', 'faces in 3'])
  await faces(pictureOf(2))
  expect(detected).toHaveLength(4)
})
