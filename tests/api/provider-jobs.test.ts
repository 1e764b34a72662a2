import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { AuditEntryView } from '#features/audit/schemas.ts'
import { isOpenStatus } from '#features/generations/rules.ts'
import type { ComparisonView, ProviderView, TaskView } from '#features/generations/schemas.ts'
import { resendJobs } from '#features/generations/server/execution/resend-jobs.ts'
import { generationFiles, generations, providerJobs, providerOrders } from '#features/generations/server/table.ts'
import { followJob } from '#features/generations/server/tasks/follow-job.ts'
import { cancelUnwantedJobs } from '#features/generations/server/tasks/provider-jobs.ts'
import type { Database } from '#server/db/database.ts'
import { findLedgerProblems } from '#tests/support/audit-books.ts'
import { createEnginePool } from '#tools/threads/pool.ts'
import { createFakeProvider, type FakeProvider, greyResult } from '../support/fake-provider.ts'
import { creditsOf, makePicture, reached, refusal, stopOpenGenerations, submitted } from '../support/submit.ts'
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts'
import { testTools } from '../support/test-tools.ts'

let app: TestApp
let user: TestUser
let admin: TestUser
const providers: FakeProvider[] = []
let first: FakeProvider
let second: FakeProvider

const engine = createEnginePool({ size: 1, entry: new URL('../support/test-engine-thread.ts', import.meta.url) })

beforeAll(async () => {
  app = await createTestApp({ engine, tools: testTools, providers })
  admin = await app.createUser({ role: 'admin' })
})
afterAll(() => app.stop())
beforeEach(async () => {
  first = createFakeProvider('first')
  second = createFakeProvider('second')
  providers.splice(0, providers.length, first, second)
  user = await app.createUser()
})
afterEach(async () => {
  await stopOpenGenerations(app)
  await app.deps.db.delete(providerOrders)
  expect(await findLedgerProblems(app.deps.db)).toEqual([])
})

const montage = async (params = {}) => ({
  tool: 'montage',
  params,
  image: await makePicture('#102030'),
  files: { back: await makePicture('#203040') },
})
const jobsOf = (id: string) =>
  app.deps.db.select().from(providerJobs).where(eq(providerJobs.generationId, id)).orderBy(providerJobs.createdAt)
const running = { state: 'running', pollAfterSeconds: 3600, progress: 0.4 } as const
/** The generation waits for its provider and no worker holds it. */
const waiting = (id: string) =>
  vi.waitFor(async () => {
    const [row] = await app.deps.db.select().from(generations).where(eq(generations.id, id))
    expect(row?.waitUntil).not.toBeNull()
  }, 120_000)
/** Lets the sweep resume the generation. */
const wake = async (id: string) => {
  await app.deps.db.update(generations).set({ waitUntil: app.clock.now() }).where(eq(generations.id, id))
  app.clock.advance({ seconds: 5 })
  await vi.waitFor(async () => {
    await resendJobs(app.deps)
    const [row] = await app.deps.db.select().from(generations).where(eq(generations.id, id))
    // An attempt that was running meanwhile may have ended the generation.
    const hasEnded = row !== undefined && !isOpenStatus(row.status)
    expect(hasEnded || row?.waitUntil === null || Number(row?.waitUntil) > Number(app.clock.now())).toBe(true)
  }, 120_000)
}

describe('a task of a generation', () => {
  test('is done by the first provider of its list, which is named on the result and not used to render it again', async () => {
    const { id } = await submitted(user, await montage())
    expect(await reached(user, id)).toMatchObject({ status: 'succeeded', provider: 'first', warnings: [{}] })
    expect(await jobsOf(id)).toMatchObject([
      { taskKey: 'front/0', task: 'inpaint', provider: 'first', state: 'done', externalId: 'job-1', sent: 1 },
    ])
    const again = await user.request(`/api/generations/${id}/render`, { json: { params: { tint: 3 } } })
    expect(await again.json()).toMatchObject({ provider: 'first', facts: { tint: 3 } })
    expect(first.calls).toEqual(['submit inpaint', 'poll job-1'])
    const files = await app.deps.db.select().from(generationFiles).where(eq(generationFiles.generationId, id))
    expect(files.filter(({ role }) => role === 'task')).toMatchObject([{ label: 'front/0/picture', width: 8 }])
  })

  test('that takes long blocks no thread and no job, and its progress is shown', async () => {
    first.answer(running)
    const { id } = await submitted(user, await montage())
    await waiting(id)
    expect(await reached(user, id, 'generating')).toMatchObject({ progress: expect.closeTo(0.4, 5) })
    providers.length = 0
    await reached(user, (await submitted(user, await montage())).id, 'succeeded')
    providers.push(first, second)
    first.answer({ state: 'failed', reason: 'the card is too small' })
    await wake(id)
    expect(await reached(user, id)).toMatchObject({ status: 'succeeded', provider: 'second' })
  })

  test('is polled by its id after the process died while waiting, and paid once', async () => {
    first.answer(running)
    const { id } = await submitted(user, await montage())
    await waiting(id)
    first.answer(await greyResult(9))
    await wake(id)
    expect(await reached(user, id)).toMatchObject({ status: 'succeeded', provider: 'first' })
    expect(first.calls).toEqual(['submit inpaint', 'poll job-1', 'poll job-1'])
    const [row] = await app.deps.db.select().from(generations).where(eq(generations.id, id))
    expect(row).toMatchObject({ attempts: 1, fallbackFrom: null })
  })

  test('keeps its result when the answer to the commit is lost', async () => {
    first.answer(running)
    const { id } = await submitted(user, await montage())
    await waiting(id)
    first.answer(await greyResult(9))
    const [row] = await app.deps.db.select().from(generations).where(eq(generations.id, id))
    const [job] = await jobsOf(id)
    const db: Database = Object.create(app.deps.db, {
      transaction: {
        async value(body: Parameters<Database['transaction']>[0]) {
          await app.deps.db.transaction(body)
          throw Object.assign(new Error('Connection terminated unexpectedly'), { code: '08006' })
        },
      },
    })
    const followed = await followJob({ ...app.deps, engine, db }, row!, job!, {
      signal: AbortSignal.timeout(300_000),
      seconds: 300,
    })
    expect(followed.job).toMatchObject({ state: 'done' })
    await wake(id)
    expect(await reached(user, id)).toMatchObject({ status: 'succeeded', provider: 'first' })
    expect(first.calls.filter((call) => call.startsWith('submit'))).toHaveLength(1)
  })

  /** As the rows are when a process dies after the request was sent and before the id came back. */
  const dieUnanswered = async (id: string) => {
    await waiting(id)
    await app.deps.db
      .update(providerJobs)
      .set({ state: 'asked', externalId: null })
      .where(eq(providerJobs.generationId, id))
    await wake(id)
  }

  test('with a lost response is looked up by its reference, and paid once', async () => {
    first.answer(running)
    const { id } = await submitted(user, await montage())
    await waiting(id)
    first.answer({ state: 'running', pollAfterSeconds: 1 })
    await dieUnanswered(id)
    first.answer(await greyResult(9))
    await wake(id)
    expect(await reached(user, id)).toMatchObject({ provider: 'first' })
    expect(first.calls.filter((call) => call.startsWith('submit'))).toHaveLength(1)
    expect(first.calls).toContain('find')
  })

  test('with a lost response at a provider without a lookup goes to the next, and is never sent there twice', async () => {
    first.find = undefined as never
    first.answer(running)
    const { id } = await submitted(user, await montage())
    await dieUnanswered(id)
    expect(await reached(user, id)).toMatchObject({ provider: 'second' })
    expect(first.calls).toEqual(['submit inpaint', 'poll job-1'])
  })

  test('that its provider has lost is sent again, but not for ever', async () => {
    first.answer({ state: 'lost' })
    const { id } = await submitted(user, await montage())
    expect(await reached(user, id)).toMatchObject({ provider: 'second' })
    expect(first.calls.filter((call) => call.startsWith('submit'))).toHaveLength(3)
    expect(await jobsOf(id)).toMatchObject([{ error: 'lost 3 times' }, { state: 'done' }])
  })

  test('without a working provider is done by the engine for the same price, and admins see the reason', async () => {
    first.onSubmit = () => {
      throw new Error('no such model')
    }
    second.answer({ state: 'failed', reason: 'out of memory', cost: 0.01 })
    const { id, credits } = await submitted(user, await montage())
    const view = await reached(user, id)
    expect(view).toMatchObject({ status: 'succeeded', provider: 'local', credits })
    expect(view.warnings.map(({ code }) => code)).toContain('provider_fallback')
    expect(await jobsOf(id)).toMatchObject([
      { provider: 'first', state: 'failed' },
      { provider: 'second', state: 'failed', error: 'out of memory' },
      { provider: 'local', state: 'done' },
    ])
    expect(await creditsOf(user)).toBe(25 - credits)
  })

  test('is cancelled at the provider with its generation, and refunded', async () => {
    first.answer(running)
    const { id } = await submitted(user, await montage())
    await waiting(id)
    expect((await user.request(`/api/generations/${id}/cancel`, { method: 'POST' })).status).toBe(200)
    await cancelUnwantedJobs(app.deps)
    await vi.waitFor(async () => expect(await jobsOf(id)).toMatchObject([{ state: 'cancelled' }]), 120_000)
    expect(first.calls).toContain('cancel job-1')
    expect(await creditsOf(user)).toBe(25)
  })

  test('is polled again while its provider is unreachable, until its time is over', async () => {
    first.answer(new Error('the line is dead'))
    const { id } = await submitted(user, await montage())
    await waiting(id)
    const long = new Date(app.clock.now().getTime() - 2 * 3_600_000)
    await app.deps.db.update(providerJobs).set({ sentAt: long }).where(eq(providerJobs.generationId, id))
    await wake(id)
    expect(await reached(user, id)).toMatchObject({ provider: 'second' })
  })
})

test('admins see the tasks, speed, cost and failures of each provider', async () => {
  await app.deps.db.delete(providerJobs)
  const view = async () => {
    const { items } = (await (await admin.request('/api/admin/providers')).json()) as { items: ProviderView[] }
    return items.find(({ id }) => id === 'first')
  }
  expect(await view()).toMatchObject({ running: 0, medianSeconds: null, spent: 0, failures: 0, lastError: null })
  first.answer(running)
  const { id } = await submitted(user, await montage())
  await waiting(id)
  expect(await view()).toMatchObject({ running: 1, medianSeconds: null })
  const minutesAgo = (minutes: number) => new Date(app.clock.now().getTime() - 60_000 * minutes)
  const of = eq(providerJobs.generationId, id)
  await app.deps.db
    .update(providerJobs)
    .set({ state: 'done', sentAt: minutesAgo(3), endedAt: minutesAgo(1), cost: 0.5 })
    .where(of)
  expect(await view()).toMatchObject({ running: 0, medianSeconds: 120, spent: 0.5, failures: 0 })
  await app.deps.db.update(providerJobs).set({ state: 'failed', error: 'it broke' }).where(of)
  expect(await view()).toMatchObject({ medianSeconds: null, spent: 0.5, failures: 1, lastError: 'it broke' })
  await user.request(`/api/generations/${id}/cancel`, { method: 'POST' })
})

test('admins compare a picture through two providers, with the reason of a failure', async () => {
  const seen = async (provider: string, who = admin) => {
    const { image, files } = await montage()
    const body = new FormData()
    for (const [name, bytes] of Object.entries({ front: image, ...files }))
      body.set(name, new Blob([bytes]), 'photo.png')
    return who.request(`/api/admin/tools/montage/compare?provider=${provider}`, { method: 'POST', body })
  }
  const [own, other] = (await Promise.all(
    [await seen('local'), await seen('first')].map((answer) => answer.json()),
  )) as ComparisonView[]
  expect([own, other]).toMatchObject([{ failed: null }, { failed: null }])
  expect(own?.outputs[0]?.data).not.toBe(other?.outputs[0]?.data)
  expect(first.calls).toEqual(['submit inpaint', 'poll job-1'])
  first.answer({ state: 'failed', reason: 'out of memory' })
  expect(await (await seen('first')).json()).toMatchObject({ outputs: [], failed: 'out of memory' })
  expect((await seen('unknown')).status).toBe(404)
  expect((await seen('local', user)).status).toBe(403)
})

describe('the order of providers', () => {
  const set = (json: object, task = 'inpaint', who = admin) =>
    who.request(`/api/admin/tasks/${task}`, { method: 'PUT', json })
  const order = async (tool: string | null = null) => {
    const { items } = (await (await admin.request('/api/admin/tasks')).json()) as { items: TaskView[] }
    return items.find(({ task }) => task === 'inpaint')?.orders.find((entry) => entry.tool === tool)
  }

  test('is set by admins for a task, or for one tool, and recorded', async () => {
    expect(await order()).toMatchObject({ own: false, version: 0, providers: ['first', 'second', 'local'] })
    expect((await set({ tool: null, providers: ['second', 'local'], version: 0 })).status).toBe(200)
    expect(await order('montage')).toMatchObject({ own: false, providers: ['second', 'local', 'first'] })
    await set({ tool: 'montage', providers: ['local', 'first', 'second'], version: 0 })
    expect(await order('montage')).toMatchObject({ own: true, version: 1 })
    const { id } = await submitted(user, await montage())
    expect(await reached(user, id)).toMatchObject({ provider: 'local', warnings: [{}] })
    expect(first.calls).toEqual([])
    const query = 'subjectKind=task&subjectId=inpaint'
    const { items } = (await (await admin.request(`/api/admin/audit?${query}`)).json()) as { items: AuditEntryView[] }
    expect(items[0]).toMatchObject({ actorId: admin.id, action: 'task.order_changed', before: { providers: null } })
    await set({ tool: 'montage', providers: null, version: 1 })
    expect(await order('montage')).toMatchObject({ own: false, version: 2 })
  })

  test.each([
    [
      'by a user who is not an admin',
      { tool: null, providers: ['local'], version: 0 },
      'inpaint',
      403,
      'auth.forbidden',
    ],
    ['with an unknown provider', { tool: null, providers: ['unknown'], version: 0 }, 'inpaint', 422, 'form.invalid'],
    ['with one twice', { tool: null, providers: ['first', 'first'], version: 0 }, 'inpaint', 422, 'form.invalid'],
    ['of a tool without this task', { tool: 'sleeper', providers: [], version: 0 }, 'inpaint', 422, 'form.invalid'],
    ['of no task', { tool: null, providers: [], version: 0 }, 'teleport', 422, 'form.invalid'],
    [
      'that has changed since it was read',
      { tool: null, providers: [], version: 7 },
      'inpaint',
      409,
      'change.outdated',
    ],
  ])('%s is refused', async (_name, json, task, status, code) => {
    expect(await refusal(await set(json, task, status === 403 ? user : admin))).toEqual([status, code])
  })
})
