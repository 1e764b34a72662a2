import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { GenerationView } from '#features/generations/schemas.ts'
import { consentVersions } from '#shared/consent.ts'
import { photo } from '../support/composites.ts'
import { creditsOf, reached, refusal, stopOpenGenerations, submit, submitted } from '../support/submit.ts'
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts'

let app: TestApp
let admin: TestUser
let user: TestUser

beforeAll(async () => {
  app = await createTestApp()
  admin = await app.createUser({ role: 'admin' })
})
afterAll(() => app.stop())
beforeEach(async () => {
  user = await app.createUser()
  await user.request('/api/user/consents', { json: { kind: 'biometric', version: consentVersions.biometric } })
})
afterEach(() => stopOpenGenerations(app))

const small = async (name: string, width = 300) =>
  new Uint8Array(await sharp(photo(name)).resize(width).png().toBuffer())
const [admiral, astronaut, cat, group] = await Promise.all([
  small('grace_hopper.jpg'),
  small('astronaut.jpg'),
  small('chelsea.jpg'),
  small('group.jpg', 900),
])

describe('the visible mark of a swap, if required by admins,', () => {
  /** The lower right corner, which no face reaches, differs from the target's. */
  const isMarked = async (view: GenerationView) => {
    const response = await app.request(view.outputs[0]?.url as string)
    const [before, after] = await Promise.all(
      [admiral, new Uint8Array(await response.arrayBuffer())].map(async (bytes) => {
        const { width, height } = await sharp(bytes).metadata()
        const corner = { left: width - 60, top: height - 30, width: 60, height: 30 }
        return sharp(bytes).extract(corner).removeAlpha().raw().toBuffer()
      }),
    )
    return !before?.equals(after as Buffer)
  }
  const require = async (markRequired: boolean) => {
    const response = await admin.request('/api/admin/tools/swap-face', { method: 'PATCH', json: { markRequired } })
    expect(response.status).toBe(200)
  }
  const again = async (id: string, params: object) => {
    const response = await user.request(`/api/generations/${id}/render`, { json: { params } })
    expect(response.status).toBe(200)
    return (await response.json()) as GenerationView
  }

  test('is on every result, whatever the user chose, until it is no longer required', async () => {
    await require(true)
    const params = { consent: true, mark: false, format: 'png' }
    const { id } = await submitted(user, { tool: 'swap-face', image: admiral, files: { faces: astronaut }, params })
    const view = await reached(user, id, 'succeeded')
    expect([view.params.mark, await isMarked(view)]).toEqual([true, true])
    expect(await isMarked(await again(id, { mark: false }))).toBe(true)

    await require(false)
    expect(await isMarked(await again(id, { mark: false }))).toBe(false)
  })
})

describe('an unusable portrait', () => {
  /** Name of the result and of the photo, tool, photo, files, parameters, refusal. */
  type Portrait = [string, string, string, typeof cat, object, object, string]
  const otherPortraits: Portrait[] = [
    ['a headshot', 'a cat', 'headshot', cat, {}, {}, 'engine.no_face'],
    ['a face cut-out', 'a cat', 'face-cutout', cat, {}, {}, 'engine.no_face'],
    ['a passport photo', 'a cat', 'passport-photo', cat, {}, {}, 'engine.no_face'],
    ['a passport photo', 'three people', 'passport-photo', group, {}, {}, 'engine.several_faces'],
  ]
  test.each<Portrait>([
    // The engine of each tool has a test of what it refuses (src/tools/*/engine).
    ...(process.env.SOAK ? otherPortraits : []),
    ['a headshot', 'one of three people', 'headshot', group, {}, {}, 'engine.face_not_chosen'],
    ['a swap', 'a cat', 'swap-face', cat, { faces: astronaut }, { consent: true }, 'engine.no_face'],
  ])(
    '%s of %s is refunded with an explanation, and refused from then on',
    async (_, __, tool, image, files, params, code) => {
      const given = { tool, image, files: files as Record<string, typeof cat>, params }
      const { id } = await submitted(user, given)
      const { error } = await reached(user, id, 'failed')
      expect(error).toMatchObject({ code, msg: expect.stringMatching(/\w+ \w+/) })
      expect(await refusal(await submit(user, given))).toEqual([422, code])
      expect(await creditsOf(user)).toBe(25)
    },
  )

  test.each([
    ['a swap', 'people who were not asked', 'swap-face', admiral, { faces: astronaut }, {}, 'params.invalid'],
    ['a swap', 'one picture only', 'swap-face', admiral, {}, { consent: true }, 'upload.missing'],
  ])('%s of %s is refused with an explanation and costs nothing', async (_, __, tool, image, files, params, code) => {
    const response = await submit(user, { tool, image, files: files as Record<string, typeof cat>, params })
    expect(await refusal(response)).toEqual([422, code])
    expect(await creditsOf(user)).toBe(25)
  })

  test('a cartoon needs no face', async () => {
    const { id } = await submitted(user, { tool: 'cartoonizer', image: cat })
    expect(await reached(user, id)).toMatchObject({
      status: 'succeeded',
      outputs: [{ width: 300 }],
    })
  })
})
