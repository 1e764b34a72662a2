import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { EngineError } from '#engine/error.ts'
import { consentVersions } from '#shared/consent.ts'
import { findLedgerProblems } from '#tests/support/audit-books.ts'
import type { PhotoCheck } from '#tools/contract/tool.ts'
import { createFakeEngine, fail, findNothing, hang, succeed } from '../support/fake-engine.ts'
import {
  creditsOf,
  makePicture,
  passRetryWaits,
  reached,
  refusal,
  type Submission,
  stopOpenGenerations,
  submit,
  submitted,
} from '../support/submit.ts'
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts'
import { upload } from '../support/upload.ts'

const engine = createFakeEngine()
const faceless: PhotoCheck = { warnings: [], problems: [{ path: 'picture', code: 'engine.no_face' }], facts: {} }
const consent = { kind: 'biometric', version: consentVersions.biometric }
let app: TestApp
let user: TestUser
let submission: Submission
let pictures = 0

beforeAll(async () => {
  app = await createTestApp({ engine })
})

afterAll(() => app.stop())

beforeEach(async () => {
  engine.behave(succeed)
  engine.behaveInChecks(findNothing)
  engine.tasks.length = 0
  user = await app.createUser()
  await user.request('/api/user/consents', { json: consent })
  submission = { tool: 'face-cutout', image: await makePicture('#c04020', 40 + pictures++) }
})

afterEach(async () => {
  await stopOpenGenerations(app)
  expect(await findLedgerProblems(app.deps.db)).toEqual([])
})

test('a generation is created during its check, and begins when the check has ended', async () => {
  const ended = Promise.withResolvers<PhotoCheck>()
  engine.behaveInChecks(() => ended.promise)
  const { id } = await submitted(user, submission)
  await reached(user, id, 'detecting')
  expect(engine.tasks).toEqual([])
  ended.resolve({ warnings: [], problems: [], facts: {} })
  expect(await reached(user, id)).toMatchObject({ status: 'succeeded' })
})

test('a generation whose check finds no person fails with the reason and costs nothing, and the next is refused', async () => {
  engine.behaveInChecks(async () => faceless)
  const { id } = await submitted(user, submission)
  expect(await reached(user, id)).toMatchObject({ status: 'failed', error: { code: 'engine.no_face' } })
  expect(engine.tasks).toEqual([])
  expect(await refusal(await submit(user, submission))).toEqual([422, 'engine.no_face'])
  expect(await creditsOf(user)).toBe(25)
})

test('a check whose thread crashes is retried, and its generation with it', async () => {
  const crash = Promise.withResolvers<never>()
  const asked = Promise.withResolvers<void>()
  engine.behaveInChecks(() => {
    asked.resolve()
    return crash.promise
  }, findNothing)
  const { id } = await submitted(user, submission)
  // Before the generation waits for it, a crashed check is repeated without an attempt.
  await reached(user, id, 'detecting')
  await asked.promise
  crash.reject(new EngineError('engine.crashed'))
  await passRetryWaits(app, id, 1)
  expect(await reached(user, id)).toMatchObject({ status: 'succeeded' })
})

test('a check that always crashes ends its generation, with a refund', async () => {
  engine.behaveInChecks(fail('engine.crashed'))
  const { id } = await submitted(user, submission)
  await passRetryWaits(app, id, 2)
  expect(await reached(user, id)).toMatchObject({ status: 'failed', error: { code: 'engine.crashed' } })
  expect(engine.tasks).toEqual([])
  expect(await creditsOf(user)).toBe(25)
})

test('a check that always takes too long ends its generation with that reason, and a refund', async () => {
  engine.behaveInChecks(fail('engine.timeout'))
  const { id } = await submitted(user, submission)
  await passRetryWaits(app, id, 2)
  expect(await reached(user, id)).toMatchObject({ status: 'failed', error: { code: 'engine.timeout' } })
  expect(engine.tasks).toEqual([])
  expect(await creditsOf(user)).toBe(25)
})

test('a slow check is reported as busy, not as failed, and a repeated request waits for the same check', async () => {
  const image = await makePicture('#4020c0', 90 + pictures++)
  const { id: sent } = await upload(user, image)
  const ask = () =>
    user.request('/api/tools/face-cutout/check', { json: { params: {}, inputs: { picture: [{ upload: sent }] } } })
  engine.behaveInChecks(fail('engine.timeout'), async () => faceless)
  const busy = await ask()
  expect([await refusal(busy), busy.headers.has('retry-after')]).toEqual([[503, 'server.busy'], true])

  const ended = Promise.withResolvers<PhotoCheck>()
  let checks = 0
  engine.behaveInChecks(() => {
    checks += 1
    return ended.promise
  })
  const both = [ask(), ask()]
  await vi.waitFor(() => expect(checks).toBe(1), { timeout: 300_000 })
  // A failed check names the fault, a passed one the rule.
  const item = (status: 'ok' | 'warning') => ({ code: 'mouth_closed', status })
  ended.resolve({ ...faceless, checks: [item('ok'), item('warning')] })
  for (const answer of await Promise.all(both)) {
    expect(await answer.json()).toMatchObject({
      problems: [{ code: 'engine.no_face' }],
      checks: [{ msg: 'Mulut tertutup' }, { msg: 'Mulut terbuka' }],
    })
  }
  expect(checks).toBe(1)
})

test('a place that no scene shows is told by the check, and refused without a charge until a shown one is chosen', async () => {
  const image = await makePicture('#20c080', 90 + pictures++)
  const given = { tool: 'background-diffusion', params: { prompt: 'di depan masjid' }, image }
  const { id: sent } = await upload(user, image)
  const ask = (params: object) =>
    user.request('/api/tools/background-diffusion/check', { json: { params, inputs: { picture: [{ upload: sent }] } } })
  expect(await (await ask(given.params)).json()).toMatchObject({
    problems: [{ path: 'prompt', code: 'tool.scene_unknown', msg: expect.stringContaining('belum bisa kami buat') }],
  })
  expect(await refusal(await submit(user, given))).toEqual([409, 'tool.scene_unknown'])
  expect(await creditsOf(user)).toBe(25)
  expect(engine.tasks).toEqual([])

  const chosen = { ...given.params, scene: 'hall' }
  expect(await (await ask(chosen)).json()).toMatchObject({ problems: [] })
  const { id } = await submitted(user, { ...given, params: chosen })
  expect(await reached(user, id)).toMatchObject({ status: 'succeeded' })
})

test('a generation cancelled while it waits for its check is refunded at once', async () => {
  engine.behaveInChecks(hang)
  const { id } = await submitted(user, submission)
  await reached(user, id, 'detecting')
  expect((await user.request(`/api/generations/${id}/cancel`, { method: 'POST' })).status).toBe(200)
  expect(await reached(user, id)).toMatchObject({ status: 'cancelled' })
  expect(await creditsOf(user)).toBe(25)
})

test('a price that depends on the check is charged after it', async () => {
  const face = { input: 'picture', position: 0, box: { x: 1, y: 1, width: 9, height: 9 } }
  engine.behaveInChecks(async () => ({ faces: [face, face], warnings: [], problems: [], facts: {} }))
  const group = { ...submission, tool: 'headshot', params: { mode: 'group' }, fields: { expected_credits: '20' } }
  expect(await refusal(await submit(user, group))).toEqual([409, 'credits.price_changed'])
})

test('if a person may be missing nothing is charged until the people are picked, in pixels of the picture', async () => {
  const unsure: PhotoCheck = {
    warnings: [],
    problems: [{ path: 'people', code: 'engine.people_unsure' }],
    facts: { people: [{ x: 0.1, y: 0, width: 0.3, height: 1 }] },
  }
  engine.behaveInChecks(async () => unsure)
  const given = { tool: 'background-removal', image: submission.image }
  const { id } = await submitted(user, given)
  expect(await reached(user, id)).toMatchObject({ status: 'failed', error: { code: 'engine.people_unsure' } })
  expect(engine.tasks).toEqual([])
  expect(await creditsOf(user)).toBe(25)
  engine.behaveInChecks(findNothing)
  const pick = (...people: object[]) => submit(user, { ...given, params: { people } })
  const person = { x: 0, y: 0, width: 20, height: 30 }
  expect((await refusal(await pick({ ...person, x: 4000 })))[1]).toBe('params.invalid')
  expect((await refusal(await pick()))[1]).toBe('params.invalid')
  const picked = (await (await pick(person)).json()) as { id: string }
  expect(await reached(user, picked.id)).toMatchObject({ status: 'succeeded', params: { people: [person] } })
})
