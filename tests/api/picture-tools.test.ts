import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Stroke } from '#shared/media.ts'
import { photo } from '../support/composites.ts'
import { creditsOf, reached, refusal, stopOpenGenerations, submit, submitted } from '../support/submit.ts'
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts'

let app: TestApp
let user: TestUser
let picture: Uint8Array<ArrayBuffer>

beforeAll(async () => {
  app = await createTestApp()
  picture = new Uint8Array(await sharp(photo('brick.jpg')).resize(160, 120, { fit: 'cover' }).png().toBuffer())
})
afterAll(() => app.stop())
beforeEach(async () => {
  user = await app.createUser()
})
afterEach(() => stopOpenGenerations(app))

const marked: Stroke = { mode: 'keep', shape: 'line', size: 12, points: [60, 60, 90, 66] }

test('object removal takes strokes, is paid once, and delivers a picture of the same size', async () => {
  const { id } = await submitted(user, { tool: 'object-removal', image: picture, params: { strokes: [marked] } })
  const { status, outputs } = await reached(user, id)
  expect([status, outputs]).toMatchObject(['succeeded', [{ contentType: 'image/png', width: 160, height: 120 }]])
  expect(await creditsOf(user)).toBe(20)
})

test('object removal with nothing marked is refused before anything is charged', async () => {
  const erased = { ...marked, mode: 'erase' }
  for (const strokes of [[], [erased]]) {
    const answer = await submit(user, { tool: 'object-removal', image: picture, params: { strokes } })
    expect(await refusal(answer)).toEqual([422, 'upload.missing'])
  }
  expect(await creditsOf(user)).toBe(25)
})

test('the enhancer delivers twice the size', async () => {
  const { id } = await submitted(user, { tool: 'enhancement', image: picture })
  const { status, outputs } = await reached(user, id)
  expect([status, outputs]).toMatchObject(['succeeded', [{ contentType: 'image/jpeg', width: 320, height: 240 }]])
})

test('an enlargement beyond 50 megapixels is refused before anything is charged', async () => {
  const large = await sharp({ create: { width: 3000, height: 1200, channels: 3, background: '#888' } })
    .png()
    .toBuffer()
  const answer = await submit(user, { tool: 'enhancement', image: new Uint8Array(large), params: { scale: 4 } })
  expect((await refusal(answer))[0]).toBe(422)
  expect(await creditsOf(user)).toBe(25)
})
