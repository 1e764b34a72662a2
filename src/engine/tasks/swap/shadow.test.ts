import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Picture } from '#engine/image/picture.ts'
import { decodePicture } from '#engine/node/codecs.ts'
import { createNodeHost } from '#engine/node/host.ts'
import { findFaces } from '#engine/tasks/faces/faces.ts'
import { meshBox } from '#engine/tasks/faces/mesh-geometry.ts'
import { faceSurface } from '#engine/tasks/faces/skin.ts'
import { withShadow } from './shadow.ts'

const host = createNodeHost(new AbortController().signal, () => {})
const portrait = await decodePicture(readFileSync('tests/fixtures/photos/astronaut.jpg'))
const [{ points }] = (await findFaces(portrait, host)) as [Awaited<ReturnType<typeof findFaces>>[number]]
const box = meshBox(points)

/**
 * The portrait where `change` has seen each pixel: how far it lies across the face, 0 to 1, and its
 * colour.
 */
function changed(change: (across: number, colour: readonly number[]) => readonly number[]): Picture {
  const data = portrait.data.slice()
  for (let i = 0; i < data.length; i += 4) {
    const across = (((i / 4) % portrait.width) - box.x) / box.width
    data.set(change(across, [...data.subarray(i, i + 3)]), i)
  }
  return { ...portrait, data }
}

/** How much of the face's left rim is foreign, without regard to shadow and with it. */
function foreignRim(picture: Picture): { before: number; after: number } {
  const surface = faceSurface(picture, points)
  const share = ({ data }: { data: Float32Array }) => {
    let [sum, all] = [0, 0]
    for (let y = Math.round(box.y + 0.4 * box.height); y < box.y + 0.8 * box.height; y++) {
      for (let x = Math.round(box.x); x < box.x + 0.2 * box.width; x++) {
        const i = y * picture.width + x
        if (surface.hull.data[i] === 0) continue
        sum += data[i] as number
        all++
      }
    }
    return sum / all
  }
  return { before: share(surface.foreign), after: share(withShadow(surface, picture, box.width).foreign) }
}

test('deep shadow that falls softly over a cheek is skin', () => {
  const dark = (across: number) => 0.3 + 0.7 * Math.min(1, Math.max(0, (across - 0.05) / 0.25))
  const { before, after } = foreignRim(changed((across, colour) => colour.map((level) => dark(across) * level)))
  expect(before).toBeGreaterThan(0.4)
  expect(after).toBeLessThan(0.25)
})

test.each([
  ['black', [24, 24, 26]],
  ['red', [96, 40, 30]],
])('smooth %s cloth beside a cheek is not', (_, cloth) => {
  const { before, after } = foreignRim(changed((across, colour) => (across < 0.14 ? cloth : colour)))
  expect(before).toBeGreaterThan(0.4)
  expect(after).toBeGreaterThan(0.9 * before)
})
