import { readFileSync } from 'node:fs'
import { crc32, deflateSync } from 'node:zlib'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { credits } from '#features/credits/server/credits.ts'
import type { GenerationView } from '#features/generations/contract.ts'
import { creditsOf, leaveNothingOpen, reached, submitted } from '../support/submit.ts'
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts'

const timeout = 120_000
let app: TestApp
let user: TestUser

beforeAll(async () => {
  app = await createTestApp()
  user = await app.registerAndVerify()
})
afterAll(() => app.stop())
afterEach(async () => {
  await leaveNothingOpen(app)
  expect(await credits.auditBooks(app.deps.db)).toEqual([])
})

const outputOf = async (view: GenerationView) => {
  const answer = await app.request(view.outputs[0]?.url as string)
  return sharp(Buffer.from(await answer.arrayBuffer()))
}

test('a portrait comes back as a PNG with alpha of the same size, and in red as a JPEG for free', {
  timeout,
}, async () => {
  const portrait = new Uint8Array(readFileSync('tests/fixtures/photos/astronaut.jpg'))
  const { width, height } = await sharp(portrait).metadata()
  const { id } = await submitted(user, { image: portrait })
  const view = await reached(user, id, 'succeeded', timeout)
  const cut = await outputOf(view)
  expect(await cut.metadata()).toMatchObject({ format: 'png', width, height, hasAlpha: true })
  const { data } = await cut.raw().toBuffer({ resolveWithObject: true })
  const alpha = data.filter((_, index) => index % 4 === 3)
  const outside = alpha.indexOf(0)
  expect([outside, alpha.indexOf(255)].every((place) => place >= 0)).toBe(true)
  const params = { background: { type: 'color', color: '#db1514' }, format: 'jpeg' }
  const answer = await user.request(`/api/generations/${id}/render`, { json: { params } })
  expect(answer.status).toBe(200)
  const red = await outputOf((await answer.json()) as GenerationView)
  expect(await red.metadata()).toMatchObject({ format: 'jpeg', width, height })
  const painted = await red.raw().toBuffer()
  expect([...painted.subarray(3 * outside, 3 * outside + 3)].map((value) => Math.round(value / 20))).toEqual([11, 1, 1])
  expect(await creditsOf(user)).toBe(20)
})

test('a picture whose header is right and whose data are not costs nothing', { timeout }, async () => {
  const chunk = (name: string, body: Uint8Array) => {
    const named = Buffer.concat([Buffer.from(name), body])
    const framed = Buffer.alloc(named.length + 8)
    framed.writeUInt32BE(body.length)
    framed.set(named, 4)
    framed.writeUInt32BE(crc32(named), named.length + 4)
    return framed
  }
  const header = Buffer.from([0, 0, 0x03, 0xe8, 0, 0, 0x03, 0xe8, 8, 2, 0, 0, 0])
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  for (const data of [Buffer.from('not deflated'), deflateSync(Buffer.alloc(10))]) {
    const before = await creditsOf(user)
    const image = new Uint8Array(
      Buffer.concat([signature, chunk('IHDR', header), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))]),
    )
    const { id } = await submitted(user, { image })
    expect(await reached(user, id, undefined, timeout)).toMatchObject({
      status: 'failed',
      error: { code: 'upload.unreadable' },
    })
    expect(await creditsOf(user)).toBe(before)
  }
})
