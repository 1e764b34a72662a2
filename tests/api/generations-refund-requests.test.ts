import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { credits } from '#features/credits/server/credits.ts'
import type { GenerationView } from '#features/generations/schemas.ts'
import { refundRequests } from '#features/generations/server/table.ts'
import { sweepFiles } from '#features/uploads/server/stored-files.ts'
import { findLedgerProblems } from '#tests/support/audit-books.ts'
import { createFakeEngine, gate, succeed } from '../support/fake-engine.ts'
import {
  creditsOf,
  makePicture,
  reached,
  readGeneration,
  refusal,
  stopOpenGenerations,
  submit,
  submitted,
} from '../support/submit.ts'
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts'

const engine = createFakeEngine()
let app: TestApp
let admin: TestUser
let user: TestUser
let result: GenerationView

beforeAll(async () => {
  app = await createTestApp({ engine })
  admin = await app.createUser({ role: 'admin' })
})
afterAll(() => app.stop())
beforeEach(async () => {
  engine.behave(succeed)
  user = await app.createUser()
  result = await reached(user, (await submitted(user)).id, 'succeeded')
  engine.tasks.length = 0
})
afterEach(async () => {
  await stopOpenGenerations(app)
  expect(await findLedgerProblems(app.deps.db)).toEqual([])
})

const call = (path: string, json: unknown, by = user) => by.request(`/api/generations/${result.id}/${path}`, { json })
const requestRefund = async () =>
  (await (await call('claim', { reason: 'Tepinya kasar' })).json()) as { status: string }
const addressesOf = ({ inputs, outputs, thumbnailUrl }: GenerationView) => ({
  inputs: inputs.map(({ url }) => url),
  made: [...outputs.map(({ url }) => url), `${outputs[0]?.url}&download`, thumbnailUrl as string],
})
const statusOf = async (address: string) => (await app.request(address)).status
const filesOf = () => readdirSync(join(app.config.dataDir, 'files', 'generations', result.id))

async function exhaustInstantRefunds() {
  const now = app.clock.now()
  for (let i = 0; i < 3; i++) {
    const { id } = await reached(
      user,
      (await submitted(user, { image: await makePicture(`#00${i}000`) })).id,
      'succeeded',
    )
    const facts = { generationId: id, userId: user.id, reason: 'Kasar', status: 'refunded' as const, refunded: 5 }
    await app.deps.db.insert(refundRequests).values({ ...facts, createdAt: now, decidedAt: now })
    await app.deps.db.transaction((tx) => credits.refund(tx as never, { userId: user.id, generationId: id, now }))
  }
}

/** Everything that would make the result again is gone; the user's own pictures are not. */
async function expectGone() {
  const { inputs, made } = addressesOf(result)
  for (const address of made) expect([address, await statusOf(address)]).toEqual([address, 404])
  for (const address of inputs) expect(await statusOf(address)).toBe(200)
  const view = await readGeneration(user, result.id)
  expect(view).toMatchObject({
    status: 'succeeded',
    outputs: [],
    thumbnailUrl: null,
    refundRequest: { status: 'refunded' },
  })
  expect(await refusal(await call('render', { params: { format: 'webp' } }))).toEqual([409, 'generation.refunded'])
  const again = { tool: 'background-removal', inputs: { picture: [{ file: result.outputs[0]?.id }] } }
  const headers = { 'idempotency-key': crypto.randomUUID() }
  expect(await refusal(await user.request('/api/generations', { json: again, headers }))).toEqual([
    404,
    'file.not_found',
  ])
  await vi.waitFor(() => expect(filesOf()).toHaveLength(1), 120_000)
}

describe('a refunded result', () => {
  test('cannot be downloaded, rendered or used again', async () => {
    for (const address of addressesOf(result).made) expect(await statusOf(address)).toBe(200)
    expect(await requestRefund()).toMatchObject({ status: 'refunded', refunded: 5 })
    await expectGone()
    expect(engine.tasks).toEqual([])
    expect(await creditsOf(user)).toBe(25)
  })

  test('is not restored by a rendering in progress', async () => {
    const hold = gate()
    engine.behave(hold.behaviour)
    app.expectErrors(/not_renderable/)
    const waiting = call('render', { params: { crop: true } })
    await vi.waitFor(() => expect(engine.tasks).toHaveLength(1), 120_000)
    await requestRefund()
    hold.open()
    expect(await refusal(await waiting)).toEqual([409, 'generation.not_renderable'])
    expect((await readGeneration(user, result.id)).params).toEqual(result.params)
    await expectGone()
  })

  test('stays visible to the admin until the decision', async () => {
    await exhaustInstantRefunds()
    expect(await requestRefund()).toMatchObject({ status: 'waiting', refunded: 0 })
    for (const address of addressesOf(result).made) expect(await statusOf(address)).toBe(200)
    expect((await call('render', { params: { format: 'webp' } })).status).toBe(200)
    result = await readGeneration(user, result.id)
    const opened = () => admin.request(`/api/admin/claims/${result.id}/files/${result.outputs[0]?.id}`)
    expect((await opened()).status).toBe(200)
    const decided = await admin.request(`/api/admin/claims/${result.id}`, {
      json: { accept: true, reason: 'Sudah dilihat' },
    })
    expect(decided.status).toBe(204)
    await expectGone()
    expect((await opened()).status).toBe(404)
  })

  test('stays when an admin declines', async () => {
    await exhaustInstantRefunds()
    await requestRefund()
    await admin.request(`/api/admin/claims/${result.id}`, { json: { accept: false, reason: 'Sudah dilihat' } })
    for (const address of addressesOf(result).made) expect(await statusOf(address)).toBe(200)
    expect((await call('render', { params: { format: 'webp' } })).status).toBe(200)
  })

  test('leaves no file when the process dies before they are deleted', async () => {
    const remove = vi.spyOn(app.deps.store, 'delete').mockRejectedValueOnce(new Error('the process died'))
    await requestRefund()
    remove.mockRestore()
    expect(filesOf().length).toBeGreaterThan(1)
    for (const address of addressesOf(result).made) expect(await statusOf(address)).toBe(404)
    app.clock.advance({ days: 2 })
    await sweepFiles(app.deps)
    expect(filesOf()).toHaveLength(1)
  })
})

test('the same picture costs again after its result was refunded', async () => {
  await requestRefund()
  expect((await submit(user)).status).toBe(201)
  expect(await creditsOf(user)).toBe(20)
})
