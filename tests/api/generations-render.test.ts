import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { GenerationView } from '#features/generations/schemas.ts'
import { findLedgerProblems } from '#tests/support/audit-books.ts'
import { createFakeEngine, fail, gate, hang, succeed } from '../support/fake-engine.ts'
import {
  creditsOf,
  makePicture,
  reached,
  readGeneration,
  refusal,
  stopOpenGenerations,
  submitted,
} from '../support/submit.ts'
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts'

const engine = createFakeEngine()
let app: TestApp
let user: TestUser
let id: string

beforeAll(async () => {
  app = await createTestApp({ engine })
})
afterAll(() => app.stop())

beforeEach(async () => {
  engine.behave(succeed)
  user = await app.createUser()
  id = (await submitted(user)).id
  await reached(user, id, 'succeeded')
  engine.tasks.length = 0
})

afterEach(async () => {
  await stopOpenGenerations(app)
  expect(await creditsOf(user)).toBe(20)
  expect(await findLedgerProblems(app.deps.db)).toEqual([])
})

const render = (params: unknown, of = id) => user.request(`/api/generations/${of}/render`, { json: { params } })
const pixelsOf = async (view: GenerationView) => (await app.request(view.outputs[0]?.url as string)).text()
const filesOf = () => readdirSync(join(app.config.dataDir, 'files', 'generations', id)).sort()

async function renderWith(params: unknown, background: Uint8Array<ArrayBuffer>) {
  const body = new FormData()
  body.set('params', JSON.stringify(params))
  body.set('background', new Blob([background]), 'latar.png')
  return user.request(`/api/generations/${id}/render`, { method: 'POST', body })
}

describe('rendering a result again', () => {
  test('is free, uses the kept layers, and replaces the outputs', async () => {
    const before = await readGeneration(user, id)
    const answer = await render({ background: { type: 'color', color: '#ff0000' }, format: 'jpeg' })
    expect(answer.status).toBe(200)
    const view = (await answer.json()) as GenerationView
    expect(view).toMatchObject({
      id,
      status: 'succeeded',
      credits: 5,
      params: { subject: 'auto', format: 'jpeg', background: { color: '#ff0000' } },
    })
    expect(await pixelsOf(view)).toContain('#ff0000')
    expect(view.outputs[0]?.id).not.toBe(before.outputs[0]?.id)
    expect(view.thumbnailUrl).not.toBe(before.thumbnailUrl)
    expect(engine.tasks).toMatchObject([
      { step: 'render', kept: [{ label: 'alpha' }], inputs: { picture: [{ contentType: 'image/png' }] } },
    ])
    expect((await app.request(before.outputs[0]?.url as string)).status).toBe(404)
    // Source, layer, output, thumbnail: nothing of the first rendering is left.
    await vi.waitFor(() => expect(filesOf()).toHaveLength(4), 120_000)
    expect(await readGeneration(user, id)).toEqual(view)
  })

  test('accepts a picture as the new background, and keeps it for the next time', async () => {
    const params = { background: { type: 'image' } }
    expect(await refusal(await render(params))).toEqual([422, 'upload.missing'])
    const blue = await makePicture('#0000ff', 50, 50)
    expect((await renderWith(params, blue)).status).toBe(200)
    expect(engine.tasks.at(-1)?.inputs.background).toMatchObject([{ kind: 'picture', bytes: Buffer.from(blue) }])
    expect((await render({ ...params, crop: true })).status).toBe(200)
    expect(engine.tasks.at(-1)?.inputs.background).toMatchObject([{ kind: 'picture', bytes: Buffer.from(blue) }])
    const green = await makePicture('#00ff00', 50, 50)
    expect((await renderWith(params, green)).status).toBe(200)
    expect(engine.tasks.at(-1)?.inputs.background).toMatchObject([{ kind: 'picture', bytes: Buffer.from(green) }])
    // Also both backgrounds, for the way back.
    await vi.waitFor(() => expect(filesOf()).toHaveLength(6), 120_000)
  })

  test('steps back to every earlier rendering and forward again, each with its files', async () => {
    const step = async (rendering: number) =>
      (await user.request(`/api/generations/${id}/render`, { json: { rendering } })).json() as Promise<GenerationView>
    const blue = await makePicture('#0000ff', 50, 50)
    const green = await makePicture('#00ff00', 50, 50)
    await renderWith({ background: { type: 'image' } }, blue)
    await renderWith({ background: { type: 'image' } }, green)
    await render({ background: { type: 'color', color: '#ff0000' } })
    // Another format is the same picture.
    const last = (await (await render({ format: 'webp' })).json()) as GenerationView
    expect(last.rendering).toEqual({ position: 3, oldest: 0, newest: 3 })
    for (const [position, given] of [
      [2, green],
      [1, blue],
    ] as const) {
      const view = await step(position)
      expect(view).toMatchObject({ params: { background: { type: 'image' } }, rendering: { position, newest: 3 } })
      expect(engine.tasks.at(-1)?.inputs.background).toMatchObject([{ bytes: Buffer.from(given) }])
      expect(view.inputs.filter(({ input }) => input === 'background')).toHaveLength(1)
    }
    const first = await step(0)
    expect(first).toMatchObject({ params: { background: { type: 'transparent' } }, rendering: { position: 0 } })
    expect(await pixelsOf(first)).toContain('transparent')
    expect(engine.tasks.at(-1)?.inputs.background).toEqual([])
    expect((await step(3)).params).toMatchObject({ background: { color: '#ff0000' }, format: 'webp' })
    expect(engine.tasks.at(-1)?.inputs.background).toMatchObject([{ bytes: Buffer.from(green) }])
    await step(1)
    // A change from an earlier step adds a new step.
    const anew = (await (await render({ crop: true })).json()) as GenerationView
    expect(anew.rendering).toEqual({ position: 4, oldest: 0, newest: 4 })
    expect(engine.tasks.at(-1)?.inputs.background).toMatchObject([{ bytes: Buffer.from(blue) }])
    expect((await step(2)).params).toMatchObject({ background: { type: 'image' }, crop: false })
    expect(await refusal(await user.request(`/api/generations/${id}/render`, { json: { rendering: 9 } }))).toEqual([
      409,
      'generation.not_renderable',
    ])
  })

  test('that fails loses nothing: the old result, its parameters and its files stay', async () => {
    const before = await readGeneration(user, id)
    const files = filesOf()
    engine.behave(fail('engine.failed'))
    app.expectErrors(/engine\.failed/)
    const blue = await makePicture('#0000ff', 50, 50)
    expect(await refusal(await renderWith({ background: { type: 'image' } }, blue))).toEqual([500, 'engine.failed'])
    expect(await readGeneration(user, id)).toEqual(before)
    expect(await pixelsOf(before)).toContain('transparent')
    expect(filesOf()).toEqual(files)
    engine.behave(succeed)
    expect((await render({ crop: true })).status).toBe(200)
  })

  test.each([
    ['the paid options', { subject: 'person' }],
    ['a box', { box: { x: 0, y: 0, width: 10, height: 10 } }],
    ['an unknown option', { sharpness: 1 }],
    ['a colour that is none', { background: { type: 'color', color: 'red' } }],
    ['nothing that is an object', []],
  ])('cannot change %s', async (_name, params) => {
    expect(await refusal(await render(params))).toEqual([422, 'params.invalid'])
    expect(engine.tasks).toEqual([])
  })

  test('refuses a malicious background', async () => {
    const svg = new Uint8Array(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))
    expect(await refusal(await renderWith({ background: { type: 'image' } }, svg))).toEqual([415, 'upload.not_image'])
  })

  test('continues after its client disconnects, and is announced by an event', async () => {
    const hold = gate()
    engine.behave(hold.behaviour)
    const waiting = render({ crop: true })
    await vi.waitFor(() => expect(engine.tasks).toHaveLength(1), 120_000)
    expect(await readGeneration(user, id)).toMatchObject({ status: 'succeeded', params: { crop: false } })
    hold.open()
    expect((await waiting).status).toBe(200)
    expect(await readGeneration(user, id)).toMatchObject({ params: { crop: true } })
  })

  test('requires a result', async () => {
    engine.behave(hang)
    const rich = await app.createUser()
    const { id: running } = await submitted(rich)
    const answer = await rich.request(`/api/generations/${running}/render`, { json: { params: {} } })
    expect(await refusal(answer)).toEqual([409, 'generation.not_renderable'])
    await rich.request(`/api/generations/${running}/cancel`, { method: 'POST' })
  })

  test('of a generation deleted meanwhile leaves nothing behind', async () => {
    const hold = gate()
    engine.behave(hold.behaviour)
    app.expectErrors(/not_renderable/)
    const waiting = render({ crop: true })
    await vi.waitFor(() => expect(engine.tasks).toHaveLength(1), 120_000)
    expect((await user.request(`/api/generations/${id}`, { method: 'DELETE' })).status).toBe(204)
    hold.open()
    expect(await refusal(await waiting)).toEqual([409, 'generation.not_renderable'])
    await vi.waitFor(() => expect(filesOf).toThrow('ENOENT'), 120_000)
  })
})
