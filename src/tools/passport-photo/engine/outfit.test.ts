import { expect, test } from 'vitest'
import type { Picture } from '#engine/image/picture.ts'
import { decodePicture } from '#engine/node/codecs.ts'
import { headFrame } from '#engine/tasks/faces/index.ts'
import { photo } from '#tests/support/composites.ts'
import { testHost } from '#tests/support/test-host.ts'
import { applyOutfit, outfitTask } from './engine.ts'
import { findPerson, turnUpright } from './portrait.ts'

const host = testHost()
const source = await decodePicture(photo('grace_hopper.jpg'))
const { face } = await findPerson(source, host)
const upright = turnUpright(source, face!)

/** A provider's answer: smaller, brighter, with other clothes. */
async function painted(picture: Picture): Promise<Picture> {
  const small = await host.resize(picture, Math.round(0.8 * picture.width), Math.round(0.8 * picture.height))
  const data = small.data.map((value, i) => (i % 4 === 3 ? value : Math.min(255, 1.15 * value)))
  const clothes = 4 * small.width * Math.round(0.7 * small.height)
  for (let i = clothes; i < data.length; i += 4) data.set([176, 0, 176], i)
  return { ...small, data }
}

test('an outfit changes no pixel of the face', async () => {
  const { picture } = outfitTask(upright, 'suit')
  const dressed = await applyOutfit(upright, await painted(picture), host)
  const { eyes, eyesToChin } = headFrame(upright.points)
  const at = (x: number, y: number) => 4 * (Math.round(y) * dressed.width + Math.round(x))
  for (const down of [0, 0.2, 0.4]) {
    const i = at(eyes.x, eyes.y + down * eyesToChin)
    expect([...dressed.data.subarray(i, i + 40)]).toEqual([...picture.data.subarray(i, i + 40)])
  }
  const hem = at(dressed.width / 2, dressed.height - 8)
  expect([...dressed.data.subarray(hem, hem + 3)]).toEqual([176, 0, 176])
})

test('an outfit with the face moved, or of another person, is refused', async () => {
  const other = await decodePicture(photo('astronaut.jpg'))
  const half = await host.resize(upright.picture, Math.round(upright.picture.width / 2), upright.picture.height)
  for (const made of [other, half, { ...upright.picture, data: upright.picture.data.map(() => 200) }])
    await expect(applyOutfit(upright, made, host)).rejects.toMatchObject({ code: 'engine.little_alike' })
})
