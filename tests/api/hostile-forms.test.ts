import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { uploads as uploadRows } from '#features/uploads/server/table.ts'
import { createFakeEngine } from '../support/fake-engine.ts'
import { creditsOf, formOf, makePicture, refusal, submit, submitted } from '../support/submit.ts'
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
  user = await app.createUser()
})

function inPieces(body: Uint8Array): { stream: ReadableStream<Uint8Array>; pieces: number; read: number } {
  const size = 64 * 1024
  const counted = { stream: new ReadableStream<Uint8Array>(), pieces: Math.ceil(body.length / size), read: 0 }
  counted.stream = new ReadableStream({
    pull(controller) {
      const start = size * counted.read++
      if (start < body.length) controller.enqueue(body.subarray(start, start + size))
      else controller.close()
    },
  })
  return counted
}
const kept = () => app.deps.db.select().from(uploadRows).where(eq(uploadRows.userId, user.id))
const post = (body: BodyInit, headers: Record<string, string> = {}) =>
  user.request('/api/generations', { method: 'POST', body, headers: { 'idempotency-key': randomUUID(), ...headers } })
const run = (body: object) =>
  user.request('/api/generations', { json: body, headers: { 'idempotency-key': randomUUID() } })

test('oversized parameters are refused before they are parsed', async () => {
  const keys = Object.fromEntries(Array.from({ length: 400_000 }, (_, index) => [`k${index}`, 0]))
  const response = await post(await formOf({ params: keys }))
  expect((await response.clone().text()).length).toBeLessThan(1000)
  expect(await refusal(response)).toEqual([422, 'params.invalid'])
  expect(await kept()).toEqual([])
})

test('unknown parameters are listed, but not all of them', async () => {
  const params = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`k${index}`, 0]))
  const response = await submit(user, { params })
  const { details } = (await response.clone().json()) as { details: Record<string, string> }
  expect([response.status, Object.keys(details).length]).toEqual([422, 10])
})

test('parameters of many levels or values are malformed', async () => {
  for (const params of [
    `${'{"a":'.repeat(2500)}1${'}'.repeat(2500)}`,
    `{"a":${'['.repeat(8000)}${']'.repeat(8000)}}`,
    `{"a":[${'0,'.repeat(7000)}0]}`,
    `{${Array.from({ length: 1001 }, (_, index) => `"k${index}":0`).join(',')}}`,
  ]) {
    expect(await refusal(await submit(user, { params }))).toEqual([400, 'request.malformed'])
  }
  const json = { 'content-type': 'application/json' }
  const deep = `{"tool":"background-removal","params":{"a":${'['.repeat(30_000)}${']'.repeat(30_000)}}}`
  expect(await refusal(await post(deep, json))).toEqual([400, 'request.malformed'])
  const login = await app.request('/api/login', {
    method: 'POST',
    body: `${'['.repeat(30_000)}${']'.repeat(30_000)}`,
    headers: json,
  })
  expect(await refusal(login)).toEqual([400, 'request.malformed'])
})

test.each(['/api/generations', '/api/tools/background-removal/preview'])(
  'a form with very many parts at %s ends with the first part over the limit',
  async (path) => {
    const part = (name: string) => `--x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n1\r\n`
    const body = inPieces(Buffer.from(`${part('tool')}${part('params').repeat(50_000)}--x--\r\n`))
    const headers = { 'content-type': 'multipart/form-data; boundary=x', 'idempotency-key': randomUUID() }
    const request = { method: 'POST', body: body.stream, duplex: 'half', headers } as const
    expect(await refusal(await user.request(path, request))).toEqual([400, 'request.malformed'])
    expect(body.pieces).toBeGreaterThan(40)
    expect(body.read).toBeLessThan(10)
  },
)

test('a form with too many files, a cut one, or none at all is refused, and leaves nothing', async () => {
  const picture = await makePicture()
  expect(await refusal(await submit(user, { image: Array(40).fill(picture) }))).toEqual([422, 'upload.too_many'])
  const cut = '--x\r\ncontent-disposition: form-data; name="image"; filename="a.png"\r\n\r\nabc'
  const headers = { 'content-type': 'multipart/form-data; boundary=x' }
  expect(await refusal(await post(cut, headers))).toEqual([400, 'request.malformed'])
  expect(await refusal(await post('', headers))).toEqual([400, 'request.malformed'])
  expect(await refusal(await post('x', { 'content-type': 'multipart/form-data' }))).toEqual([
    415,
    'request.content_type',
  ])
  expect(await kept()).toEqual([])
})

test('a generation by references to uploads equals one by a form, and copies its files', async () => {
  const picture = await makePicture('#3366aa')
  const { id } = await upload(user, picture, 'laut.png')
  const key = randomUUID()
  const json = { tool: 'background-removal', params: { format: 'png' }, inputs: { picture: [{ upload: id }] } }
  const created = await user.request('/api/generations', { json, headers: { 'idempotency-key': key } })
  expect(created.status).toBe(201)
  const generation = (await created.json()) as { id: string; inputs: { name: string; url: string }[] }
  expect(generation.inputs).toMatchObject([{ name: 'laut.png' }])

  const form = await submit(user, { key, image: picture, params: { format: 'png' } })
  expect([form.status, ((await form.json()) as { id: string }).id]).toEqual([200, generation.id])
  const another = await upload(user, picture)
  const again = { ...json, inputs: { image: [{ upload: another.id }] } }
  expect((await user.request('/api/generations', { json: again, headers: { 'idempotency-key': key } })).status).toBe(
    200,
  )
  const other = { ...json, inputs: { picture: [{ upload: (await upload(user, await makePicture())).id }] } }
  const reused = await user.request('/api/generations', { json: other, headers: { 'idempotency-key': key } })
  expect(await refusal(reused)).toEqual([422, 'idempotency.reused'])

  await user.request(`/api/uploads/${id}`, { method: 'DELETE', headers: { 'tus-resumable': '1.0.0' } })
  const file = await user.request(generation.inputs[0]?.url ?? '')
  expect(new Uint8Array(await file.arrayBuffer())).toEqual(picture)
  const gone = await user.request('/api/generations', { json, headers: { 'idempotency-key': key } })
  expect([gone.status, ((await gone.json()) as { id: string }).id]).toEqual([200, generation.id])
  expect(await creditsOf(user)).toBe(20)
})

test.each(['null', '1', '"x"', 'true', '[]'])(
  'a generation that is %s instead of an object is refused',
  async (body) => {
    const headers = { 'content-type': 'application/json' }
    for (const path of ['/api/generations', `/api/generations/${randomUUID()}/render`, '/api/tools/colorizer/check']) {
      const response = await user.request(path, {
        method: 'POST',
        body,
        headers: { ...headers, 'idempotency-key': randomUUID() },
      })
      expect([404, 422], `${path}: ${response.status}`).toContain(response.status)
    }
  },
)

test.each(['__proto__', 'constructor', 'toString'])(
  'a file for %s does not match any input of the tool',
  async (name) => {
    const form = () => {
      const form = new FormData()
      form.set('tool', 'background-removal')
      form.append(name, new Blob([picture]), 'laut.png')
      form.append(name, new Blob([picture]), 'laut.png')
      return form
    }
    const picture = await makePicture()
    expect(await refusal(await post(form()))).toEqual([422, 'upload.too_many'])
    for (const path of ['/api/tools/background-removal/check', '/api/tools/background-removal/preview']) {
      const response = await user.request(path, { method: 'POST', body: form() })
      expect(response.status, path).toBeGreaterThanOrEqual(400)
      expect(response.status, path).toBeLessThan(500)
    }
    const mine = { upload: (await upload(user, picture)).id }
    const json = `{"tool":"background-removal","inputs":{"${name}":[${JSON.stringify(mine)}]}}`
    expect(await refusal(await post(json, { 'content-type': 'application/json' }))).toEqual([422, 'upload.too_many'])
    const unknown = await run({ tool: name, inputs: {} })
    expect(await refusal(unknown)).toEqual([404, 'tool.unknown'])
  },
)

test('references that are dangling, foreign or too many are refused', async () => {
  const tool = 'background-removal'
  const mine = { upload: (await upload(user, await makePicture())).id }
  const theirs = { upload: (await upload(await app.createUser(), await makePicture())).id }
  expect(await refusal(await run({ tool, inputs: { picture: [theirs] } }))).toEqual([404, 'upload.not_found'])
  expect(await refusal(await run({ tool, inputs: { picture: [{ file: randomUUID() }] } }))).toEqual([
    404,
    'file.not_found',
  ])
  expect(await refusal(await run({ tool, inputs: { picture: [mine, mine] } }))).toEqual([422, 'upload.too_many'])
  expect(await refusal(await run({ tool, inputs: { nothing: [mine] } }))).toEqual([422, 'upload.too_many'])
  expect(await refusal(await run({ tool, inputs: {} }))).toEqual([422, 'upload.missing'])
  expect(await refusal(await run({ tool, inputs: { picture: ['x'] } }))).toEqual([422, 'form.invalid'])
  expect(await refusal(await run({ tool, inputs: { picture: Array(101).fill(mine) } }))).toEqual([
    422,
    'upload.too_many',
  ])
  expect(await refusal(await run({ tool: 'none', inputs: { picture: [mine] } }))).toEqual([404, 'tool.unknown'])
  expect(await creditsOf(user)).toBe(25)
})

test('the same request twice at once, with credits for one, succeeds twice and is paid once', async () => {
  for (let spent = 0; spent < 4; spent += 1) await submitted(user)
  for (let round = 0; round < 5; round += 1) {
    const other = await app.createUser()
    for (let spent = 0; spent < 4; spent += 1) await submitted(other)
    const key = randomUUID()
    const statuses = (await Promise.all([submit(other, { key }), submit(other, { key })])).map(({ status }) => status)
    expect(statuses.toSorted()).toEqual([200, 201])
    expect(await creditsOf(other)).toBe(0)
  }
})
