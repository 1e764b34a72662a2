import sharp from 'sharp'
import { expect, test } from 'vitest'
import { createPlane, type Picture } from '#engine/image/picture.ts'
import { cropPicture } from '#engine/image/pixels.ts'
import { decodePicture } from '#engine/node/codecs.ts'
import { photo } from '#tests/support/composites.ts'
import { testHost } from '#tests/support/test-host.ts'
import { passportPhoto } from '../contract/definition.ts'
import { passportPhotoEngine } from './engine.ts'
import { cutPerson, findPerson, showsOldBackground, turnUpright } from './portrait.ts'

const host = testHost()
const load = async (name: string) => decodePicture(await sharp(photo(name)).png().toBuffer())

test('what the generation would refuse is told by the check', async () => {
  const picture = await load('grace_hopper.jpg')
  const blind = {
    ...host,
    personMask: async ({ width, height }: Picture) => createPlane(width, height),
    salience: async ({ width, height }: Picture) => ({ width, height, data: new Uint8Array(width * height) }),
  }
  const input = { params: passportPhoto.defaults, inputs: { picture: [picture] }, done: {} }
  const refused = await passportPhotoEngine.generate!(input, blind).then(
    () => undefined,
    (error: { code: string }) => error.code,
  )
  expect(refused).toBeDefined()
  expect((await passportPhotoEngine.check!(input, blind)).problems).toEqual([{ path: 'picture', code: refused }])
  expect((await passportPhotoEngine.check!(input, host)).problems).toEqual([])
})

test('the old background counts in hair where its colour stays and differs from the new one', async () => {
  const { face } = await findPerson(await load('astronaut.jpg'), host)
  const upright = turnUpright(await load('astronaut.jpg'), face!)
  const { person, head } = await cutPerson(upright, host)
  // A green wall, whose colour remains in every translucent pixel.
  const [wall, stained] = [cropPicture(upright.picture, whole(person)), cropPicture(person, whole(person))]
  const green = [30, 200, 60] as const
  for (let i = 0; i < person.data.length; i += 4) {
    const alpha = (person.data[i + 3] as number) / 255
    if (alpha < 0.03) wall.data.set(green, i)
    for (const [c, value] of green.entries()) {
      stained.data[i + c] = alpha * (person.data[i + c] as number) + (1 - alpha) * value
    }
  }
  expect(showsOldBackground(person, wall, head, '#DB1514')).toBe(false)
  expect(showsOldBackground(stained, wall, head, '#DB1514')).toBe(true)
  expect(showsOldBackground(stained, wall, head, '#1EC83C')).toBe(false)
})

test('no pixel above the end of the photograph is part of the person', async () => {
  const { face } = await findPerson(await load('astronaut.jpg'), host)
  const upright = turnUpright(await load('astronaut.jpg'), face!)
  const { head } = await cutPerson(upright, host)
  const end = Math.round(head.crown.y + 0.2 * head.eyesToChin)
  const { person } = await cutPerson({ ...upright, view: { scale: 1, angle: 0, x: 0, y: end } }, host)
  const alpha = (row: number) => person.data[4 * (row * person.width + Math.round(head.crown.x)) + 3]
  expect([alpha(end - 3), alpha(end + 3)]).toEqual([0, 255])
})

const whole = ({ width, height }: Picture) => ({ x: 0, y: 0, width, height })
