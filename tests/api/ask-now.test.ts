import { readFileSync } from 'node:fs'
import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { encodeTask } from '#engine/node/task-files.ts'
import { providerJobs } from '#features/generations/server/table.ts'
import type { JobReport } from '#providers/provider.ts'
import { contentRefusals } from '#server/moderation/table.ts'
import type { PhotoCheckView, ToolView } from '#tools/contract/schemas.ts'
import { createFakeProvider, type FakeProvider } from '../support/fake-provider.ts'
import { creditsOf, reached, refusal, submitted } from '../support/submit.ts'
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts'
import { upload } from '../support/upload.ts'

let app: TestApp
let user: TestUser
let photo: Uint8Array<ArrayBuffer>
const providers: FakeProvider[] = []
let guard: FakeProvider
let painter: FakeProvider

const verdict = (unsafe: number): JobReport => ({ state: 'done', result: { files: [], data: { unsafe } } })

beforeAll(async () => {
  app = await createTestApp({ providers })
})
afterAll(() => app.stop())
let side = 300
beforeEach(async () => {
  // Checks are cached, so each test needs its own picture.
  side += 1
  const coffee = readFileSync(new URL('../fixtures/photos/coffee.jpg', import.meta.url))
  photo = new Uint8Array(await sharp(coffee).resize(side).jpeg().toBuffer())
  guard = createFakeProvider('guard', { tasks: ['safety'] })
  painter = createFakeProvider('painter', { tasks: ['background'] })
  providers.splice(0, providers.length, painter, guard)
  user = await app.createUser()
})

const run = () =>
  submitted(user, { tool: 'background-diffusion', params: { variants: 1, prompt: 'taman' }, image: photo })

test('a forbidden picture is refused before any provider gets it, and nothing is charged', async () => {
  guard.answer(verdict(0.9))
  const { id } = await run()
  expect(await reached(user, id, 'failed')).toMatchObject({ error: { code: 'engine.unsafe_picture' } })
  expect(await creditsOf(user)).toBe(25)
  expect(painter.calls).toEqual([])
})

test('a picture is not processed while the safety check is unavailable, and nothing is charged', async () => {
  guard.answer({ state: 'failed', reason: 'the classifier ended' })
  const { id } = await run()
  expect(await reached(user, id, 'failed')).toMatchObject({ error: { code: 'engine.unchecked_picture' } })
  expect(await creditsOf(user)).toBe(25)
  expect(painter.calls).toEqual([])
})

test('an allowed picture is processed, and the result does not name the provider of the safety check', async () => {
  guard.answer(verdict(0.1))
  providers.splice(0, 1)
  const { id } = await run()
  expect(await reached(user, id)).toMatchObject({ status: 'succeeded', provider: 'local' })
  expect(guard.calls).toContain('submit safety')
  const jobs = await app.deps.db.select().from(providerJobs)
  expect(jobs.find(({ generationId, task }) => generationId === id && task === 'safety')?.state).toBe('done')
})

async function agree() {
  const { current } = (await (await user.request('/api/user/consents')).json()) as { current: { biometric: string } }
  await user.request('/api/user/consents', { json: { kind: 'biometric', version: current.biometric } })
}

test.each(['headshot', 'face-cutout', 'passport-photo'])(
  'the free check of %s reports a forbidden picture before anything is paid',
  async (tool) => {
    guard.answer(verdict(0.9))
    await agree()
    const form = new FormData()
    form.set('image', new Blob([photo], { type: 'image/jpeg' }), 'photo.jpg')
    form.set('params', '{}')
    const response = await user.request(`/api/tools/${tool}/check`, { method: 'POST', body: form })
    const { problems } = (await response.json()) as PhotoCheckView
    expect(problems.map(({ code }) => code)).toContain('engine.unsafe_picture')
  },
)

test('a forbidden picture becomes no cartoon, and nothing is charged', async () => {
  guard.answer(verdict(0.9))
  await agree()
  const { id } = await submitted(user, { tool: 'cartoonizer', image: photo })
  expect(await reached(user, id, 'failed')).toMatchObject({ error: { code: 'engine.unsafe_picture' } })
  expect(await creditsOf(user)).toBe(25)
})

test('a forbidden picture reaches no designer, and counts towards a limit of the account', async () => {
  const picture = async () => ({ upload: (await upload(user, photo)).id })
  const edit = (...attachments: { upload: string }[]) => {
    const fields = { title: 'Rapikan', whatsapp: '081234567890', email: user.email, description: 'Rapikan latarnya' }
    const headers = { 'idempotency-key': crypto.randomUUID() }
    return user.request('/api/custom_edits', { json: { ...fields, attachments }, headers })
  }
  guard.answer(verdict(0.9))
  expect(await refusal(await edit(await picture()))).toEqual([422, 'engine.unsafe_picture'])
  expect(await refusal(await edit(await picture()))).toEqual([422, 'engine.unsafe_picture'])
  const { id } = (await (await edit()).json()) as { id: string }
  const message = { text: 'Seperti ini', pictures: [await picture()] }
  const sent = await user.request(`/api/custom_edits/${id}/messages`, { json: message })
  expect(await refusal(sent)).toEqual([422, 'engine.unsafe_picture'])
  const own = eq(contentRefusals.userId, user.id)
  const counted = await app.deps.db.select().from(contentRefusals).where(own)
  expect(counted).toMatchObject([{ kind: 'picture', tool: 'customize-edit' }])
  guard.answer(verdict(0.1))
  expect((await edit()).status).toBe(201)
})

test('a tapped object is found by the engine, or by a model, as a mask of the picture’s size', async () => {
  const picture = (await sharp(photo).resize(64, 48).jpeg().toBuffer()).toString('base64')
  const tap = (points = [{ x: 20, y: 10, keep: true }]) => user.request('/api/select', { json: { picture, points } })
  const whole = { picture: Buffer.from(photo).toString('base64'), points: [{ x: 135, y: 100, keep: true }] }
  const byEngine = await user.request('/api/select', { json: whole })
  const cup = await sharp(Buffer.from(await byEngine.arrayBuffer()))
    .raw()
    .toBuffer({ resolveWithObject: true })
  const at = (x: number, y: number) => cup.data[(y * side + x) * cup.info.channels]
  expect([cup.info.width, at(135, 100), at(0, 0)]).toEqual([side, 255, 0])
  const torn = { picture: picture.slice(0, 100), points: [{ x: 1, y: 1, keep: true }] }
  expect(await refusal(await user.request('/api/select', { json: torn }))).toEqual([422, 'upload.unreadable'])
  const selector = createFakeProvider('selector', { tasks: ['selectObject'] })
  providers.push(selector)
  const alpha = { width: 64, height: 48, data: new Float32Array(64 * 48).fill(1, 0, 640) }
  selector.answer({ state: 'done', result: await encodeTask({ alpha }) })
  const found = await tap()
  expect([found.status, found.headers.get('content-type')]).toEqual([200, 'image/png'])
  const mask = await sharp(Buffer.from(await found.arrayBuffer()))
    .raw()
    .toBuffer()
  expect([mask[0], mask.at(-1)]).toEqual([255, 0])
  expect((await tap([])).status).toBe(422)
  const { items } = (await (await app.request('/api/tools')).json()) as { items: ToolView[] }
  expect(items.find(({ id }) => id === 'object-removal')?.others).toEqual(['selectObject'])
  expect(items.find(({ id }) => id === 'background-diffusion')?.others).toEqual([
    'safety',
    'background',
    'selectObject',
  ])
})

test('a picture that is only tapped is sent to no hosted service', async () => {
  const hosted = Object.assign(createFakeProvider('hosted', { tasks: ['selectObject'] }), { remote: true })
  providers.push(hosted)
  const picture = (await sharp(photo).resize(64, 48).jpeg().toBuffer()).toString('base64')
  const points = [{ x: 20, y: 10, keep: true }]
  expect((await user.request('/api/select', { json: { picture, points } })).status).toBe(200)
  expect(hosted.calls).toEqual([])
})
