import { readFileSync } from 'node:fs'
import { deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import type { GenerationView } from '#features/generations/schemas.ts'
import { findLedgerProblems } from '#tests/support/audit-books.ts'
import { creditsOf, damagedPicture, reached, stopOpenGenerations, submitted } from '../support/submit.ts'
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts'

let app: TestApp
let user: TestUser

beforeAll(async () => {
  app = await createTestApp()
  user = await app.createUser()
})
afterAll(() => app.stop())
afterEach(async () => {
  await stopOpenGenerations(app)
  expect(await findLedgerProblems(app.deps.db)).toEqual([])
})

const outputOf = async (view: GenerationView) => {
  const answer = await app.request(view.outputs[0]?.url as string)
  return sharp(Buffer.from(await answer.arrayBuffer()))
}

test('a portrait comes back as a PNG with alpha of the same size, and in red as a JPEG for free', async () => {
  const portrait = new Uint8Array(readFileSync('tests/fixtures/photos/astronaut.jpg'))
  const { width, height } = await sharp(portrait).metadata()
  const { id } = await submitted(user, { image: portrait })
  const view = await reached(user, id, 'succeeded')
  const cut = await outputOf(view)
  expect(await cut.metadata()).toMatchObject({ format: 'png', width, height, hasAlpha: true })
  const { data } = await cut.raw().toBuffer({ resolveWithObject: true })
  const alpha = data.filter((_, index) => index % 4 === 3)
  const outside = alpha.indexOf(0)
  expect([outside, alpha.indexOf(255)].every((index) => index >= 0)).toBe(true)
  const params = { background: { type: 'color', color: '#db1514' }, format: 'jpeg' }
  const answer = await user.request(`/api/generations/${id}/render`, { json: { params } })
  expect(answer.status).toBe(200)
  const red = await outputOf((await answer.json()) as GenerationView)
  expect(await red.metadata()).toMatchObject({ format: 'jpeg', width, height })
  const painted = await red.raw().toBuffer()
  expect([...painted.subarray(3 * outside, 3 * outside + 3)].map((value) => Math.round(value / 20))).toEqual([11, 1, 1])
  expect(await creditsOf(user)).toBe(20)
})

test('a picture with a valid header and broken data costs nothing', async () => {
  for (const data of [Buffer.from('not deflated'), deflateSync(Buffer.alloc(10))]) {
    const before = await creditsOf(user)
    const image = damagedPicture(data)
    const { id } = await submitted(user, { image })
    expect(await reached(user, id)).toMatchObject({
      status: 'failed',
      error: { code: 'upload.unreadable' },
    })
    expect(await creditsOf(user)).toBe(before)
  }
})
