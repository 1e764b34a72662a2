import { randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { toolPrices } from '#features/credits/server/table.ts'
import type { GenerationCreated, GenerationView } from '#features/generations/schemas.ts'
import { generations } from '#features/generations/server/table.ts'
import { createFolderStore } from '#server/storage/folder-store.ts'
import { findLedgerProblems } from '#tests/support/audit-books.ts'
import type { ToolView } from '#tools/contract/schemas.ts'
import { createFakeEngine, gate, hang, succeed } from '../support/fake-engine.ts'
import { creditsOf, makePicture, reached, refusal, stopOpenGenerations, submit, submitted } from '../support/submit.ts'
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts'

const engine = createFakeEngine()
const picture = await makePicture()
const folder = mkdtempSync(join(tmpdir(), 'rupa-store-'))
let diskFull = false
const store = createFolderStore(folder, async (...given) => {
  if (diskFull) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
  return open(...given)
})
let app: TestApp
let user: TestUser

beforeAll(async () => {
  app = await createTestApp({ engine, store, env: { QUEUE_LIMIT: '5' } })
})

afterAll(async () => {
  await app.stop()
  rmSync(folder, { recursive: true, force: true })
})

beforeEach(async () => {
  engine.behave(succeed)
  user = await app.createUser()
})

afterEach(async () => {
  await stopOpenGenerations(app)
  expect(await findLedgerProblems(app.deps.db)).toEqual([])
})

const stored = () =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile()).length
const countOf = async () => (await app.deps.db.select().from(generations).where(eq(generations.userId, user.id))).length

describe('POST /api/generations', () => {
  test('charges, responds with the generation, the price and the balance, and ends with a result', async () => {
    const held = gate()
    engine.behave(held.behaviour)
    const answer = await submit(user, { name: 'di pantai-background-removal-2.png' })
    held.open()
    expect(answer.status).toBe(201)
    expect(answer.headers.get('x-credits-charged')).toBe('5')
    const created = (await answer.json()) as GenerationCreated
    expect(created).toMatchObject({
      tool: 'background-removal',
      credits: 5,
      balance: 20,
      progress: 0,
      provider: 'local',
      error: null,
      outputs: [],
      thumbnailUrl: null,
      finishedAt: null,
      params: { subject: 'auto', format: 'png', background: { type: 'transparent' } },
      inputs: [
        {
          input: 'picture',
          name: 'di pantai-background-removal-2.png',
          contentType: 'image/png',
          width: 40,
          height: 30,
        },
      ],
    })
    const done = await reached(user, created.id, 'succeeded')
    expect(done).toMatchObject({
      progress: 1,
      position: null,
      outputs: [
        { label: null, name: 'di pantai-background-removal.png', contentType: 'image/png', width: 40, height: 30 },
      ],
      warnings: [{ code: 'low_resolution', msg: expect.stringMatching(/\w+ \w+/) }],
      thumbnailUrl: expect.stringMatching(/^\/api\/files\//),
    })
    expect(await creditsOf(user)).toBe(20)
  })

  test('requires a signed-in user', async () => {
    const visitor = { request: app.request } as TestUser
    expect(await refusal(await submit(visitor))).toEqual([401, 'auth.required'])
  })

  test('with the same Idempotency-Key responds with the same generation and charges nothing', async () => {
    const key = randomUUID()
    const first = (await (
      await submit(user, { key, params: { crop: true, format: 'webp' } })
    ).json()) as GenerationCreated
    const again = await submit(user, { key: `"${key}"`, params: { format: 'webp', crop: true } })
    expect(again.status).toBe(200)
    expect(again.headers.get('x-credits-charged')).toBe('0')
    expect(await again.json()).toMatchObject({ id: first.id, credits: 5, balance: 20 })
    expect(await creditsOf(user)).toBe(20)
  })

  test('with the same Idempotency-Key and another content is refused, whatever differs', async () => {
    const key = randomUUID()
    await submitted(user, { key })
    const others = [
      { key, params: { crop: true } },
      { key, image: await makePicture('#00ff00') },
      { key, image: [await makePicture(), await makePicture()] },
      { key, files: { background: await makePicture() } },
    ]
    for (const other of others) expect(await refusal(await submit(user, other))).toEqual([422, 'idempotency.reused'])
    expect(await creditsOf(user)).toBe(20)
  })

  test('with the same Idempotency-Key of another user is another generation', async () => {
    const key = randomUUID()
    const neighbour = await app.createUser()
    const [one, two] = [await submitted(user, { key }), await submitted(neighbour, { key })]
    expect(one.id).not.toBe(two.id)
  })

  test('sent many times at once with one key makes one generation and one charge', async () => {
    const key = randomUUID()
    const responses = await Promise.all(Array.from({ length: 8 }, () => submit(user, { key })))
    const statuses = responses.map(({ status }) => status).sort()
    expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 200, 201])
    const ids = await Promise.all(responses.map(async (answer) => ((await answer.json()) as GenerationCreated).id))
    expect(new Set(ids).size).toBe(1)
    expect(await creditsOf(user)).toBe(20)
    expect(await countOf()).toBe(1)
  })

  test('sent many times at once with different keys charges only what can be paid', async () => {
    const hold = gate()
    engine.behave(hold.behaviour)
    const responses = await Promise.all(Array.from({ length: 7 }, () => submit(user)))
    hold.open()
    const codes = responses.map(({ status }) => status).sort()
    // Seven requests meet the queue's limit of five or the end of the credits.
    expect(codes.filter((status) => status === 201)).toHaveLength(5)
    expect(codes.slice(5).every((status) => status === 402 || status === 503)).toBe(true)
    expect(await creditsOf(user)).toBe(0)
    expect(await countOf()).toBe(5)
    for (const answer of responses.filter(({ status }) => status === 201)) {
      await reached(user, ((await answer.json()) as GenerationCreated).id, 'succeeded')
    }
  })

  test.each([
    ['no key', null, 'idempotency.key_missing'],
    ['an empty key', '', 'idempotency.key_missing'],
    ['an empty quoted key', '""', 'idempotency.key_invalid'],
    ['half a quote', '"abc', 'idempotency.key_invalid'],
    ['two keys', 'abc, def', 'idempotency.key_invalid'],
    ['a key without end', 'x'.repeat(201), 'idempotency.key_invalid'],
  ])('with %s is malformed', async (_name, key, code) => {
    expect(await refusal(await submit(user, { key }))).toEqual([400, code])
    expect(await creditsOf(user)).toBe(25)
  })

  test('without enough credits is refused and leaves nothing behind', async () => {
    const before = stored()
    await app.deps.db.insert(toolPrices).values({ tool: 'background-removal', unit: 26, createdAt: new Date() })
    try {
      expect(await refusal(await submit(user))).toEqual([402, 'credits.insufficient'])
      expect(await creditsOf(user)).toBe(25)
      expect(await countOf()).toBe(0)
      expect(stored()).toBe(before)
    } finally {
      await app.deps.db.delete(toolPrices)
    }
  })

  test('at another price than agreed is refused until the user agrees again, and the latest price counts', async () => {
    await app.deps.db.insert(toolPrices).values({ tool: 'background-removal', unit: 7, createdAt: new Date() })
    try {
      const { items } = (await (await app.request('/api/tools')).json()) as { items: ToolView[] }
      expect(items.find(({ id }) => id === 'background-removal')).toMatchObject({
        route: '/ai-background-removal',
        enabled: true,
        credits: 7,
        inputs: {
          picture: { kind: 'picture', min: 1, max: 1 },
          background: { kind: 'picture', min: 0, max: 1 },
        },
        paramsSchema: { type: 'object' },
      })
      const key = randomUUID()
      const answer = await submit(user, { key, fields: { expected_credits: '5' } })
      expect(await answer.clone().json()).toMatchObject({ details: { credits: '7' } })
      expect(await refusal(answer)).toEqual([409, 'credits.price_changed'])
      expect(await creditsOf(user)).toBe(25)
      expect(await submitted(user, { key, fields: { expected_credits: '7' } })).toMatchObject({
        credits: 7,
        balance: 18,
      })
      expect(await refusal(await submit(user, { fields: { expected_credits: 'five' } }))).toEqual([
        422,
        'params.invalid',
      ])
    } finally {
      await app.deps.db.delete(toolPrices)
    }
  })

  test('explains errors in the requested language', async () => {
    const say = async (language: string) =>
      (await (await submit(user, { image: null, headers: { 'accept-language': language } })).json()).msg as string
    expect(await say('en-GB')).not.toBe(await say('id'))
  })

  test('to a full queue is refused for now, and charges nothing', async () => {
    app.expectErrors(/queue\.full/)
    engine.behave(hang)
    const rich = await app.createUser()
    const running: string[] = []
    for (let index = 0; index < 2; index += 1) {
      const { id } = await submitted(rich)
      await reached(rich, id, 'detecting')
      running.push(id)
    }
    const others = [await app.createUser(), user]
    const waiting: [TestUser, string][] = []
    for (const someone of [rich, ...others, ...others]) waiting.push([someone, (await submitted(someone)).id])
    const [, third] = waiting[2] as [TestUser, string]
    // Each user's first generation precedes all second ones.
    expect((await (await user.request(`/api/generations/${third}`)).json()).position).toBe(1)
    const latecomer = await app.createUser()
    const answer = await submit(latecomer)
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await refusal(answer)).toEqual([503, 'queue.full'])
    expect(await creditsOf(latecomer)).toBe(25)
    for (const [someone, id] of [...waiting, ...running.map((id) => [rich, id] as [TestUser, string])]) {
      expect((await someone.request(`/api/generations/${id}/cancel`, { method: 'POST' })).status).toBe(200)
    }
    expect(await creditsOf(rich)).toBe(25)
  })

  test('onto a full disk is refused for now, and charges nothing', async () => {
    app.expectErrors(/storage\.full/)
    const before = stored()
    diskFull = true
    try {
      const answer = await submit(user)
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(await refusal(answer)).toEqual([503, 'storage.full'])
    } finally {
      diskFull = false
    }
    expect(await creditsOf(user)).toBe(25)
    expect(stored()).toBe(before)
    expect(await countOf()).toBe(0)
  })
})

describe('GET /api/generations', () => {
  test('finds generations by words in names of files, by tools named alike, by days, and page by page', async () => {
    const named = ['Kopi susu.png', 'kopi_hitam.png', 'teh.png']
    const ids: string[] = []
    for (const name of named) ids.push((await submitted(user, { name })).id)
    const stranger = await app.createUser()
    await submitted(stranger, { name: 'kopi lain.png' })
    const idsOf = async (query: Record<string, string>) => {
      const answer = await user.request(`/api/generations?${new URLSearchParams(query)}`)
      const { items, nextCursor } = (await answer.json()) as { items: GenerationView[]; nextCursor: string | null }
      return { found: items.map(({ id }) => ids.indexOf(id)), nextCursor }
    }
    expect((await idsOf({ search: 'KOPI' })).found).toEqual([1, 0])
    expect((await idsOf({ search: 'susu kopi' })).found).toEqual([0])
    expect((await idsOf({ search: '%' })).found).toEqual([])
    expect((await idsOf({ search: 'kopi_' })).found).toEqual([1])
    expect((await idsOf({ search: 'latar', named: 'colorizer,background-removal' })).found).toEqual([2, 1, 0])
    expect((await idsOf({ named: 'background-removal', search: ' ' })).found).toEqual([2, 1, 0])
    const first = await idsOf({ search: 'kopi', limit: '1' })
    const { found } = await idsOf({ search: 'kopi', limit: '1', cursor: first.nextCursor ?? '' })
    expect([first.found, found]).toEqual([[1], [0]])

    const yesterday = new Date(Date.now() - 86_400_000)
    await app.deps.db
      .update(generations)
      .set({ createdAt: yesterday })
      .where(eq(generations.id, ids[0] as string))
    const noon = new Date(Date.now() - 43_200_000).toISOString()
    expect((await idsOf({ from: noon })).found).toEqual([2, 1])
    expect((await idsOf({ to: noon, search: 'kopi' })).found).toEqual([0])
    expect(await refusal(await user.request('/api/generations?from=kemarin'))).toEqual([422, 'form.invalid'])
  })
})

describe('a form', () => {
  test.each([
    ['an unknown tool', { tool: 'teleport' }, 404, 'tool.unknown'],
    ['a tool by an inherited name', { tool: 'constructor' }, 404, 'tool.unknown'],
    ['params that are no JSON', { params: '{' }, 400, 'request.malformed'],
    ['params of another kind', { params: [] }, 422, 'params.invalid'],
    ['unknown params', { params: { sharpness: 3 } }, 422, 'params.invalid'],
    ['a colour that is none', { params: { background: { type: 'color', color: 'red' } } }, 422, 'params.invalid'],
    ['a margin out of range', { params: { margin: 0.6 } }, 422, 'params.invalid'],
    [
      'a box outside the picture',
      { params: { subject: 'object', box: { x: 35, y: 0, width: 10, height: 10 } } },
      422,
      'params.invalid',
    ],
    ['no picture', { image: null }, 422, 'upload.missing'],
    ['two pictures for a tool of one', { image: [picture, picture] }, 422, 'upload.too_many'],
    ['a picture as background that was not sent', { params: { background: { type: 'image' } } }, 422, 'upload.missing'],
    ['an unexpected file', { files: { virus: picture } }, 422, 'upload.too_many'],
    ['a file where text belongs', { files: { tool: new Uint8Array(3) } }, 400, 'request.malformed'],
  ])('with %s is refused before anything is charged', async (_name, given, status, code) => {
    expect(await refusal(await submit(user, given))).toEqual([status, code])
    expect(await creditsOf(user)).toBe(25)
  })

  test('may carry a picture as the new background', async () => {
    const background = await makePicture('#0000ff', 60, 60)
    const { id } = await submitted(user, { params: { background: { type: 'image' } }, files: { background } })
    await reached(user, id, 'succeeded')
    expect(engine.tasks.at(-1)?.inputs.background).toMatchObject([
      { kind: 'picture', contentType: 'image/png', bytes: Buffer.from(background) },
    ])
  })

  test('may have a box that touches the edges of the upright picture', async () => {
    const lying = new Uint8Array(
      await sharp({ create: { width: 40, height: 30, channels: 3, background: 'red' } })
        .withMetadata({ orientation: 6 })
        .jpeg()
        .toBuffer(),
    )
    const upright = { subject: 'object', box: { x: 0, y: 0, width: 30, height: 40 } }
    expect(await submitted(user, { image: lying, params: upright })).toMatchObject({
      inputs: [{ width: 30, height: 40 }],
    })
    const flat = { subject: 'object', box: { x: 0, y: 0, width: 40, height: 30 } }
    expect(await refusal(await submit(user, { image: lying, params: flat }))).toEqual([422, 'params.invalid'])
  })

  test.each([
    ['SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 415, 'upload.not_image'],
    ['a script in a GIF', Buffer.from('GIF89a/*'), 415, 'upload.not_image'],
    ['nothing', Buffer.alloc(0), 422, 'upload.empty'],
  ])('with %s in place of a picture is refused before anything is charged', async (_name, bytes, status, code) => {
    expect(await refusal(await submit(user, { image: new Uint8Array(bytes), name: 'foto.jpg' }))).toEqual([
      status,
      code,
    ])
    expect(await creditsOf(user)).toBe(25)
  })

  test('that is larger than any tool takes is refused before it is read to its end', async () => {
    let sent = 0
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        sent += 1024 * 1024
        controller.enqueue(new Uint8Array(1024 * 1024))
      },
    })
    const answer = await user.request('/api/generations', {
      method: 'POST',
      body: endless,
      duplex: 'half',
      headers: { 'idempotency-key': 'k', 'content-type': 'multipart/form-data; boundary=x' },
    } as never)
    expect(await refusal(answer)).toEqual([413, 'upload.too_large'])
    // A video and the largest number of pictures.
    expect(sent).toBeLessThan(500 * 1024 * 1024)
  })

  test.each([
    ['of another type', 'text/plain', 'x', 415, 'request.content_type'],
    ['without boundary', 'multipart/form-data', 'x', 415, 'request.content_type'],
    [
      'that is cut off',
      'multipart/form-data; boundary=x',
      '--x\r\ncontent-disposition: form-data; name="tool"\r\n\r\nback',
      400,
      'request.malformed',
    ],
    ['that is empty', 'multipart/form-data; boundary=x', '--x--\r\n', 404, 'tool.unknown'],
  ])('%s is refused', async (_name, contentType, body, status, code) => {
    const answer = await user.request('/api/generations', {
      method: 'POST',
      body,
      headers: { 'idempotency-key': 'k', 'content-type': contentType },
    })
    expect(await refusal(answer)).toEqual([status, code])
  })
})
