import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Picture } from '#engine/image/picture.ts'
import { resampleForModel } from '#engine/image/resample-similarity.ts'
import { describeFace, embeddingSimilarity, findFaces } from '#engine/tasks/faces/faces.ts'
import { uprightFace } from '#engine/tasks/faces/upright-face.ts'
import { testHost } from '#tests/support/test-host.ts'
import { decodePicture, resizePicture } from './codecs.ts'

const host = testHost()

async function embeddings(picture: Picture): Promise<Float32Array[]> {
  const found: Float32Array[] = []
  for (const face of await findFaces(picture, host)) {
    const { points } = await uprightFace(picture, face, host)
    found.push((await describeFace(picture, points, host)).embedding)
  }
  return found
}

const photograph = (name: string) => decodePicture(readFileSync(`tests/fixtures/photos/${name}`))

test('a face is similar to itself at another size and different from other faces', async () => {
  const group = await photograph('group.jpg')
  const half = await resizePicture(group, Math.round(group.width / 2), Math.round(group.height / 2))
  const [large, small] = [await embeddings(group), await embeddings(half)]
  expect([large.length, small.length]).toEqual([3, 3])
  for (const [index, face] of large.entries()) {
    expect(embeddingSimilarity(face, small[index] as Float32Array)).toBeGreaterThan(0.85)
  }
  const [man, ...women] = large
  for (const woman of women) expect(embeddingSimilarity(man as Float32Array, woman)).toBeLessThan(0.6)
})

test('a face’s embedding equals the stored model’s output', async () => {
  const face = resampleForModel(await photograph('astronaut.jpg'), { scale: 1, angle: 0, x: -112, y: 0 }, 224, 224)
  const { embedding, age } = await host.describeFace(face)
  // From running the stored graph operation by operation.
  expect(age).toBeCloseTo(28.464, 3)
  const strongest = [...embedding.keys()]
    .sort((a, b) => (embedding[b] as number) - (embedding[a] as number))
    .slice(0, 4)
  expect(strongest).toEqual([920, 837, 563, 210])
  expect(embedding[920]).toBeCloseTo(0.17426, 4)
})
