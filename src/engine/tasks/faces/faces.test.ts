import { expect, test } from 'vitest'
import type { EngineHost, Face } from '#engine/host.ts'
import type { Picture } from '#engine/image/picture.ts'
import type { Box } from '#shared/media.ts'
import { findFaces } from './faces.ts'

/**
 * Each face is a patch with its own red; the host finds patches of a share `least` of the width.
 */
function hostThatSees(least: number): EngineHost & { looks: number } {
  const host = {
    looks: 0,
    signal: new AbortController().signal,
    progress() {},
    async resize(picture: Picture, width: number, height: number): Promise<Picture> {
      const data = new Uint8ClampedArray(width * height * 4)
      for (let y = 0; y < height; y++) {
        for (let x = 0; x < width; x++) {
          const from =
            Math.floor((y * picture.height) / height) * picture.width + Math.floor((x * picture.width) / width)
          data.set(picture.data.subarray(4 * from, 4 * from + 4), 4 * (y * width + x))
        }
      }
      return { width, height, data }
    },
    async faces({ width, height, data }: Picture): Promise<Face[]> {
      host.looks++
      const boxes = new Map<number, Box>()
      for (let i = 0; i < width * height; i++) {
        const id = data[4 * i] as number
        if (id === 0) continue
        const [x, y] = [i % width, Math.floor(i / width)]
        const box = boxes.get(id) ?? { x, y, width: 1, height: 1 }
        boxes.set(id, { ...box, width: Math.max(box.width, x - box.x + 1), height: y - box.y + 1 })
      }
      return [...boxes.values()]
        .filter((box) => box.width >= least * width)
        .map((box) => ({
          box,
          confidence: 0.9,
          fit: box.width > 0.6 * box.height ? 1 : 0.5,
          points: [[box.x, box.y, 0]] as const,
          pose: { yaw: 0, pitch: 0, roll: 0 },
        }))
    },
    surroundings: () => Promise.reject(new Error('not expected')),
    personMask: () => Promise.reject(new Error('not expected')),
    cacheForResizing: (picture: Picture) => picture,
    objects: () => Promise.reject(new Error('not expected')),
    salience: () => Promise.reject(new Error('not expected')),
    faceMesh: () => Promise.reject(new Error('not expected')),
    hands: () => Promise.reject(new Error('not expected')),
    describeFace: () => Promise.reject(new Error('not expected')),
    convertVideo: () => Promise.reject(new Error('not expected')),
    videoFrames: () => Promise.reject(new Error('not expected')),
    provided: () => Promise.reject(new Error('not expected')),
  }
  return host
}

function pictureOf(width: number, height: number, faces: readonly Box[]): Picture {
  const data = new Uint8ClampedArray(width * height * 4).fill(0)
  faces.forEach((box, id) => {
    for (let y = box.y; y < box.y + box.height; y++) {
      for (let x = box.x; x < box.x + box.width; x++) data[4 * (y * width + x)] = id + 1
    }
  })
  return { width, height, data }
}

const square = (x: number, y: number, side: number): Box => ({ x, y, width: side, height: side })

test('small faces of a wide picture are found in tiles and reported once each', async () => {
  const faces = [square(60, 40, 60), square(360, 60, 60), square(660, 50, 60), square(290, 180, 60)]
  const found = await findFaces(pictureOf(800, 300, faces), hostThatSees(0.1))
  const corners = found.map(({ box }) => `${Math.round(box.x)} ${Math.round(box.y)}`).sort()
  expect(corners).toEqual(faces.map(({ x, y }) => `${x} ${y}`).sort())
  const points = found.map(({ points: [first] }) => `${Math.round(first![0])} ${Math.round(first![1])}`).sort()
  expect(points).toEqual(corners)
})

test('a portrait is searched once', async () => {
  const host = hostThatSees(0.1)
  expect(await findFaces(pictureOf(300, 400, [square(90, 60, 120)]), host)).toHaveLength(1)
  expect(host.looks).toBe(1)
})

test('a thorough search also finds small faces beside a large one, and tiny ones of a group', async () => {
  const selfie = [square(20, 150, 170), square(300, 40, 26)]
  expect(await findFaces(pictureOf(400, 380, selfie), hostThatSees(0.1))).toHaveLength(1)
  expect(await findFaces(pictureOf(400, 380, selfie), hostThatSees(0.1), { thorough: true })).toHaveLength(2)
  const people = [square(20, 150, 90), square(150, 150, 70), square(260, 150, 60), square(300, 40, 19)]
  expect(await findFaces(pictureOf(400, 380, people), hostThatSees(0.1))).toHaveLength(3)
  expect(await findFaces(pictureOf(400, 380, people), hostThatSees(0.1), { thorough: true })).toHaveLength(4)
})

test('a large picture is searched at a reduced size, reported in its own pixels, and false positives are dropped', async () => {
  const faces = [square(600, 400, 800), { x: 1500, y: 100, width: 300, height: 900 }]
  const found = await findFaces(pictureOf(2048, 2048, faces), hostThatSees(0.1))
  expect(found).toHaveLength(1)
  expect(found[0]!.box.x).toBeCloseTo(600, -1)
  expect(found[0]!.box.width).toBeCloseTo(800, -1)
})
