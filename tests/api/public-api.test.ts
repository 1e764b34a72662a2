import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { GenerationCreated, GenerationView } from '#features/generations/schemas.ts'
import { generations } from '#features/generations/server/table.ts'
import { users } from '#server/auth/table.ts'
import { rateLimits } from '#server/http/rate-limit-table.ts'
import { apiKeyRate } from '#shared/api-key.ts'
import { createApiKey } from '#tests/support/api-key.ts'
import { findLedgerProblems } from '#tests/support/audit-books.ts'
import { createFakeEngine, fail, gate, succeed } from '#tests/support/fake-engine.ts'
import { creditsOf, formOf, makePicture, reached, type Submission, stopOpenGenerations } from '#tests/support/submit.ts'
import { createTestApp, type TestApp, type TestUser } from '#tests/support/test-app.ts'

const picture = await makePicture()
const files = createServer((request, response) => {
  if (request.url === '/gone.png') response.writeHead(404).end()
  else if (request.url === '/hidden') response.writeHead(302, { location: 'http://169.254.169.254/latest' }).end()
  else response.writeHead(200, { 'content-type': 'image/png' }).end(picture)
})

const engine = createFakeEngine()
let app: TestApp
let user: TestUser
let address: string

beforeAll(async () => {
  await new Promise<void>((resolve) => files.listen(0, '127.0.0.1', resolve))
  const { port } = files.address() as AddressInfo
  address = `http://127.0.0.1:${port}`
  app = await createTestApp({ engine, env: { FETCH_PRIVATE_HOSTS: `127.0.0.1:${port}` } })
})
afterAll(async () => {
  files.close()
  await app.stop()
})
beforeEach(async () => {
  engine.behave(succeed)
  user = await app.createUser()
})
afterEach(async () => {
  await stopOpenGenerations(app)
  await app.deps.db.delete(rateLimits)
  expect(await findLedgerProblems(app.deps.db)).toEqual([])
})

const codeOf = async (response: Response) => [response.status, ((await response.json()) as { code?: string }).code]

async function createKey(given?: Parameters<typeof createApiKey>[1], owner = user) {
  const created = await createApiKey(owner, given)
  const call = (path: string, init: Parameters<TestApp['request']>[1] = {}) =>
    app.request(`/api/v1${path}`, { ...init, token: created.key })
  return { ...created, call }
}

type Key = Awaited<ReturnType<typeof createKey>>

const run = async ({ call }: Key, { headers, ...given }: Submission = {}) =>
  call('/generations', {
    method: 'POST',
    body: await formOf(given),
    headers: { 'idempotency-key': given.key ?? randomUUID(), ...headers },
  })

const runAddress = ({ call }: Key, url: string, key: string = randomUUID()) =>
  call('/generations', {
    json: { tool: 'background-removal', inputs: { picture: [{ url }] } },
    headers: { 'idempotency-key': key },
  })

describe('an API key', () => {
  test('is created with the password, shown once, stored as a hash, listed by its first characters, and announced by mail', async () => {
    const wrong = { name: 'Toko', mode: 'live', scopes: ['run'], dailyCredits: null, days: null, password: 'salah' }
    expect(await codeOf(await user.request('/api/user/api_keys', { json: wrong }))).toEqual([
      422,
      'auth.wrong_password',
    ])
    const { key, hint, id } = await createKey({ dailyCredits: 100, days: 30 })
    expect(key).toMatch(/^rupa_live_[0-9a-f]{64}$/)
    const listed = await (await user.request('/api/user/api_keys')).text()
    expect(listed).not.toContain(key)
    expect(JSON.parse(listed)).toMatchObject({
      items: [{ id, hint, name: 'Toko', dailyCredits: 100, lastUsedAt: null }],
    })
    expect(key.startsWith(hint)).toBe(true)
    expect(await app.mailTo(user.email, /Kunci API/)).toMatchObject({ to: user.email })
  })

  test('runs a tool, and downloads and deletes its result, for the price of the tool', async () => {
    const key = await createKey()
    const answer = await run(key, { headers: { prefer: 'wait=60' } })
    expect(answer.status).toBe(201)
    expect(answer.headers.get('x-credits-charged')).toBe('5')
    expect(answer.headers.get('preference-applied')).toBe('wait=60')
    expect(answer.headers.get('ratelimit')).toMatch(/^"key";r=\d+;t=\d+$/)
    const done = (await answer.json()) as GenerationCreated
    expect(answer.headers.get('location')).toBe(`/api/v1/generations/${done.id}`)
    expect(done).toMatchObject({
      status: 'succeeded',
      credits: 5,
      balance: 20,
      test: false,
      engineVersion: expect.any(String),
    })
    const file = await key.call(`/files/${done.outputs[0]?.id}`)
    expect([file.status, await file.text()]).toEqual([200, expect.stringContaining('output of')])
    expect((await app.request(done.outputs[0]?.url ?? '')).status).toBe(200)
    expect((await key.call(`/generations/${done.id}`, { method: 'DELETE' })).status).toBe(204)
    expect((await key.call(`/generations/${done.id}`)).status).toBe(404)
  })

  test('gets 202 for work that takes longer than it prefers to wait', async () => {
    const key = await createKey()
    const held = gate()
    engine.behave(held.behaviour)
    const answer = await run(key, { headers: { prefer: 'wait=0' } })
    expect(answer.status).toBe(202)
    const { id } = (await answer.json()) as GenerationCreated
    held.open()
    expect(await reached(user, id)).toMatchObject({ status: 'succeeded' })
  })

  test('does only what its scopes allow, and is no session of the app', async () => {
    const key = await createKey({ scopes: ['read'] })
    expect(await codeOf(await run(key))).toEqual([403, 'api_key.scope_missing'])
    expect(await codeOf(await key.call('/account'))).toEqual([403, 'api_key.scope_missing'])
    expect((await key.call('/generations')).status).toBe(200)
    expect((await app.request('/api/user/me', { token: key.key })).status).toBe(401)
    expect((await app.request('/api/v1/generations', { token: user.token })).status).toBe(401)
    expect((await app.request('/api/v1/generations')).status).toBe(401)
  })

  test('fails at once when it is revoked, has expired, or its account is disabled, and so do its file addresses', async () => {
    const [key, brief, kept] = [await createKey(), await createKey({ days: 1 }), await createKey()]
    const done = (await (await run(key, { headers: { prefer: 'wait=60' } })).json()) as GenerationView
    const url = done.outputs[0]?.url ?? ''
    expect((await app.request(url)).status).toBe(200)
    expect((await user.request(`/api/user/api_keys/${key.id}`, { method: 'DELETE' })).status).toBe(204)
    expect(await codeOf(await key.call('/generations'))).toEqual([401, 'api_key.invalid'])
    expect((await app.request(url)).status).toBe(403)
    expect((await brief.call('/generations')).status).toBe(200)
    app.clock.advance({ days: 2 })
    expect(await codeOf(await brief.call('/generations'))).toEqual([401, 'api_key.invalid'])
    expect((await kept.call('/generations')).status).toBe(200)
    await app.deps.db.update(users).set({ disabledAt: app.clock.now() }).where(eq(users.id, user.id))
    expect(await codeOf(await kept.call('/generations'))).toEqual([403, 'auth.disabled'])
  })

  test('belongs to its user: no other user sees or revokes it, or reads results with it', async () => {
    const key = await createKey()
    const { id } = (await (await run(key)).json()) as GenerationView
    const stranger = await app.createUser()
    expect((await stranger.request(`/api/user/api_keys/${key.id}`, { method: 'DELETE' })).status).toBe(404)
    const theirs = await createKey({}, stranger)
    expect((await theirs.call(`/generations/${id}`)).status).toBe(404)
    expect(await (await stranger.request('/api/user/api_keys')).json()).toMatchObject({ items: [{ id: theirs.id }] })
  })

  test('never spends more than its daily credits, however many calls come at once, and again on the next day', async () => {
    const key = await createKey({ dailyCredits: 12 })
    const answers = await Promise.all(Array.from({ length: 8 }, () => run(key)))
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 429, 429, 429, 429, 429, 429])
    expect(await creditsOf(user)).toBe(15)
    expect(await (await key.call('/account')).json()).toMatchObject({
      credits: 15,
      key: { dailyCredits: 12, spentToday: 10 },
    })
    app.clock.advance({ days: 1 })
    expect((await run(key)).status).toBe(201)
  })

  test('may spend credits again that a failure gave back', async () => {
    const key = await createKey({ dailyCredits: 5 })
    engine.behave(fail('engine.no_subject'))
    expect(await (await run(key, { headers: { prefer: 'wait=60' } })).json()).toMatchObject({ status: 'failed' })
    engine.behave(succeed)
    expect((await run(key)).status).toBe(201)
  })

  test('has a rate of calls of its own', async () => {
    const [key, other] = [await createKey(), await createKey()]
    for (let calls = 0; calls < apiKeyRate.limit; calls++) await key.call('/tools?schemas=none')
    const refused = await key.call('/tools?schemas=none')
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await other.call('/tools?schemas=none')).status).toBe(200)
  })

  test('for tests costs nothing, and the engine is told to mark the result', async () => {
    const key = await createKey({ mode: 'test' })
    const done = await (await run(key, { headers: { prefer: 'wait=60' } })).json()
    expect(done).toMatchObject({ status: 'succeeded', credits: 0, test: true })
    expect(engine.tasks.at(-1)).toMatchObject({ step: 'generate', test: true })
    expect(await creditsOf(user)).toBe(25)
    const video = { tool: 'video-background-removal', params: {} }
    expect((await run(key, video)).status).toBeGreaterThanOrEqual(400)
  })

  test('insists on a version of the engine by a header', async () => {
    const key = await createKey()
    const { engineVersion } = (await (await key.call('/account')).json()) as { engineVersion: string }
    expect((await run(key, { headers: { 'engine-version': engineVersion } })).status).toBe(201)
    const old = await run(key, { headers: { 'engine-version': '2020-01' } })
    expect(await codeOf(old)).toEqual([409, 'engine.version_unavailable'])
    expect(await creditsOf(user)).toBe(20)
  })
})

describe('a picture named by its address', () => {
  test('is fetched and charged once, also when it is gone at the repetition', async () => {
    const key = await createKey()
    const once = randomUUID()
    const first = await runAddress(key, `${address}/foto.png`, once)
    expect(first.status).toBe(201)
    const { id, inputs } = (await first.json()) as GenerationView
    expect(inputs).toMatchObject([{ input: 'picture', name: 'foto.png', width: 40, height: 30 }])
    const again = await runAddress(key, `${address}/gone.png`, once)
    expect([again.status, ((await again.json()) as GenerationView).id]).toEqual([200, id])
    expect(await creditsOf(user)).toBe(20)
  })

  test.each([
    ['http://10.0.0.1/a.png', 'upload.address_refused'],
    ['http://[::ffff:127.0.0.1]/a.png', 'upload.address_refused'],
    ['file:///etc/passwd', 'upload.address_refused'],
    ['/hidden', 'upload.address_refused'],
    ['/gone.png', 'upload.address_failed'],
  ])('%s is refused, and nothing is charged or kept', async (url, code) => {
    const key = await createKey()
    const answer = await runAddress(key, url.startsWith('/') ? address + url : url)
    expect(await codeOf(answer)).toEqual([422, code])
    expect(await creditsOf(user)).toBe(25)
  })

  test('is only for API keys', async () => {
    const json = { tool: 'background-removal', inputs: { picture: [{ url: `${address}/foto.png` }] } }
    const answer = await user.request('/api/generations', { json, headers: { 'idempotency-key': randomUUID() } })
    expect(answer.status).toBe(422)
  })
})

test('a picture sent in parts beforehand is used by its upload', async () => {
  const key = await createKey()
  const started = await key.call('/uploads', {
    method: 'POST',
    headers: { 'tus-resumable': '1.0.0', 'upload-length': String(picture.length) },
  })
  expect(started.status).toBe(201)
  const place = started.headers.get('location') ?? ''
  expect(place).toMatch(/^\/api\/v1\/uploads\//)
  const half = Math.floor(picture.length / 2)
  for (const [offset, part] of [
    [0, picture.slice(0, half)],
    [half, picture.slice(half)],
  ] as const) {
    const headers = {
      'tus-resumable': '1.0.0',
      'upload-offset': String(offset),
      'content-type': 'application/offset+octet-stream',
    }
    expect((await app.request(place, { method: 'PATCH', body: part, headers, token: key.key })).status).toBe(204)
  }
  const json = { tool: 'background-removal', inputs: { picture: [{ upload: place.split('/').at(-1) }] } }
  const answer = await key.call('/generations', { json, headers: { 'idempotency-key': randomUUID() } })
  expect(answer.status).toBe(201)
})

test('a batch starts each item once, and a refused one stops no other', async () => {
  const key = await createKey()
  const item = { tool: 'background-removal', inputs: { picture: [{ url: `${address}/foto.png` }] } }
  const items = [item, { ...item, tool: 'unknown' }, item]
  const headers = { 'idempotency-key': randomUUID() }
  const batch = () => key.call('/batches', { json: { items }, headers })
  const answer = (await (await batch()).json()) as { items: { generation: GenerationView | null }[] }
  expect(answer).toMatchObject({ items: [{ error: null }, { error: { code: 'tool.unknown' } }, { error: null }] })
  const again = (await (await batch()).json()) as typeof answer
  const ids = ({ items }: typeof answer) => items.map(({ generation }) => generation?.id)
  expect(ids(again)).toEqual(ids(answer))
  expect(await creditsOf(user)).toBe(15)
  const usage = await (await key.call('/usage')).json()
  expect(usage).toMatchObject({ items: [{ tool: 'background-removal', key: 'Toko', generations: 2, credits: 10 }] })
})

test('the documents of app, staff and programs list their own routes', async () => {
  const pathsOf = async (path: string) =>
    Object.keys(((await (await app.request(path)).json()) as { paths: object }).paths)
  const [ofApp, ofStaff, ofPrograms] = [
    await pathsOf('/api/openapi.json'),
    await pathsOf('/api/admin/openapi.json'),
    await pathsOf('/api/v1/openapi.json'),
  ]
  expect(ofApp).toContain('/api/generations')
  expect(ofApp.filter((path) => path.startsWith('/api/admin/'))).toEqual([])
  expect(ofStaff.filter((path) => !path.startsWith('/api/admin/'))).toEqual([])
  expect(ofPrograms).toContain('/api/v1/generations/{id}')
  expect(ofPrograms.filter((path) => !path.startsWith('/api/v1/'))).toEqual([])
})

test('deleting the account deletes its keys', async () => {
  const key = await createKey()
  await run(key)
  expect((await user.request('/api/user/delete', { json: { password: user.password } })).status).toBe(204)
  expect(await codeOf(await key.call('/generations'))).toEqual([401, 'api_key.invalid'])
  const rows = await app.deps.db.select({ apiKeyId: generations.apiKeyId }).from(generations)
  expect(rows.every(({ apiKeyId }) => apiKeyId !== key.id)).toBe(true)
})
