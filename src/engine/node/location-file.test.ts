import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lightOn } from '#engine/image/light-probe.ts'
import { writeRadiance } from '#engine/image/radiance.ts'
import {
  cameraOf,
  locationLight,
  locationReference,
  neutralWishes,
  renderLocation,
} from '#engine/tasks/background/index.ts'
import { createNodeHost } from './host.ts'

const folder = mkdtempSync(join(tmpdir(), 'rupa-surroundings-'))
afterAll(() => rmSync(folder, { recursive: true }))

const path = (name: string) => join(folder, name)
const location = (id: string, exposure = 0) => ({ id: `added-${id}` as const, version: 1, exposure, path: path(id) })
const host = createNodeHost(new AbortController().signal, () => {}, {
  locationFiles: [location('street'), location('lamps'), location('dark', -2)],
})

beforeAll(async () => {
  // A bright left half and a dark red right half, wider than any picture that shows it.
  const street = Buffer.alloc(3 * 1200 * 400)
  for (let i = 0; i < 1200 * 400; i++) street.set(i % 1200 < 600 ? [220, 220, 220] : [90, 30, 30], 3 * i)
  const raw = { width: 1200, height: 400, channels: 3 } as const
  writeFileSync(path('street'), await sharp(street, { raw }).png().toBuffer())
  const probe = new Float32Array(3 * 128 * 64)
  for (let i = 0; i < probe.length; i++) probe[i] = i % 384 < 192 ? 2 : 0.2
  for (const name of ['lamps', 'dark'])
    writeFileSync(path(name), writeRadiance({ width: 128, height: 64, data: probe }))
})

const size = { width: 300, height: 400 }
const view = async (id: 'street' | 'lamps' | 'dark', seed: number) =>
  renderLocation(await host.surroundings(`added-${id}`), {
    ...size,
    id: `added-${id}`,
    seed,
    wishes: neutralWishes(),
    camera: cameraOf(size),
    grain: 0,
  })
const at = ({ data }: { data: Uint8ClampedArray }, x: number, y: number) => [
  ...data.subarray(4 * (y * size.width + x), 4 * (y * size.width + x) + 3),
]

test('a photograph keeps its tones, and variants show other parts of it', async () => {
  const [middle, left, right] = [await view('street', 1), await view('street', 2), await view('street', 3)]
  for (const [picture, x, level] of [
    [middle, 20, [220, 220, 220]],
    [middle, 280, [90, 30, 30]],
    [left, 150, [220, 220, 220]],
    [right, 150, [90, 30, 30]],
  ] as const)
    for (const [c, found] of at(picture, x, 200).entries()) expect(Math.abs(found - level[c]!)).toBeLessThan(8)
})

test('its edges are out of focus behind a subject', async () => {
  const picture = await view('street', 1)
  const levels = [140, 147, 150, 153, 160].map((x) => at(picture, x, 200)[1]!)
  for (const [i, level] of levels.entries()) if (i > 0) expect(level).toBeLessThan(levels[i - 1]!)
})

test('a photograph lights the subject from its bright side, and is not white balanced again', async () => {
  const light = locationLight(await host.surroundings('added-street'), 'added-street', 1)
  const [fromLeft, fromRight] = [lightOn(light.irradiance, [-1, 0, 0])[1], lightOn(light.irradiance, [1, 0, 0])[1]]
  expect(fromLeft).toBeGreaterThan(1.5 * fromRight)
  expect(light.balance).toEqual([1, 1, 1])
})

test('a probe can be seen in six directions, as bright as the operator says', async () => {
  const lamps = at(await view('lamps', 1), 150, 200)
  expect(lamps).not.toEqual(at(await view('lamps', 4), 150, 200))
  expect(at(await view('dark', 1), 150, 200)[1]!).toBeLessThan(0.7 * lamps[1]!)
})

test('references for generative models are sharp: the photograph itself, or a view of the probe', async () => {
  const around = await host.surroundings('added-street')
  expect(locationReference(around, 'added-street', 1)).toBe(around.photo)
  const reference = locationReference(await host.surroundings('added-lamps'), 'added-lamps', 1)
  expect([reference.width, reference.height]).toEqual([1024, 768])
})

test('a location whose file did not come with the task is refused', async () => {
  await expect(host.surroundings('added-nowhere')).rejects.toMatchObject({ code: 'tool.scene_removed' })
})

test('a night sky is full of stars, and nothing below it', async () => {
  const wishes = neutralWishes()
  const picture = renderLocation(await host.surroundings('night'), {
    ...size,
    id: 'night',
    seed: 1,
    wishes,
    camera: cameraOf(size),
    grain: 0,
  })
  const stars = (from: number, to: number) => {
    let count = 0
    for (let y = from; y < to; y++) {
      for (let x = 1; x < size.width - 1; x++) {
        const [before, here, after] = [x - 1, x, x + 1].map((column) => at(picture, column, y)[1] as number)
        if (here! > before! && here! >= after! && here! > at(picture, x, y - 3)[1]! + 25) count++
      }
    }
    return count
  }
  expect(stars(3, 200)).toBeGreaterThan(100)
  expect(stars(320, 400)).toBe(0)
})
