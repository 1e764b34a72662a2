import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { and, eq, gt, inArray, isNotNull, isNull } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import type { GenerationView, ProviderView } from '#features/generations/schemas.ts'
import { resendJobs } from '#features/generations/server/execution/resend-jobs.ts'
import { generations, providerJobs } from '#features/generations/server/table.ts'
import { createComfyProviders } from '#providers/comfyui/comfyui-providers.ts'
import { addTime } from '#shared/time.ts'
import { findLedgerProblems } from '#tests/support/audit-books.ts'
import { type ComfyFault, type FakeComfy, startFakeComfy } from '../support/comfyui.ts'
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

const headers = { authorization: 'Bearer of-the-proxy' }
const workflowsDir = mkdtempSync(join(tmpdir(), 'rupa-workflows-'))
/** Two that most tests use, and two that are off. */
let servers: FakeComfy[]
let machines: FakeComfy[]
let comfy: ReturnType<typeof createComfyProviders>
let app: TestApp
let user: TestUser
let admin: TestUser

beforeAll(async () => {
  mkdirSync(join(workflowsDir, 'inpaint'))
  writeFileSync(join(workflowsDir, 'inpaint', 'broken.json'), '{"1": {"class_type": "SaveImage", "inputs": {}}}')
  const lacking = {
    1: { class_type: 'LoadImage', inputs: { image: '' }, _meta: { title: 'slot: picture' } },
    2: { class_type: 'SecretNode', inputs: { image: ['1', 0] } },
    3: {
      class_type: 'SaveImage',
      inputs: { images: ['2', 0], filename_prefix: 'x' },
      _meta: { title: 'slot: result' },
    },
  }
  writeFileSync(join(workflowsDir, 'inpaint', 'lacking.json'), JSON.stringify(lacking))
  machines = await Promise.all(Array.from({ length: 4 }, () => startFakeComfy(headers)))
  servers = machines.slice(0, 2)
  for (const { lacks } of machines) lacks.add('SecretNode')
  const given = machines.map(({ url }) => ({ url, headers }))
  comfy = createComfyProviders({ servers: given, workflowsDir, statusTtlMs: 20, lostAfterMs: 100 })
  app = await createTestApp({ tools: testTools, providers: comfy.providers })
  admin = await app.createUser({ role: 'admin' })
})
afterAll(async () => {
  await app.stop()
  comfy.close()
  for (const server of machines) await server.close()
  rmSync(workflowsDir, { recursive: true })
})
beforeEach(async () => {
  for (const server of servers) {
    Object.assign(server, { faults: [], prompts: [], uploads: [], calls: [], silent: false, colour: '#208040' })
    await server.start()
  }
  for (const server of machines.slice(2)) await server.kill()
  user = await app.createUser()
})
afterEach(async () => {
  await stopOpenGenerations(app)
  expect(await findLedgerProblems(app.deps.db)).toEqual([])
})

const start = async () =>
  submitted(user, {
    tool: 'montage',
    params: {},
    image: await makePicture('#102030'),
    files: { back: await makePicture('#203040') },
  })
const jobsOf = (id: string) =>
  app.deps.db.select().from(providerJobs).where(eq(providerJobs.generationId, id)).orderBy(providerJobs.createdAt)
const prompts = () => servers.flatMap((server) => server.prompts)

/** Advances the clock past waiting generations' rest. */
async function until(id: string, wanted: (view: GenerationView) => void | Promise<void>): Promise<GenerationView> {
  app.clock.advance({ seconds: 3 })
  return afterChanges(user, id, async () => {
    await app.deps.db.update(generations).set({ waitUntil: app.clock.now() }).where(isNotNull(generations.waitUntil))
    await resendJobs(app.deps)
    const view = await readGeneration(user, id)
    await wanted(view)
    return view
  })
}
const ended = (id: string) => until(id, ({ finishedAt }) => expect(finishedAt).not.toBeNull())
/** Waits until no attempt of the generation runs or is due; `until` makes the next one due. */
const suspended = (id: string) =>
  vi.waitFor(
    async () => {
      const later = { waitUntil: addTime(app.clock.now(), { hours: 1 }) }
      const rests = and(eq(generations.id, id), gt(generations.waitUntil, app.clock.now()))
      expect(await app.deps.db.update(generations).set(later).where(rests).returning()).toHaveLength(1)
    },
    { timeout: 300_000, interval: 20 },
  )
const begun = (id: string, count = 1) =>
  until(id, () => expect(prompts().length).toBeGreaterThanOrEqual(count)).then(
    () => servers.find(({ prompts }) => prompts.length > 0) as FakeComfy,
  )

test('a generation is made by a server, with an id that was stored before, and leaves nothing behind', async () => {
  const { id } = await start()
  expect(await ended(id)).toMatchObject({ status: 'succeeded', provider: 'comfyui:inpaint/sdxl-inpainting' })
  const [job] = await jobsOf(id)
  expect(prompts().map((prompt) => prompt.id)).toEqual([job?.reference])
  expect(job).toMatchObject({ state: 'done', externalId: job?.reference, sent: 1, width: 40, height: 30 })
  const [view] = (await readGeneration(user, id)).outputs
  const { dominant } = await sharp(await (await user.request(view?.url as string)).arrayBuffer()).stats()
  expect(dominant.g).toBeGreaterThan(dominant.r + 32)
  const server = servers.find(({ url }) => url === job?.slot)
  expect(server?.uploads.toSorted()).toEqual([`temp/${job?.reference}-mask.png`, `temp/${job?.reference}-picture.png`])
  await vi.waitFor(() => expect(server?.calls).toContain('POST /history'), 120_000)
})

/** Name, faults, origin of the result, number of prompts. */
test.each<[string, ComfyFault[], 'servers' | 'local', number]>([
  ['without memory is sent once more, smaller', ['out of memory'], 'servers', 2],
  ['without memory twice is given up', ['out of memory', 'out of memory'], 'local', 2],
  ['that was cached and gave nothing is sent again', ['cached'], 'servers', 2],
  ['that fails is given up', ['error'], 'local', 1],
  ['with a page instead of a picture is given up', ['html instead of a picture'], 'local', 1],
  ['with something else than a picture is given up', ['text instead of a picture'], 'local', 1],
  ['with a picture of another shape is given up', ['wrong shape'], 'local', 1],
  ['with an endless answer is given up', ['100 MB'], 'local', 1],
  ['that leads elsewhere never gets there', ['redirect'], 'local', 1],
  ['whose result comes at the third try is asked once', ['two failed downloads'], 'servers', 1],
  ['whose result never comes is given up after three tries', ['no download'], 'local', 1],
])('a prompt %s', async (_name, faults, who, sent) => {
  for (const server of servers) server.faults = [...faults]
  // The same server each time.
  await servers[1]?.kill()
  const { id, credits } = await start()
  const view = await ended(id)
  expect(view.status).toBe('succeeded')
  expect(view.provider === 'local' ? 'local' : 'servers').toBe(who)
  expect(prompts()).toHaveLength(sent)
  expect((await jobsOf(id)).filter(({ state }) => state === 'done')).toHaveLength(1)
  if (faults[0] === 'out of memory') expect(servers[0]?.calls).toContain('POST /free')
  expect(await creditsOf(user)).toBe(25 - credits)
})

test('a server that does not deliver its result is replaced after three tries, and is free again', async () => {
  // Any of them may be used first.
  for (const server of servers) server.faults = ['no download']
  const { id, credits } = await start()
  const first = await begun(id)
  const second = servers.find((server) => server !== first) as FakeComfy
  second.faults = []
  const view = await ended(id)
  expect(view).toMatchObject({ status: 'succeeded', provider: 'comfyui:inpaint/sdxl-inpainting' })
  expect(servers.map(({ prompts: its }) => its.length)).toEqual([1, 1])
  expect(first.calls.filter((call) => call === 'GET /view')).toHaveLength(3)
  expect(await jobsOf(id)).toMatchObject([{ state: 'done', slot: second.url, sent: 2, failedDownloads: 0 }])
  expect(await creditsOf(user)).toBe(25 - credits)
})

test('progress is reported during a generation, and its end is noticed also without events', async () => {
  for (const server of servers) server.faults = ['held']
  const { id } = await start()
  const server = await begun(id)
  await until(id, ({ progress }) => {
    server.progress(6, 10)
    expect(progress).toBeCloseTo(0.6, 5)
  })
  server.silent = true
  await server.release()
  expect(await ended(id)).toMatchObject({ status: 'succeeded', provider: 'comfyui:inpaint/sdxl-inpainting' })
})

test('a prompt of a killed server is sent to another, and a restarted server has lost its queue', async () => {
  for (const server of servers) server.faults = ['held']
  const { id } = await start()
  const first = await begun(id)
  await first.kill()
  const second = servers.find((server) => server !== first) as FakeComfy
  await until(id, () => expect(second.prompts).toHaveLength(1))
  await first.start()
  await second.kill()
  await second.start()
  expect(await ended(id)).toMatchObject({ status: 'succeeded', provider: 'comfyui:inpaint/sdxl-inpainting' })
  expect(prompts()).toHaveLength(3)
  expect(new Set(prompts().map((prompt) => prompt.id)).size).toBe(3)
})

test('each server has one prompt at a time, and waiting prompts are next', async () => {
  for (const server of servers) server.faults = ['held']
  const others = await Promise.all([app.createUser(), app.createUser()])
  const started = [await start()]
  for (const other of others) {
    user = other
    started.push(await start())
  }
  await until(started[2]!.id, () => expect(prompts()).toHaveLength(2))
  await until(started[2]!.id, ({ status }) => expect(status).toBe('generating'))
  expect(servers.map((server) => server.prompts.length)).toEqual([1, 1])
  for (const server of servers) await server.release()
  expect(await ended(started[2]!.id)).toMatchObject({ provider: 'comfyui:inpaint/sdxl-inpainting' })
})

test.each(['waits', 'runs'])(
  'a prompt that %s is cancelled with its generation, and other prompts are not',
  async (state) => {
    await servers[1]?.kill()
    const [server] = servers as [FakeComfy]
    server.faults = ['held', 'held']
    // Another client uses the server, too.
    const foreign = '00000000-0000-4000-8000-000000000000'
    const queue = (id: string) =>
      fetch(`${server.url}/prompt`, { method: 'POST', headers, body: JSON.stringify({ prompt: {}, prompt_id: id }) })
    if (state === 'waits') await queue(foreign)
    const { id } = await start()
    await until(id, () => expect(server.prompts.map((prompt) => prompt.id)).toHaveLength(state === 'waits' ? 2 : 1))
    await until(id, async () => expect(await jobsOf(id)).toMatchObject([{ state: 'waiting' }]))
    expect((await user.request(`/api/generations/${id}/cancel`, { method: 'POST' })).status).toBe(200)
    await vi.waitFor(async () => expect(await jobsOf(id)).toMatchObject([{ state: 'cancelled' }]), 120_000)
    const left = await (await fetch(`${server.url}/queue`, { headers })).json()
    expect(left).toEqual({ queue_running: state === 'waits' ? [[0, foreign]] : [], queue_pending: [] })
    expect(await creditsOf(user)).toBe(25)
    await server.release()
  },
)

/** Rows as after a kill between two statements. */
test.each([
  ['before anything was sent', false, { state: 'asked', externalId: null } as const, 1],
  ['after the prompt was taken', true, { state: 'asked', externalId: null } as const, 1],
  ['while it was waited for', true, { state: 'waiting' } as const, 1],
])('a worker that dies %s loses nothing and makes nothing twice', async (_name, heard, row, accepted) => {
  for (const server of servers) server.faults = ['held']
  const { id } = await start()
  const server = await begun(id)
  await until(id, async () => expect(await jobsOf(id)).toMatchObject([{ state: 'waiting' }]))
  // The restarted server may still count as silent; the prompt then goes to the other.
  for (const one of servers) one.faults = []
  await suspended(id)
  if (!heard) {
    await server.kill()
    await server.start()
  }
  await app.deps.db.update(providerJobs).set(row).where(eq(providerJobs.generationId, id))
  await server.release()
  expect(await ended(id)).toMatchObject({ status: 'succeeded', provider: 'comfyui:inpaint/sdxl-inpainting' })
  expect((await jobsOf(id)).filter(({ state }) => state === 'done')).toHaveLength(accepted)
  expect(prompts()).toHaveLength(heard ? 1 : 2)
})

const crowd = process.env.SOAK ? 200 : 4

test(`${crowd} generations over four servers that die one after the other all end and are made once`, async () => {
  for (const server of machines) {
    // Prompts of a dead server must be repeated elsewhere.
    Object.assign(server, {
      prompts: [],
      faults: Array.from({ length: crowd / 4 }, (_, i) => (i % 2 ? 'held' : undefined)),
    })
    await server.start()
  }
  const ids: string[] = []
  while (ids.length < crowd) {
    if (ids.length % 6 === 0) user = await app.createUser()
    ids.push((await start()).id)
  }
  let round = 0
  await vi.waitFor(
    async () => {
      const [dying, back] = [machines[round % 4], machines[(round + 3) % 4]]
      round++
      await back?.start()
      await dying?.kill()
      app.clock.advance({ seconds: 3 })
      await app.deps.db.update(generations).set({ waitUntil: app.clock.now() }).where(isNotNull(generations.waitUntil))
      await resendJobs(app.deps)
      const mine = inArray(generations.id, ids)
      expect(await app.deps.db.$count(generations, and(mine, isNull(generations.finishedAt)))).toBe(0)
      expect(await app.deps.db.$count(generations, and(mine, eq(generations.status, 'succeeded')))).toBe(crowd)
    },
    { timeout: 600_000, interval: 200 },
  )
  const jobs = await app.deps.db.select().from(providerJobs).where(inArray(providerJobs.generationId, ids))
  for (const id of ids) {
    const done = jobs.filter(({ generationId, state }) => generationId === id && state === 'done')
    // None if every server was gone and the engine did it.
    expect(done.length).toBeLessThanOrEqual(1)
  }
  expect(new Set(machines.flatMap(({ prompts }) => prompts.map(({ id }) => id))).size).toBe(
    machines.flatMap(({ prompts }) => prompts).length,
  )
})

test('admins see the missing parts of each workflow, and the error in a file', async () => {
  const find = async (name: string) => {
    const { items } = (await (await admin.request('/api/admin/providers')).json()) as { items: ProviderView[] }
    return items.find(({ id }) => id === `comfyui:${name}`)
  }
  // Servers that were just restarted may count as lost on a busy machine.
  await vi.waitFor(async () => {
    expect(await find('inpaint/lacking')).toMatchObject({ detail: expect.stringContaining('lacks node SecretNode') })
    expect(await find('background/qwen-image-edit')).toMatchObject({
      ok: true,
      detail: expect.stringContaining('0.3.64'),
    })
  }, 120_000)
  expect(await find('inpaint/broken')).toMatchObject({
    ok: false,
    detail: 'one node must have the title "slot: result"',
  })
  servers[0]?.lacks.add('checkpoints/sd_xl_inpainting_0.1.safetensors')
  await servers[0]?.kill()
  await servers[0]?.start()
  await vi.waitFor(async () => {
    expect(await find('inpaint/sdxl-inpainting')).toMatchObject({
      ok: true,
      detail: expect.stringContaining('lacks checkpoints/sd_xl_inpainting_0.1.safetensors'),
    })
  }, 120_000)
  servers[0]?.lacks.delete('checkpoints/sd_xl_inpainting_0.1.safetensors')
})
