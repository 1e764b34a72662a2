import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { unzip } from 'unzipit'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { GenerationCreated, GenerationView, OutputView } from '#features/generations/schemas.ts'
import { countFreePixels } from '#features/generations/server/checks/free-pixels.ts'
import { awaitJob } from '#features/generations/server/execution/await-job.ts'
import type { Notifier } from '#server/notify.ts'
import { findLedgerProblems } from '#tests/support/audit-books.ts'
import type { PhotoCheckView } from '#tools/contract/schemas.ts'
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
import { testTools } from '../support/test-tools.ts'

let app: TestApp
let user: TestUser

beforeAll(async () => {
  app = await createTestApp({ tools: testTools })
  user = await app.createUser()
})
afterAll(() => app.stop())
afterEach(async () => {
  await stopOpenGenerations(app)
  expect(await findLedgerProblems(app.deps.db)).toEqual([])
})

const dark = () => makePicture('#102030')
const bright = () => makePicture('#f0f0f0', 50, 20)
const montage = async (params: object = {}, mask?: Uint8Array<ArrayBuffer>) => ({
  tool: 'montage',
  params,
  image: await dark(),
  files: { back: [await bright()], ...(mask && { mask }) },
})
const contentOf = async (file: { url: string }) => new Uint8Array(await (await app.request(file.url)).arrayBuffer())
const redAt = async (output: OutputView, x: number) =>
  (
    await sharp(await contentOf(output))
      .raw()
      .toBuffer()
  )[x * 4]

async function render(id: string, params: object, files: Record<string, Uint8Array<ArrayBuffer>> = {}) {
  const body = new FormData()
  body.set('params', JSON.stringify(params))
  for (const [name, bytes] of Object.entries(files)) body.set(name, new Blob([bytes]), `${name}.png`)
  return user.request(`/api/generations/${id}/render`, { method: 'POST', body })
}

async function halfMask(): Promise<Uint8Array<ArrayBuffer>> {
  const white = { create: { width: 20, height: 30, channels: 3, background: '#ffffff' } } as const
  const left = await sharp(white).png().toBuffer()
  const black = { create: { ...white.create, width: 40, background: '#000000' } }
  return new Uint8Array(
    await sharp(black)
      .composite([{ input: left, left: 0, top: 0 }])
      .png()
      .toBuffer(),
  )
}

describe('a tool with two inputs, a mask, three outputs and nothing kept', () => {
  test('returns all its outputs with their names, and its findings', async () => {
    const { id, credits: paid } = await submitted(user, await montage())
    // Two for the generation and one for the photo check.
    expect(paid).toBe(3)
    const view = await reached(user, id)
    expect(view).toMatchObject({
      status: 'succeeded',
      inputs: [{ input: 'front' }, { input: 'back' }],
      outputs: [
        { label: 'joined', name: 'foto-montage.png', width: 40, height: 30 },
        { label: 'small', name: 'foto-montage-2.jpg', width: 16, height: 16 },
        { label: 'note', name: 'foto-montage-3.pdf', contentType: 'application/pdf' },
      ],
      warnings: [{ code: 'uncertain_edges' }],
      facts: { tint: 0 },
      thumbnailUrl: expect.any(String),
    })
    const [, small] = view.outputs
    const metadata = await sharp(await contentOf(small as OutputView)).metadata()
    expect(metadata).toMatchObject({ density: 300 })
    expect(metadata.xmp?.toString()).toContain('compositeWithTrainedAlgorithmicMedia')
    const list = (await (await user.request('/api/generations?tool=montage')).json()) as { items: GenerationView[] }
    expect(list.items[0]?.outputs).toHaveLength(3)
  })

  test('is rendered again from its inputs, with other parameters and another mask', async () => {
    const { id } = await submitted(user, await montage())
    await reached(user, id, 'succeeded')
    const tinted = (await (await render(id, { tint: 100 })).json()) as GenerationView
    expect(tinted).toMatchObject({ params: { tint: 100 }, facts: { tint: 100 }, warnings: [{}] })
    expect(await redAt(tinted.outputs[0] as OutputView, 0)).toBe(0x10 + 100)
    const masked = (await (await render(id, { tint: 0 }, { mask: await halfMask() })).json()) as GenerationView
    expect(masked.inputs.map(({ input }) => input)).toEqual(['front', 'back', 'mask'])
    expect(masked.warnings).toEqual([])
    expect(await redAt(masked.outputs[0] as OutputView, 0)).toBe(0x10)
    expect(await redAt(masked.outputs[0] as OutputView, 39)).toBe(0xf0)
    const other = await render(id, {}, { front: await bright() })
    expect(await refusal(other)).toEqual([422, 'upload.too_many'])
  })

  test('requires its inputs before anything is charged', async () => {
    const before = await creditsOf(user)
    const missing = async (given: object) => {
      const form = { tool: 'montage', image: await dark(), ...given }
      return submitted(user, form).catch((error: Error) => error.message)
    }
    expect(await missing({})).toContain('upload.missing')
    expect(await missing({ files: { back: [await dark(), await dark(), await dark()] } })).toContain('upload.too_many')
    expect(await missing({ params: { masked: true }, files: { back: await dark() } })).toContain('upload.missing')
    expect(await creditsOf(user)).toBe(before)
  })

  test('is in the archive of the user’s data with every output', async () => {
    const { id } = await submitted(user, await montage())
    const { outputs } = await reached(user, id, 'succeeded')
    const archive = await user.request('/api/user/export', { method: 'POST' })
    const { entries } = await unzip(await archive.blob())
    for (const { name } of outputs) {
      expect(Object.keys(entries).some((path) => path.includes(id) && path.endsWith(name))).toBe(true)
    }
  })
})

describe('a photo check', () => {
  const check = async (tool: string, given: object) => {
    const { params, image, files } = { params: {}, files: {}, ...given } as Awaited<ReturnType<typeof montage>>
    const body = new FormData()
    body.set('params', JSON.stringify(params))
    body.set('image', new Blob([image]), 'a.png')
    for (const [name, its] of Object.entries(files)) {
      for (const bytes of [its].flat()) body.append(name, new Blob([bytes as Uint8Array<ArrayBuffer>]), 'b.png')
    }
    return user.request(`/api/tools/${tool}/check`, { method: 'POST', body })
  }

  test('costs nothing and returns the price, faces, warnings, checks and problems', async () => {
    const before = await creditsOf(user)
    const view = (await (await check('montage', await montage({ masked: true }))).json()) as PhotoCheckView
    expect(view).toMatchObject({
      credits: 3,
      facts: { bright: 1 },
      faces: [{ input: 'front', position: 0, box: { x: 1, y: 2, width: 3, height: 4 }, points: [1, 2] }],
      warnings: [{ code: 'overexposed', msg: expect.stringMatching(/\w+ \w+/) }],
      problems: [{ path: 'mask', code: 'upload.missing', msg: expect.stringMatching(/\w+ \w+/) }],
      checks: [{ code: 'sharpness', status: 'ok', measured: 3, wanted: { min: 1 } }],
    })
    expect(await creditsOf(user)).toBe(before)
  })

  test('runs once for the same inputs, and the generation uses its findings', async () => {
    const given = await montage({ tint: 7 })
    const first = (await (await check('montage', given)).json()) as PhotoCheckView
    const again = (await (await check('montage', given)).json()) as PhotoCheckView
    expect(again.facts.checkedAt).toBe(first.facts.checkedAt)
    expect((await submitted(user, given)).credits).toBe(first.credits)
  })

  test('of a tool without checks returns the price alone', async () => {
    const view = (await (await check('sleeper', { image: await dark() })).json()) as PhotoCheckView
    expect(view).toEqual({ credits: 1, facts: {}, faces: [], warnings: [], problems: [], checks: [] })
  })

  test('of an unknown tool is refused', async () => {
    expect(await refusal(await check('teleport', { image: await dark() }))).toEqual([404, 'tool.unknown'])
  })
})

describe('a generation with named inputs', () => {
  test('uses an output of an earlier one, and keeps it when that one is deleted', async () => {
    const first = await reached(user, (await submitted(user, await montage())).id, 'succeeded')
    const [joined] = first.outputs
    const json = { tool: 'sleeper', params: { awake: true }, inputs: { picture: [{ file: joined?.id }] } }
    const headers = { 'idempotency-key': randomUUID() }
    const answer = await user.request('/api/generations', { json, headers })
    expect(answer.status).toBe(201)
    const { id } = (await answer.json()) as GenerationCreated
    await user.request(`/api/generations/${first.id}`, { method: 'DELETE' })
    const view = await reached(user, id, 'succeeded')
    expect(view).toMatchObject({ inputs: [{ width: 40, height: 30 }], outputs: [{ width: 40, height: 30 }] })
    expect((await app.request(view.inputs[0]?.url as string)).status).toBe(200)
    const stranger = await app.createUser()
    const theirs = { ...json, inputs: { picture: [{ file: view.outputs[0]?.id }] } }
    const refused = await stranger.request('/api/generations', { json: theirs, headers })
    expect(await refusal(refused)).toEqual([404, 'file.not_found'])
  })

  test.each([
    ['a text', 'picture'],
    ['something else than references', { picture: ['x'] }],
    ['an id that is none', { picture: [{ upload: '../../etc' }] }],
  ])('is refused with %s in place of its inputs', async (_name, inputs) => {
    const headers = { 'idempotency-key': randomUUID() }
    const answer = await user.request('/api/generations', { json: { tool: 'sleeper', inputs }, headers })
    expect(await refusal(answer)).toEqual([422, 'form.invalid'])
  })

  test('is refused when its JSON is nested endlessly', async () => {
    const params = `{"params":${'['.repeat(9000)}${']'.repeat(9000)}}`
    const headers = { 'idempotency-key': randomUUID(), 'content-type': 'application/json' }
    const answer = await user.request('/api/generations', { method: 'POST', body: params, headers })
    expect(await refusal(answer)).toEqual([400, 'request.malformed'])
  })
})

describe('the kept data', () => {
  test('may be JSON without a layer, and its warnings and facts outlive another rendering', async () => {
    const given = { tool: 'sleeper', params: { awake: true }, image: await dark() }
    const { id } = await submitted(user, given)
    const expected = { warnings: [{ code: 'blurred' }], facts: { seed: 42, keptSeed: 42 } }
    expect(await reached(user, id, 'succeeded')).toMatchObject(expected)
    expect(await (await render(id, {})).json()).toMatchObject(expected)
  })
})

describe('the queues', () => {
  test('a long generation does not delay a rendering or a check', async () => {
    const { id } = await submitted(user, await montage())
    await reached(user, id, 'succeeded')
    const { id: long } = await submitted(user, { tool: 'sleeper', image: await dark() })
    await reached(user, long, 'generating')
    expect((await render(id, { tint: 50 })).status).toBe(200)
    expect(await readGeneration(user, long)).toMatchObject({ status: 'generating' })
    await user.request(`/api/generations/${long}/cancel`, { method: 'POST' })
  })

  test('the first generation of a user comes before the third of another user', async () => {
    const busy = await app.createUser()
    const generationIds: string[] = []
    for (let count = 0; count < 3; count++) {
      generationIds.push((await submitted(busy, { tool: 'sleeper', image: await dark() })).id)
    }
    await reached(busy, generationIds[0] as string, 'generating')
    const { id } = await submitted(user, { tool: 'sleeper', params: { awake: true }, image: await dark() })
    expect(await readGeneration(user, id)).toMatchObject({ position: 0 })
    expect(await readGeneration(busy, generationIds[2] as string)).toMatchObject({ position: 2 })
    await busy.request(`/api/generations/${generationIds[0]}/cancel`, { method: 'POST' })
    await reached(user, id, 'succeeded')
    expect((await readGeneration(busy, generationIds[2] as string)).status).toBe('queued')
    for (const generationId of generationIds.slice(1))
      await busy.request(`/api/generations/${generationId}/cancel`, { method: 'POST' })
  })
})

test('a waiting client receives the end of a job, also when the connection for notifications was lost', async () => {
  const deaf: Notifier = {
    subscribe(listener) {
      const timer = setTimeout(() => listener({ kind: 'resync' }), 100)
      return () => clearTimeout(timer)
    },
    stop: async () => {},
  }
  const waiting = (tool: string) => {
    const job = { jobId: randomUUID(), tool, params: {}, inputs: [] }
    return awaitJob({ jobs: app.deps.jobs, notifier: deaf }, 'make-preview', job, 120)
  }
  await expect(waiting('unheard-of')).rejects.toMatchObject({ code: 'tool.unknown' })
})

describe('free work', () => {
  test('is limited by its pixels for each hour', async () => {
    const eager = await app.createUser()
    const { id } = await submitted(eager, await montage())
    await reached(eager, id, 'succeeded')
    const again = () => eager.request(`/api/generations/${id}/render`, { json: { params: { tint: 9 } } })
    await countFreePixels(app.deps, eager.id, [{ width: 60_000, height: 99_980 }])
    expect((await again()).status).toBe(200)
    expect(await refusal(await again())).toEqual([429, 'request.rate_limited'])
    app.clock.advance({ minutes: 61 })
    const token = await app.signIn(eager.email, eager.password)
    const later = await app.request(`/api/generations/${id}/render`, { token, json: { params: { tint: 9 } } })
    expect(later.status).toBe(200)
  })
})
