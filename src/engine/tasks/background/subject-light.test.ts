import { expect, test } from 'vitest'
import { lightOn } from '#engine/image/light-probe.ts'
import type { Picture } from '#engine/image/picture.ts'
import { labOf } from '#engine/tasks/colorize/index.ts'
import { ciede2000 } from '#tests/support/ciede2000.ts'
import { testHost } from '#tests/support/test-host.ts'
import { locationIds } from '../../scenes.ts'
import { luminance, srgbOf } from './scene.ts'
import { locationLight, relightSubject, spillLight } from './subject-light.ts'

const host = testHost()
const size = { width: 120, height: 160 }

/** An opaque grey body in the middle. */
function body(level: number): Picture {
  const data = new Uint8ClampedArray(4 * size.width * size.height)
  for (let y = 30; y < size.height; y++) {
    for (let x = 30; x < 90; x++) data.set([level, level, level, 255], 4 * (y * size.width + x))
  }
  return { ...size, data }
}
const at = ({ data }: Picture, x: number, y: number) => [
  ...data.subarray(4 * (y * size.width + x), 4 * (y * size.width + x) + 3),
]

/**
 * The night sky is graded like moonlight, and the subject like one in a flash. Of the composed
 * locations, which are slow to make, those with the strongest colours of light.
 */
const left: readonly string[] = ['night', 'beach', 'rice-field']
const ungraded = locationIds.filter((id) => !left.includes(id))

test.each(ungraded)('a white shirt in %s has the white of that location', async (id) => {
  const light = locationLight(await host.surroundings(id), id, 1)
  const shirt = body(225)
  relightSubject(shirt, light, null, 0.5)
  const [red, green, blue] = at(shirt, 60, 100) as [number, number, number]
  // Paper that faces the camera, developed as the background is.
  const fallen = lightOn(light.irradiance, [0, 0, -1]).map((value, c) => value * light.balance[c]!) as [
    number,
    number,
    number,
  ]
  const paper = fallen.map((value) => Math.round(255 * srgbOf((0.74 * value) / luminance(fallen))))
  // The brightness may differ; the colour must not.
  const [lightness] = labOf(red, green, blue)
  const [, a, b] = labOf(paper[0]!, paper[1]!, paper[2]!)
  expect(ciede2000(labOf(red, green, blue), [lightness, a, b])).toBeLessThan(2)
})

test('a light without any blue leaves a picture that is not all yellow', () => {
  const probe = {
    width: 64,
    height: 32,
    data: Float32Array.from({ length: 3 * 64 * 32 }, (_, i) => (i % 3 < 2 ? 1 : 0)),
  }
  expect(Math.max(...locationLight({ probe }, 'park', 1).balance)).toBeLessThan(5)
})

test('the side of a body that faces the sun becomes brighter, and the other one darker', async () => {
  const light = locationLight(await host.surroundings('park'), 'park', 1)
  const lit = body(128)
  relightSubject(lit, light, [0, 0, 0], 1)
  expect(at(lit, 86, 90)[1]! - at(lit, 33, 90)[1]!).toBeGreaterThan(15)
  // A photograph that already has this light changes less.
  const same = body(128)
  relightSubject(same, light, [0.3, 0, 0], 1)
  expect(at(same, 86, 90)[1]! - at(same, 33, 90)[1]!).toBeLessThan(at(lit, 86, 90)[1]! - at(lit, 33, 90)[1]!)
})

test('without strength no pixel changes, and transparent ones never do', async () => {
  const light = locationLight(await host.surroundings('sunset'), 'sunset', 1)
  const [before, after] = [body(90), body(90)]
  relightSubject(after, light, [0.2, 0, 0], 0)
  expect(after.data).toEqual(before.data)
  relightSubject(after, light, [0.2, 0, 0], 1)
  const alphaOf = ({ data }: Picture) => data.filter((_, i) => i % 4 === 3)
  expect(alphaOf(after)).toEqual(alphaOf(before))
  expect(at(after, 5, 5)).toEqual([0, 0, 0])
})

test('a bright background spills over the outline and not into the middle', () => {
  const [subject, before] = [body(60), body(60)]
  const sky: Picture = { ...size, data: new Uint8ClampedArray(4 * size.width * size.height).fill(255) }
  spillLight(subject, sky, 1)
  expect(at(subject, 30, 90)[1]!).toBeGreaterThan(at(before, 30, 90)[1]! + 15)
  expect(at(subject, 60, 110)).toEqual(at(before, 60, 110))
})
