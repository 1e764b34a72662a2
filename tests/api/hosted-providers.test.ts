import { eq, isNotNull } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { AuditEntryView } from '#features/audit/schemas.ts'
import type { GenerationView, ProviderSettingsView, ProviderTestView } from '#features/generations/schemas.ts'
import { resendJobs } from '#features/generations/server/execution/resend-jobs.ts'
import { generations, providerJobs, providerSettings } from '#features/generations/server/table.ts'
import { cancelUnwantedJobs } from '#features/generations/server/tasks/provider-jobs.ts'
import { readSettings } from '#features/generations/server/tasks/provider-settings.ts'
import { createFal } from '#providers/fal/fal.ts'
import { createHostedProvider } from '#providers/hosted/hosted-provider.ts'
import type { HostedModel } from '#providers/hosted/model.ts'
import type { Provider } from '#providers/provider.ts'
import { createReplicate } from '#providers/replicate/replicate.ts'
import { consentVersions } from '#shared/consent.ts'
import { findLedgerProblems } from '#tests/support/audit-books.ts'
import { type FakeHosted, type HostedFault, startFakeHosted, webhookSecret } from '../support/hosted.ts'
import {
  afterChanges,
  creditsOf,
  makePicture,
  readGeneration,
  stopOpenGenerations,
  submitted,
} from '../support/submit.ts'
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts'
import { testTools } from '../support/test-tools.ts'

const names = ['fal', 'replicate'] as const
type Name = (typeof names)[number]
let app: TestApp
let user: TestUser
let admin: TestUser
const fakes = {} as Record<Name, FakeHosted>
const known = {} as Record<Name, Provider>
const providers: Provider[] = []

const model: HostedModel = {
  task: 'inpaint',
  target: 'owner/eraser',
  input: { image: { from: 'picture' }, mask: { from: 'mask', inverted: true }, mode: { from: 'value', value: 'fast' } },
  output: '',
  price: 0.04,
  timeLimit: 300,
}
const settingsOf = (name: Name, more: object = {}) => ({
  enabled: true,
  budgetDay: null,
  budgetMonth: null,
  models: [{ ...model, output: { fal: 'images.0.url', replicate: '' }[name] }],
  ...more,
})
const set = (name: Name, settings: object, version = 0, who = admin) =>
  who.request(`/api/admin/provider_settings/${name}`, { method: 'PUT', json: { ...settings, version } })

beforeAll(async () => {
  for (const name of names) fakes[name] = await startFakeHosted(name, 'the-key')
  app = await createTestApp({ tools: testTools, providers })
  const now = () => app.clock.now()
  const { fal, replicate } = fakes
  const services = {
    fal: createFal({ key: 'the-key', baseUrl: fal.url, keysUrl: `${fal.url}/keys`, now }),
    replicate: createReplicate({ token: 'the-key', baseUrl: replicate.url, webhookSecret, now }),
  }
  for (const name of names) {
    const service = services[name]
    known[name] = createHostedProvider(service, {
      now,
      settings: () => readSettings(app.deps.db, name),
      webhookOf: (reference) => `https://rupa.test/api/webhooks/providers/${name}/${reference}`,
    })
  }
})
afterAll(async () => {
  await app.stop()
  for (const name of names) await fakes[name].close()
})
beforeEach(async () => {
  // The admin's session has expired.
  admin = await app.createUser({ role: 'admin' })
  user = await app.createUser()
  await agree(user)
})
afterEach(async () => {
  await stopOpenGenerations(app)
  await app.deps.db.delete(providerSettings)
  await app.deps.db.delete(providerJobs)
  await keepPhotosHere(false)
  expect(await findLedgerProblems(app.deps.db)).toEqual([])
})

const agree = (who: TestUser) =>
  who.request('/api/user/consents', { json: { kind: 'remote', version: consentVersions.remote } })
const use = async (name: Name, more: object = {}) => {
  providers.splice(0, providers.length, known[name])
  Object.assign(fakes[name], { faults: [], created: [], cancelled: [], downloads: 0, down: false })
  expect((await set(name, settingsOf(name, more))).status).toBe(200)
}
const keepPhotosHere = (kept: boolean) =>
  admin.request('/api/admin/tools/montage', { method: 'PATCH', json: { remoteAllowed: !kept } })
const start = async () =>
  submitted(user, {
    tool: 'montage',
    params: {},
    image: await makePicture('#102030'),
    files: { back: await makePicture('#203040') },
  })
const jobsOf = (id: string) =>
  app.deps.db.select().from(providerJobs).where(eq(providerJobs.generationId, id)).orderBy(providerJobs.createdAt)

async function until(id: string, wanted: (view: GenerationView) => unknown): Promise<GenerationView> {
  app.clock.advance({ seconds: 10 })
  return afterChanges(user, id, async () => {
    await app.deps.db.update(generations).set({ waitUntil: app.clock.now() }).where(isNotNull(generations.waitUntil))
    await resendJobs(app.deps)
    const view = await readGeneration(user, id)
    await wanted(view)
    return view
  })
}
/** A generation was started whose response was lost. */
const lostAnswer = async (id: string) => {
  await until(id, async () => expect(await jobsOf(id)).toMatchObject([{ state: 'asked', sent: 1 }]))
  const [job] = await jobsOf(id)
  await until(id, async () => {
    const [generation] = await app.deps.db.select().from(generations).where(eq(generations.id, id))
    expect(generation?.waitUntil).not.toBeNull()
  })
  return job!
}
const tellRaw = (name: Name, reference: string | null, { headers, body }: ReturnType<FakeHosted['webhook']>) =>
  app.request(`/api/webhooks/providers/${name}/${reference}`, { method: 'POST', headers, body })
const tell = (name: Name, generationId: string, reference: string | null) =>
  tellRaw(name, reference, fakes[name].webhook(generationId, app.clock.now()))
const over = (id: string) =>
  until(id, async () => {
    const [generation] = await app.deps.db.select().from(generations).where(eq(generations.id, id))
    expect(generation?.finishedAt).not.toBeNull()
  })
const ended = (id: string) => until(id, ({ finishedAt }) => expect(finishedAt).not.toBeNull())

describe.each(names)('%s', (name) => {
  /** Options for rules of shared code, which one service proves outside of the soak. */
  const shared = name === names[0] ? {} : { tags: 'soak' as const }

  test('does a task once, with its cost and only under our own name for it', async () => {
    await use(name)
    const { id } = await start()
    expect(await ended(id)).toMatchObject({ status: 'succeeded', provider: name })
    const { created } = fakes[name]
    expect(created).toMatchObject([{ target: 'owner/eraser', input: { mode: 'fast' } }])
    expect(created[0]?.input.image).toMatch(/^data:image\/jpeg;base64,/)
    expect(await jobsOf(id)).toMatchObject([
      { state: 'done', cost: expect.closeTo(0.04, 5), externalId: created[0]?.id },
    ])
    const { items } = (await (await admin.request('/api/admin/provider_settings')).json()) as {
      items: ProviderSettingsView[]
    }
    expect(items).toMatchObject([{ provider: name, spentDay: expect.closeTo(0.04, 5) }])
  })

  // Replicate charges for started runs, even if they fail.
  const broken = { fal: 0, replicate: 0.04 }[name]
  /** Faults, origin of the result, number of paid jobs, cost in dollars. */
  type FaultCase = [HostedFault[], 'hosted' | 'local', number, number]

  test.each<FaultCase>([
    [['throttled', 'throttled', 'throttled', 'throttled'], 'hosted', 1, 0.04],
    [['failed'], 'local', 1, broken],
    [['out of memory'], 'local', 1, broken],
  ])('handles the fault %s', handlesFault)

  test.each<FaultCase>([
    [['no download'], 'local', 1, 0.04],
    [['two failed downloads'], 'hosted', 1, 0.04],
    [['JSON instead of a picture'], 'local', 1, 0.04],
    [['foreign host'], 'local', 1, 0.04],
    [['redirect to a foreign host'], 'local', 1, 0.04],
    [['no picture'], 'local', 1, 0.04],
    [['100 MB'], 'local', 1, 0.04],
  ])('handles the fault %s', shared, handlesFault)

  async function handlesFault(faults: HostedFault[], who: 'hosted' | 'local', paid: number, cost: number) {
    await use(name)
    fakes[name].faults = [...faults]
    const { id, credits } = await start()
    const view = await until(id, ({ finishedAt }) => {
      app.clock.advance({ seconds: 8 })
      expect(finishedAt).not.toBeNull()
    })
    expect(view).toMatchObject({ status: 'succeeded', provider: who === 'hosted' ? name : 'local' })
    expect(fakes[name].created).toHaveLength(paid)
    if (/download/.test(faults.join())) expect(fakes[name].downloads).toBe(3)
    expect((await jobsOf(id))[0]?.cost).toBeCloseTo(cost, 5)
    expect(await creditsOf(user)).toBe(25 - credits)
  }

  test.each<[HostedFault, number, number]>([
    ['refused', 0, 0],
    ['refused at its end', 1, broken],
    ['flagged', 1, 0.04],
  ])(
    'ends the generation with a refund when the safety rules say "%s", and no other provider gets it',
    async (fault, paid, cost) => {
      await use(name)
      const [other] = names.filter((one) => one !== name) as [Name]
      await use(other)
      providers.splice(0, providers.length, known[name], known[other])
      fakes[name].faults = [fault]
      const { id } = await start()
      expect(await ended(id)).toMatchObject({ status: 'failed', error: { code: 'engine.content_refused' } })
      expect(fakes[name].created).toHaveLength(paid)
      expect(fakes[other].created).toEqual([])
      expect(await jobsOf(id)).toMatchObject([{ provider: name, state: 'refused', cost: expect.closeTo(cost, 5) }])
      expect(await creditsOf(user)).toBe(25)
    },
  )

  test(
    'is not asked again after its refusal was stored and the process died, nor is any other provider',
    shared,
    async () => {
      await use(name)
      fakes[name].faults = ['held']
      const { id } = await start()
      await until(id, async () => expect(await jobsOf(id)).toMatchObject([{ state: 'waiting' }]))
      await app.deps.db.update(providerJobs).set({ state: 'refused' }).where(eq(providerJobs.generationId, id))
      expect(await ended(id)).toMatchObject({ status: 'failed', error: { code: 'engine.content_refused' } })
      expect(await jobsOf(id)).toHaveLength(1)
      expect(await creditsOf(user)).toBe(25)
    },
  )

  test('finds a job with a lost response by its webhook, and does it once', async () => {
    await use(name)
    const fake = fakes[name]
    fake.faults = ['lost answer']
    const { id, credits } = await start()
    const job = await lostAnswer(id)
    expect((await tell(name, fake.created[0]!.id, job.reference)).status).toBe(200)
    // The webhook is delivered twice.
    expect((await tell(name, fake.created[0]!.id, job.reference)).status).toBe(200)
    expect(await ended(id)).toMatchObject({ status: 'succeeded', provider: name })
    expect(fake.created).toHaveLength(1)
    expect(await jobsOf(id)).toMatchObject([{ state: 'done', externalId: fake.created[0]!.id, sent: 1 }])
    expect(await creditsOf(user)).toBe(25 - credits)
  })

  test('cancels a job whose webhook comes after it was given up, and its cost still counts', shared, async () => {
    await use(name)
    const fake = fakes[name]
    fake.faults = ['lost answer']
    const { id, credits } = await start()
    const job = await lostAnswer(id)
    app.clock.advance({ seconds: 130 })
    expect(await ended(id)).toMatchObject({ status: 'succeeded', provider: 'local' })
    expect((await tell(name, fake.created[0]!.id, job.reference)).status).toBe(200)
    expect(fake.cancelled).toEqual([fake.created[0]!.id])
    expect(fake.created).toHaveLength(1)
    expect(await jobsOf(id)).toMatchObject([{ state: 'failed', cost: expect.closeTo(0.04, 5) }, { provider: 'local' }])
    expect(await creditsOf(user)).toBe(25 - credits)
  })

  test('rejects webhooks with a foreign signature, or that are old', async () => {
    await use(name)
    const fake = fakes[name]
    fake.faults = ['lost answer']
    const { id } = await start()
    const job = await lostAnswer(id)
    const { headers, body } = fake.webhook(fake.created[0]!.id, app.clock.now())
    const forged = body.replace(fake.created[0]!.id, 'run-of-another')
    for (const attempt of [
      { headers, body: forged },
      { headers: {}, body },
      fake.webhook(fake.created[0]!.id, new Date(app.clock.now().getTime() - 301_000)),
    ]) {
      expect((await tellRaw(name, job.reference, attempt)).status).toBe(403)
    }
    expect(await jobsOf(id)).toMatchObject([{ state: 'asked', externalId: null }])
    expect((await tell(name, fake.created[0]!.id, job.reference)).status).toBe(200)
    await ended(id)
  })

  test('is given up when it throttles endlessly, without a charge', shared, async () => {
    await use(name)
    fakes[name].faults = Array.from({ length: 500 }, () => 'throttled' as const)
    const { id, credits } = await start()
    const view = await until(id, ({ finishedAt }) => {
      app.clock.advance({ seconds: 300 })
      expect(finishedAt).not.toBeNull()
    })
    expect(view).toMatchObject({ status: 'succeeded', provider: 'local' })
    expect(fakes[name].created).toEqual([])
    expect((await jobsOf(id))[0]).toMatchObject({ state: 'failed', cost: 0 })
    expect(await creditsOf(user)).toBe(25 - credits)
  })

  test('is paused after five failures, and tried again later', shared, async () => {
    await use(name)
    fakes[name].faults = Array.from({ length: 5 }, () => 'failed' as const)
    for (let i = 0; i < 5; i++) {
      user = await app.createUser()
      await agree(user)
      await ended((await start()).id)
    }
    expect(fakes[name].created).toHaveLength(5)
    user = await app.createUser()
    await agree(user)
    expect(await ended((await start()).id)).toMatchObject({ status: 'succeeded', provider: 'local' })
    expect(fakes[name].created).toHaveLength(5)
    app.clock.advance({ seconds: 301 })
    expect(await ended((await start()).id)).toMatchObject({ status: 'succeeded', provider: name })
  })

  test('gets no more tasks than its budget allows, also by two at once', shared, async () => {
    await use(name, { budgetDay: 0.05 })
    const other = await app.createUser()
    await agree(other)
    const started = [await start()]
    user = other
    started.push(await start())
    for (const { id } of started) await over(id)
    expect(fakes[name].created).toHaveLength(1)
    const all = (await Promise.all(started.map(({ id }) => jobsOf(id)))).flat()
    expect(all.filter(({ error }) => error === 'the budget of the day is spent')).toHaveLength(1)
    const yesterday = new Date(app.clock.now().getTime() - 86_400_000)
    await app.deps.db.update(providerJobs).set({ createdAt: yesterday })
    expect(await ended((await start()).id)).toMatchObject({ provider: name })
  })

  test('is cancelled after its time limit', shared, async () => {
    await use(name)
    fakes[name].faults = ['held']
    const { id, credits } = await start()
    await until(id, async () => expect(await jobsOf(id)).toMatchObject([{ state: 'waiting' }]))
    app.clock.advance({ seconds: 301 })
    expect(await ended(id)).toMatchObject({ status: 'succeeded', provider: 'local' })
    expect(fakes[name].cancelled).toEqual([fakes[name].created[0]?.id])
    expect(fakes[name].created).toHaveLength(1)
    expect(await creditsOf(user)).toBe(25 - credits)
  })

  test.each<[string, HostedFault, object]>([
    ['waits to be sent', 'throttled', { state: 'wanted' }],
    ['was sent, and no answer came', 'lost answer', { state: 'asked' }],
    ['works', 'held', { state: 'waiting' }],
  ])('cancels at once a job that %s, and no other provider is paid', async (_name, fault, reached) => {
    await use(name)
    const fake = fakes[name]
    // Enough faults for all retries before the state is read.
    fake.faults = Array.from({ length: fault === 'throttled' ? 500 : 1 }, () => fault)
    const { id } = await start()
    await until(id, async () => expect(await jobsOf(id)).toMatchObject([reached]))
    // The row says so before the provider gets the request.
    if (fault !== 'throttled') await vi.waitFor(() => expect(fake.created).toHaveLength(1), 120_000)
    const answer = await user.request(`/api/generations/${id}/cancel`, { method: 'POST' })
    expect(await answer.json()).toMatchObject({ status: 'cancelled' })
    expect(await creditsOf(user)).toBe(25)
    await cancelUnwantedJobs(app.deps)
    await vi.waitFor(async () => expect(await jobsOf(id)).toMatchObject([{ state: 'cancelled' }]), 120_000)
    const [job] = await jobsOf(id)
    // Only its webhook reports a lost run.
    if (fault === 'lost answer') expect((await tell(name, fake.created[0]!.id, job!.reference)).status).toBe(200)
    expect(fake.cancelled).toEqual(fake.created.map((job) => job.id))
  })

  test('gets no waiting task once an admin keeps the tool’s photos on the server', shared, async () => {
    await use(name)
    // Enough faults for all retries before the admin cancels.
    fakes[name].faults = Array(1000).fill('throttled')
    const { id, credits } = await start()
    await until(id, async () => expect(await jobsOf(id)).toMatchObject([{ state: 'wanted' }]))
    expect((await keepPhotosHere(true)).status).toBe(200)
    expect(await ended(id)).toMatchObject({ status: 'succeeded', provider: 'local' })
    expect(fakes[name].created).toEqual([])
    expect(await creditsOf(user)).toBe(25 - credits)
  })

  /** Rows as after a kill between two statements. */
  test.each([
    ['before it was sent', { state: 'wanted', sent: 0, externalId: null, cost: null } as const, 0],
    ['after it was sent', { state: 'asked', externalId: null } as const, 1],
    ['while it was waited for', { state: 'waiting' } as const, 1],
  ])('starts a single job and is paid once when the worker dies %s', shared, async (_name, row, paid) => {
    await use(name)
    const fake = fakes[name]
    fake.faults = ['held']
    const { id, credits } = await start()
    await until(id, async () => expect(await jobsOf(id)).toMatchObject([{ state: 'waiting' }]))
    const [job] = await jobsOf(id)
    await app.deps.db.update(providerJobs).set(row).where(eq(providerJobs.generationId, id))
    // Pretends that the job was never sent.
    if (paid === 0) fake.created.length = 0
    fake.release()
    if (row.state === 'asked') expect((await tell(name, fake.created[0]!.id, job!.reference)).status).toBe(200)
    expect(await ended(id)).toMatchObject({ status: 'succeeded', provider: name })
    expect(fake.created).toHaveLength(1)
    expect((await jobsOf(id)).filter(({ state }) => state === 'done')).toHaveLength(1)
    expect(await creditsOf(user)).toBe(25 - credits)
  })

  test('can be tested by admins with a portrait of the server’s, within its budget, which is recorded', async () => {
    await use(name, { budgetDay: 0.05 })
    const trial = async (task: string, who = admin) => {
      const answer = await who.request(`/api/admin/providers/test?provider=${name}&task=${task}`, { method: 'POST' })
      return [answer.status, (await answer.json()) as ProviderTestView] as const
    }
    const [status, { picture, cost, failed }] = await trial('inpaint')
    expect([status, cost, failed]).toEqual([200, 0.04, null])
    expect(await sharp(Buffer.from(picture!, 'base64')).metadata()).toMatchObject({ width: 480, height: 360 })
    expect(await trial('inpaint')).toMatchObject([200, { picture: null, failed: 'the budget of the day is spent' }])
    expect((await trial('cartoon'))[0]).toBe(404)
    expect((await trial('inpaint', user))[0]).toBe(403)
    expect(fakes[name].created).toHaveLength(1)
    const { items } = (await (await admin.request('/api/admin/audit?subjectKind=provider')).json()) as {
      items: AuditEntryView[]
    }
    expect(items[0]).toMatchObject({ actorId: admin.id, action: 'provider.tested', after: { task: 'inpaint' } })
  })

  test('that is down during a task is polled until it is back, and never starts again', shared, async () => {
    await use(name)
    const fake = fakes[name]
    fake.faults = ['held']
    const { id } = await start()
    await until(id, async () => expect(await jobsOf(id)).toMatchObject([{ state: 'waiting' }]))
    fake.down = true
    const asked = fake.refused
    await until(id, () => expect(fake.refused).toBeGreaterThan(asked + 2))
    expect(await jobsOf(id)).toMatchObject([{ state: 'waiting' }])
    fake.down = false
    fake.release()
    expect(await ended(id)).toMatchObject({ status: 'succeeded', provider: name })
    expect(fake.created).toHaveLength(1)
  })
})
