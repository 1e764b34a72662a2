import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { expireAllLots } from '#features/credits/server/contributions.ts'
import { createGeneration } from '#features/generations/server/execution/create-generation.ts'
import { withGenerationRequest } from '#features/generations/server/execution/read-request.ts'
import { resendJobs } from '#features/generations/server/execution/resend-jobs.ts'
import { generationFiles, generations } from '#features/generations/server/table.ts'
import { deleteExpiredFiles, workGenerations } from '#features/generations/server/work-generations.ts'
import { announceFiles, sweepFiles } from '#features/uploads/server/stored-files.ts'
import { GuardedPool } from '#server/db/pool.ts'
import { appError } from '#server/http/app-error.ts'
import { createJobQueue } from '#server/jobs/job-queue.ts'
import { queues } from '#server-app/registrations.ts'
import { findLedgerProblems } from '#tests/support/audit-books.ts'
import { EngineStalled } from '#tools/threads/task.ts'
import { createFakeEngine, fail, gate, hang, succeed } from '../support/fake-engine.ts'
import {
  creditsOf,
  formOf,
  makePicture,
  passRetryWaits,
  reached,
  readGeneration,
  refusal,
  stopOpenGenerations,
  submitted,
} from '../support/submit.ts'
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts'
import { upload } from '../support/upload.ts'

const engine = createFakeEngine()
let app: TestApp
let user: TestUser

beforeAll(async () => {
  app = await createTestApp({ engine })
})

afterAll(() => app.stop())

beforeEach(async () => {
  engine.behave(succeed)
  engine.tasks.length = 0
  user = await app.createUser()
})

afterEach(async () => {
  await stopOpenGenerations(app)
  expect(await findLedgerProblems(app.deps.db)).toEqual([])
})

const cancel = (id: string, who = user) => who.request(`/api/generations/${id}/cancel`, { method: 'POST' })
const folderOf = (id: string) => join(app.config.dataDir, 'files', 'generations', id)
const rowOf = async (id: string) => (await app.deps.db.select().from(generations).where(eq(generations.id, id)))[0]

describe('a generation', () => {
  test('reports its state to the user: queued, detecting, generating, succeeded', async () => {
    const generating = gate(async (task, options) => {
      options.onProgress?.('generating', 0.4)
      return finishing.behaviour(task, options)
    })
    const finishing = gate()
    engine.behave(generating.behaviour)
    const { id, status } = await submitted(user)
    expect(status).toBe('queued')
    await reached(user, id, 'detecting')
    generating.open()
    expect(await reached(user, id, 'generating')).toMatchObject({ position: null, finishedAt: null })
    expect((await readGeneration(user, id)).progress).toBeCloseTo(0.4)
    finishing.open()
    expect(await reached(user, id)).toMatchObject({ status: 'succeeded', progress: 1, finishedAt: expect.any(String) })
    expect(await creditsOf(user)).toBe(20)
  })

  test.each(['engine.no_subject', 'upload.unreadable', 'engine.failed', 'engine.timeout'] as const)(
    'that fails with %s is not retried, gives the reason, and is refunded',
    async (code) => {
      engine.behave(fail(code))
      const { id } = await submitted(user)
      const view = await reached(user, id)
      expect(view).toMatchObject({
        status: 'failed',
        outputs: [],
        error: { code, msg: expect.stringMatching(/\w+ \w+/) },
      })
      expect(engine.tasks).toHaveLength(1)
      expect(await creditsOf(user)).toBe(25)
    },
  )

  test('is retried later, not at once, after a crash of its engine thread', async () => {
    engine.behave(fail('engine.crashed'), fail('engine.crashed'), succeed)
    const { id } = await submitted(user)
    await passRetryWaits(app, id, 2)
    expect(await reached(user, id)).toMatchObject({ status: 'succeeded' })
    expect(engine.tasks).toHaveLength(3)
    expect(await creditsOf(user)).toBe(20)
  })

  test('waits for files that are temporarily unavailable, and no attempt counts', async () => {
    const away = appError('server.unavailable', { cause: new Error('the storage does not respond') })
    engine.behave(() => Promise.reject(away), succeed)
    const { id } = await submitted(user)
    const waits = { status: 'queued', attempts: 0, waitUntil: expect.any(Date) }
    await vi.waitFor(async () => expect(await rowOf(id)).toMatchObject(waits), { timeout: 300_000 })
    app.clock.advance({ minutes: 1 })
    await resendJobs(app.deps)
    await reached(user, id, 'succeeded')
    expect(await rowOf(id)).toMatchObject({ attempts: 1 })
  })

  test('is retried after a full disk, because another machine may have space', async () => {
    engine.behave(() => Promise.reject(appError('storage.full')), succeed)
    const { id } = await submitted(user)
    await passRetryWaits(app, id, 1)
    await reached(user, id, 'succeeded')
    expect(engine.tasks).toHaveLength(2)
  })

  test('fails and is refunded after three crashes of its engine thread', async () => {
    engine.behave(fail('engine.crashed'))
    const { id } = await submitted(user)
    await passRetryWaits(app, id, 2)
    expect(await reached(user, id)).toMatchObject({ status: 'failed', error: { code: 'engine.crashed' } })
    expect(engine.tasks).toHaveLength(3)
    expect(await creditsOf(user)).toBe(25)
  })

  test('says when the same request has failed like this before', async () => {
    engine.behave(fail('engine.swap_unusable'))
    const errorOf = async (given?: Parameters<typeof submitted>[1]) => {
      return (await reached(user, (await submitted(user, given)).id, 'failed')).error
    }
    expect(await errorOf()).toMatchObject({ code: 'engine.swap_unusable', repeated: false })
    expect(await errorOf({ image: await makePicture('#20c040') })).toMatchObject({ repeated: false })
    expect(await errorOf()).toMatchObject({ code: 'engine.swap_unusable', repeated: true })
  })

  test('is retried when the engine’s network stalls, and fails with engine.timeout when it always does', async () => {
    const stall = () => Promise.reject(new EngineStalled({ cause: 'the network has not answered' }))
    engine.behave(stall, succeed)
    const recovered = await submitted(user)
    await passRetryWaits(app, recovered.id, 1)
    await reached(user, recovered.id, 'succeeded')
    engine.behave(stall)
    const { id } = await submitted(user)
    await passRetryWaits(app, id, 2)
    expect(await reached(user, id)).toMatchObject({ status: 'failed', error: { code: 'engine.timeout' } })
    expect(engine.tasks).toHaveLength(5)
    expect(await creditsOf(user)).toBe(20)
  })

  test('has the time limit of its tool', async () => {
    let limit = 0
    engine.behave((task, options) => {
      limit = options.timeLimit
      return succeed(task, options)
    })
    await reached(user, (await submitted(user)).id, 'succeeded')
    expect(limit).toBe(120_000)
  })

  test('fails and is refunded when its files have vanished', async () => {
    const hold = gate()
    engine.behave(hold.behaviour)
    const blockers = [await submitted(user), await submitted(user)]
    for (const { id } of blockers) await reached(user, id, 'detecting')
    const { id } = await submitted(user)
    const files = await app.deps.db.select().from(generationFiles).where(eq(generationFiles.generationId, id))
    await app.deps.store.delete(files.map(({ storageKey }) => storageKey))
    hold.open()
    expect(await reached(user, id)).toMatchObject({ status: 'failed', error: { code: 'engine.failed' } })
    for (const blocker of blockers) await reached(user, blocker.id, 'succeeded')
    expect(await creditsOf(user)).toBe(15)
  })
})

describe('cancelling', () => {
  test('stops a running generation, refunds it at once, and is no error the second time', async () => {
    let stopped = false
    engine.behave((task, options) => {
      options.signal?.addEventListener('abort', () => {
        stopped = true
      })
      return hang(task, options)
    })
    const { id } = await submitted(user)
    await reached(user, id, 'detecting')
    await engine.began(1)
    const answer = await cancel(id)
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({ id, status: 'cancelled', error: null, finishedAt: expect.any(String) })
    expect(await creditsOf(user)).toBe(25)
    await vi.waitFor(() => expect(stopped).toBe(true), 120_000)
    expect((await cancel(id)).status).toBe(200)
    expect(await creditsOf(user)).toBe(25)
  })

  test('removes a waiting generation from the queue', async () => {
    const hold = gate()
    engine.behave(hold.behaviour)
    const blockers = [await submitted(user), await submitted(user)]
    for (const { id } of blockers) await reached(user, id, 'detecting')
    const { id } = await submitted(user)
    expect((await cancel(id)).status).toBe(200)
    hold.open()
    for (const blocker of blockers) await reached(user, blocker.id, 'succeeded')
    const again = { data: { generationId: id } }
    await vi.waitFor(async () => expect(await app.deps.jobs.sendAll('run-generation', [again])).toBe(1), 120_000)
    expect(engine.tasks).toHaveLength(2)
    expect(await creditsOf(user)).toBe(15)
  })

  test('refuses a finished generation', async () => {
    const { id } = await submitted(user)
    await reached(user, id, 'succeeded')
    expect(await refusal(await cancel(id))).toEqual([409, 'generation.not_cancellable'])
    expect(await creditsOf(user)).toBe(20)
  })

  test('at the moment of success gives either the result or the refund, never both', async () => {
    for (let round = 0; round < 5; round += 1) {
      const hold = gate()
      engine.behave(hold.behaviour)
      const before = await creditsOf(user)
      const { id } = await submitted(user)
      await reached(user, id, 'detecting')
      hold.open()
      const { status } = await cancel(id)
      const view = await reached(user, id)
      expect([status, view.status]).toEqual(status === 200 ? [200, 'cancelled'] : [409, 'succeeded'])
      expect(await creditsOf(user)).toBe(view.status === 'cancelled' ? before : before - 5)
      expect(view.outputs).toHaveLength(view.status === 'succeeded' ? 1 : 0)
    }
  })
})

describe('another user', () => {
  test.each([
    ['reads', '', 'GET'],
    ['cancels', '/cancel', 'POST'],
    ['deletes', '', 'DELETE'],
    ['draws again', '/render', 'POST'],
  ])('gets 404 and never %s a generation by its id', async (_name, path, method) => {
    const { id } = await submitted(user)
    const stranger = await app.createUser()
    const init = path === '/render' ? { method, json: { params: {} } } : { method }
    expect(await refusal(await stranger.request(`/api/generations/${id}${path}`, init))).toEqual([
      404,
      'generation.not_found',
    ])
    expect(await refusal(await user.request(`/api/generations/no-id${path}`, init))).toEqual([
      404,
      'generation.not_found',
    ])
    expect((await reached(user, id)).status).toBe('succeeded')
  })
})

describe('the history', () => {
  test('lists newest first, page by page, by tool and by state, without what was deleted', async () => {
    const ids: string[] = []
    for (let index = 0; index < 4; index += 1) {
      engine.behave(index === 1 ? fail('engine.no_subject') : succeed)
      const { id } = await submitted(user)
      await reached(user, id)
      ids.unshift(id)
    }
    const list = async (query: string) => (await user.request(`/api/generations${query}`)).json()
    const idsOf = (page: { items: { id: string }[] }) => page.items.map(({ id }) => id)
    const first = await list('?limit=3')
    expect(idsOf(first)).toEqual(ids.slice(0, 3))
    const second = await list(`?limit=3&cursor=${first.nextCursor}`)
    expect(idsOf(second)).toEqual(ids.slice(3))
    expect(second.nextCursor).toBeNull()
    expect(idsOf(await list('?status=failed'))).toEqual([ids[2]])
    expect(idsOf(await list('?tool=background-removal'))).toEqual(ids)
    expect(idsOf(await list('?tool=other'))).toEqual([])
    expect((await user.request(`/api/generations/${ids[0]}`, { method: 'DELETE' })).status).toBe(204)
    expect(idsOf(await list(''))).toEqual(ids.slice(1))
    for (const wrong of ['?cursor=x', '?status=lost', '?limit=0', '?limit=1000']) {
      expect((await user.request(`/api/generations${wrong}`)).status).toBe(422)
    }
  })
})

describe('deleting', () => {
  test('removes every picture, also the upload, and keeps its price in the ledger', async () => {
    const original = await upload(user, await makePicture())
    const received = join(app.config.dataDir, 'files', 'uploads', original.id, 'content')
    const sent = await user.request('/api/generations', {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'idempotency-key': randomUUID() },
      body: JSON.stringify({ tool: 'background-removal', inputs: { picture: [{ upload: original.id }] } }),
    })
    const { id } = (await sent.json()) as { id: string }
    const view = await reached(user, id, 'succeeded')
    expect(readdirSync(folderOf(id)).length).toBeGreaterThanOrEqual(3)
    expect(existsSync(received)).toBe(true)
    expect((await user.request(`/api/generations/${id}`, { method: 'DELETE' })).status).toBe(204)
    expect(existsSync(folderOf(id))).toBe(false)
    expect(existsSync(received)).toBe(false)
    expect((await user.request(`/api/uploads/${original.id}`)).status).toBe(404)
    expect((await app.request(view.outputs[0]?.url as string)).status).toBe(404)
    expect((await user.request(`/api/generations/${id}`)).status).toBe(404)
    expect((await user.request(`/api/generations/${id}`, { method: 'DELETE' })).status).toBe(404)
    expect(await creditsOf(user)).toBe(20)
  })

  test('cancels a running generation and refunds it', async () => {
    engine.behave(hang)
    const { id } = await submitted(user)
    await reached(user, id, 'detecting')
    expect((await user.request(`/api/generations/${id}`, { method: 'DELETE' })).status).toBe(204)
    expect(await creditsOf(user)).toBe(25)
    await vi.waitFor(() => expect(existsSync(folderOf(id))).toBe(false), 120_000)
  })
})

describe('retention', () => {
  test('deletes files without a row, and only those', async () => {
    const { id } = await submitted(user)
    const view = await reached(user, id, 'succeeded')
    const folders = ['generations', 'custom-edits', 'proofs', 'uploads']
    const orphans = folders.map((folder) => `${folder}/${crypto.randomUUID()}/${crypto.randomUUID()}`)
    const announced = orphans.map((storageKey) => ({ storageKey, bytes: 3 }))
    await announceFiles(app.deps.db, { files: announced, now: app.clock.now() })
    for (const orphan of orphans) await app.deps.store.put(orphan, new Uint8Array(3))
    expect(await sweepFiles(app.deps)).toBe(0)
    app.clock.advance({ days: 2 })
    expect(await sweepFiles(app.deps)).toBeGreaterThanOrEqual(orphans.length)
    for (const orphan of orphans) await expect(app.deps.store.get(orphan)).rejects.toThrow('file.not_found')
    const files = await app.deps.db.select().from(generationFiles).where(eq(generationFiles.generationId, id))
    expect(files.length).toBeGreaterThanOrEqual(view.inputs.length + view.outputs.length)
    for (const { storageKey } of files) expect((await app.deps.store.get(storageKey)).length).toBeGreaterThan(0)
  })

  test('deletes uploads and layers after a week and results after a month, and refuses to render deleted ones', async () => {
    const { id } = await submitted(user)
    await reached(user, id, 'succeeded')
    const roles = async () => {
      const { generationId, role } = generationFiles
      const found = await app.deps.db.select({ role }).from(generationFiles).where(eq(generationId, id)).orderBy(role)
      return found.map(({ role }) => role)
    }
    expect(await roles()).toEqual(['input', 'kept', 'output', 'thumbnail'])
    app.clock.advance({ days: 6, hours: 23 })
    await deleteExpiredFiles(app.deps)
    expect(await readGeneration(await again(), id)).toMatchObject({ inputs: [{}], outputs: [{}] })
    app.clock.advance({ hours: 2 })
    await deleteExpiredFiles(app.deps)
    const old = await again()
    expect(await readGeneration(old, id)).toMatchObject({ inputs: [], outputs: [{}] })
    expect(await roles()).toEqual(['output', 'thumbnail'])
    const draw = await old.request(`/api/generations/${id}/render`, { json: { params: { crop: true } } })
    expect(await refusal(draw)).toEqual([409, 'generation.not_renderable'])
    app.clock.advance({ days: 22, hours: 22 })
    await deleteExpiredFiles(app.deps)
    expect(await roles()).toEqual(['output', 'thumbnail'])
    app.clock.advance({ hours: 2 })
    await deleteExpiredFiles(app.deps)
    const older = await again()
    expect(await readGeneration(older, id)).toMatchObject({ status: 'succeeded', outputs: [], thumbnailUrl: null })
    const late = await older.request(`/api/generations/${id}/render`, { json: { params: { crop: true } } })
    expect(await refusal(late)).toEqual([409, 'generation.expired'])
    expect(existsSync(folderOf(id))).toBe(false)
    await expireAllLots(app.deps)
  })

  /** A new session of the same user. */
  async function again(): Promise<TestUser> {
    const token = await app.signIn(user.email, user.password)
    return { ...user, token, request: (path, init) => app.request(path, { token, ...init }) }
  }
})

describe('a process that dies', () => {
  test('after the charge and before the job leaves the job to the sweeper', async () => {
    const dying = { ...app.deps, jobs: { ...app.deps.jobs, send: () => Promise.reject(new Error('killed')) } }
    app.expectErrors(/could not queue the job/)
    const form = new Request('http://localhost/api/generations', { method: 'POST', body: await formOf() })
    const requester = { userId: user.id, key: crypto.randomUUID() }
    const { generation } = await withGenerationRequest(app.deps, form, requester, (request) =>
      createGeneration(dying, { ...requester, request }),
    )
    const { id } = generation
    expect((await rowOf(id))?.status).toBe('queued')
    expect(await reached(user, id)).toMatchObject({ status: 'succeeded' })
    expect(await creditsOf(user)).toBe(20)
  })

  test('three times during a generation ends it, with a refund', async () => {
    const hold = gate()
    engine.behave(hold.behaviour)
    const blockers = [await submitted(user), await submitted(user)]
    for (const blocker of blockers) await reached(user, blocker.id, 'detecting')
    const { id } = await submitted(user)
    await app.deps.db.update(generations).set({ status: 'generating', attempts: 3 }).where(eq(generations.id, id))
    hold.open()
    expect(await reached(user, id)).toMatchObject({ status: 'failed', error: { code: 'engine.crashed' } })
    for (const blocker of blockers) await reached(user, blocker.id, 'succeeded')
    expect(await creditsOf(user)).toBe(15)
  })

  test('by a shutdown returns its jobs at once, and the attempt does not count', async () => {
    engine.behave(hang)
    const blockers = [await submitted(user), await submitted(user)]
    for (const blocker of blockers) await reached(user, blocker.id, 'detecting')
    // PostgreSQL only, since the embedded database has one process.
    if (!app.config.databaseUrl) {
      for (const { id } of blockers) await cancel(id)
      return
    }
    const pool = new GuardedPool({ connectionString: app.config.databaseUrl, max: 2 })
    onTestFinished(() => pool.end())
    const second = await createJobQueue({ url: app.config.databaseUrl, pool }, app.deps.log, queues)
    onTestFinished(() => second.stop())
    await workGenerations({ ...app.deps, jobs: second, engine })
    // Each user may run two generations at once.
    const other = await app.createUser()
    const { id } = await submitted(other)
    await reached(other, id, 'detecting')
    await engine.began(3)
    // Both threads of the first worker are busy, so the returned job stays queued.
    await second.stop()
    expect(await rowOf(id)).toMatchObject({ status: 'queued', attempts: 0, progress: 0 })
    for (const blocker of blockers) await cancel(blocker.id)
    await reached(other, id, 'detecting')
    await cancel(id, other)
  })
})
