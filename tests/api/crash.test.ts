import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { pino } from 'pino'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { openStatuses } from '#features/generations/rules.ts'
import type { GenerationCreated, GenerationView } from '#features/generations/schemas.ts'
import { providerJobs } from '#features/generations/server/table.ts'
import { openDatabase } from '#server/db/database.ts'
import type { Page } from '#shared/paging.ts'
import { findLedgerProblems } from '#tests/support/audit-books.ts'
import { type FakeComfy, startFakeComfy } from '#tests/support/comfyui.ts'
import { createServerHome, type ServerHome } from '#tests/support/server-home.ts'
import { freePort, type ServerProcess, startServerProcess } from '#tests/support/server-process.ts'
import { type SignedUp, signUp } from '#tests/support/sign-up.ts'
import { damagedPicture, formOf, makePicture, type Submission } from '../support/submit.ts'

const soak = Boolean(process.env.SOAK)
const people = soak ? 4 : 1
const perPerson = soak ? 25 : 3
/** Acknowledged charges at which the server is killed … */
const killsAt = soak ? [3, 30, 62, 90] : [2]
/** … and then milliseconds, while only jobs run. */
const killsAfter = soak ? [1500] : []
/** The small case uses a tool of providers alone, since each killed server loads models anew. */
const tool = soak
  ? { name: 'background-removal', params: undefined, price: 5 }
  : { name: 'instant-edit', params: { prompt: 'langit biru', format: 'png' }, price: 10 }
const welcome = perPerson * tool.price + 3

let home: ServerHome
let env: Record<string, string>
let server: ServerProcess
/** Makes the mattes or edits, and is never killed. */
let comfy: FakeComfy

beforeAll(async () => {
  home = await createServerHome()
  comfy = await startFakeComfy()
  if (soak) comfy.edit = whiteMiddle
  const COMFYUI_SERVERS = comfy.url
  env = { ...home.env, PORT: String(await freePort()), WELCOME_CREDITS: String(welcome), COMFYUI_SERVERS }
  server = await startServerProcess(env)
})

afterAll(async () => {
  await server.end('SIGKILL')
  await comfy.close()
  await home.drop()
})

/** The matte of a subject in the middle. */
async function whiteMiddle(given: Uint8Array): Promise<Uint8Array> {
  const { width = 4, height = 4 } = await sharp(given).metadata()
  const [left, top] = [Math.floor(width / 4), Math.floor(height / 4)]
  const subject = { width: width - 2 * left, height: height - 2 * top, channels: 3, background: '#fff' } as const
  const edges = { top, bottom: top, left, right: left, background: '#000' }
  return sharp({ create: subject }).extend(edges).png().toBuffer()
}

const random = (below: number) => Math.floor(Math.random() * below)

const call = (path: string, person?: SignedUp, init: RequestInit = {}) =>
  fetch(`${server.url}${path}`, {
    ...init,
    headers: { ...(person && { authorization: `Bearer ${person.token}` }), ...init.headers },
  })

/** Retries with the same key, as the app does. */
async function send(person: SignedUp, key: string, given: Submission): Promise<GenerationCreated> {
  for (;;) {
    const body = await formOf({ tool: tool.name, params: tool.params, ...given })
    const answer = await call('/api/generations', person, { method: 'POST', body, headers: { 'idempotency-key': key } })
      .then(async (response) => ({ status: response.status, body: await response.json() }))
      .catch(() => undefined)
    if (answer && (answer.status === 201 || answer.status === 200)) return answer.body as GenerationCreated
    if (answer && answer.status < 500 && answer.status !== 429) throw new Error(`${answer.status} ${answer.body.code}`)
    await pause(100 + random(200))
  }
}

async function everything(person: SignedUp): Promise<GenerationView[]> {
  const answer = await call('/api/generations?limit=50', person)
  return ((await answer.json()) as Page<GenerationView>).items
}

/** Mostly fast failures with a refund; sometimes slow successes. */
async function samples(): Promise<() => Submission> {
  const cup = new Uint8Array(await sharp('tests/fixtures/photos/coffee.jpg').resize(64).png().toBuffer())
  const damaged = { image: damagedPicture() }
  // Each has its own grey: a picture known to be empty is refused before the charge.
  const empty = Array.from({ length: people * perPerson }, (_, grey) => makePicture(`rgb(${grey},${grey},${grey})`))
  const empties = (await Promise.all(empty)).map((image) => ({ image }))
  let given = 0
  return () => {
    given += 1
    const pick = given > people ? random(8) : 0
    return pick < 2 ? { image: cup } : pick === 2 ? (empties.pop() ?? damaged) : damaged
  }
}

test(`killed at any moment of ${people * perPerson} charges and jobs, no payment and no picture is lost`, async () => {
  const sampleOf = await samples()
  const group: SignedUp[] = []
  for (let index = 0; index < people; index += 1) group.push(await signUp(server.url, home.dataDir))
  const acknowledged = new Map<string, { person: SignedUp; key: string; given: Submission }>()
  const cancelled = new Set<string>()

  const submitting = Promise.all(
    group.map(async (person) => {
      for (let index = 0; index < perPerson; index += 1) {
        const key = randomUUID()
        const sample = sampleOf()
        const { id } = await send(person, key, sample)
        expect(acknowledged.has(id)).toBe(false)
        acknowledged.set(id, { person, key, given: sample })
        // The first picture has to reach the provider.
        if (index === 0 || random(8) > 0) continue
        const answer = await call(`/api/generations/${id}/cancel`, person, { method: 'POST' }).catch(() => undefined)
        if (answer?.status === 200) cancelled.add(id)
      }
    }),
  )
  const killAndRestart = async () => {
    await server.end('SIGKILL')
    server = await startServerProcess(env)
    expect(server.stderr()).toBe('')
  }
  for (const count of killsAt) {
    while (acknowledged.size < count) await pause(5)
    await pause(random(60))
    await killAndRestart()
  }
  await submitting
  for (const milliseconds of killsAfter) {
    await pause(random(milliseconds))
    await killAndRestart()
  }

  // Acknowledged responses hold after a kill, and repeated requests charge nothing.
  for (const [id, { person, key, given: sample }] of [...acknowledged].filter(() => random(10) === 0)) {
    expect((await send(person, key, sample)).id).toBe(id)
  }
  for (const person of group) {
    const views = await vi.waitFor(
      async () => {
        const found = await everything(person)
        expect(found.filter(({ status }) => (openStatuses as readonly string[]).includes(status))).toEqual([])
        return found
      },
      { timeout: 300_000, interval: 500 },
    )
    expect(views).toHaveLength(perPerson)
    for (const view of views) {
      expect(acknowledged.get(view.id)?.person).toBe(person)
      if (cancelled.has(view.id)) expect(view.status).toBe('cancelled')
      const files = view.status === 'succeeded' ? [...view.inputs, ...view.outputs] : view.inputs
      expect(files.length).toBe(view.status === 'succeeded' ? 2 : 1)
      for (const file of files) {
        const bytes = await (await call(file.url)).arrayBuffer()
        expect(bytes.byteLength).toBe(file.bytes)
      }
    }
    const paid = views.filter(({ status }) => status === 'succeeded').length
    const { credits: left } = (await (await call('/api/user/myCredit', person)).json()) as { credits: number }
    expect(left).toBe(welcome - tool.price * paid)
  }

  expect(await server.end('SIGTERM')).toBe(0)
  const config = { dataDir: home.dataDir, databaseUrl: home.env.DATABASE_URL }
  const database = await openDatabase(config, pino({ level: 'silent' }))
  try {
    expect(await findLedgerProblems(database.db)).toEqual([])
    // One job of each task counts, and none is left running.
    const jobs = await database.db.select().from(providerJobs)
    expect(jobs.filter(({ state }) => ['wanted', 'asked', 'waiting'].includes(state))).toEqual([])
    const done = jobs.filter(({ state }) => state === 'done').map(({ generationId, task }) => `${generationId} ${task}`)
    expect(new Set(done).size).toBe(done.length)
    expect(jobs.some(({ provider }) => provider.startsWith('comfyui:'))).toBe(true)
  } finally {
    await database.close()
  }
})
