import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { createApiKey, servePicture } from '#tests/support/api-key.ts'
import { findLedgerProblems } from '#tests/support/audit-books.ts'
import { createFakeEngine, fail, succeed } from '#tests/support/fake-engine.ts'
import { creditsOf, makePicture, stopOpenGenerations } from '#tests/support/submit.ts'
import { createTestApp, type TestApp, type TestUser } from '#tests/support/test-app.ts'

const picture = await makePicture()
const shop = await servePicture(picture)
const address = `http://${shop.host}/shoe.png`
const engine = createFakeEngine()
let app: TestApp
let user: TestUser
beforeAll(async () => {
  app = await createTestApp({ engine, env: { FETCH_PRIVATE_HOSTS: shop.host } })
})
afterAll(async () => {
  shop.stop()
  await app.stop()
})
beforeEach(async () => {
  engine.behave(succeed)
  user = await app.createUser()
})
afterEach(async () => {
  await stopOpenGenerations(app)
  expect(await findLedgerProblems(app.deps.db)).toEqual([])
})

const keyOf = async (owner: TestUser, wanted?: object) => (await createApiKey(owner, wanted)).key

/** The client of the protocol's own library. */
async function connect(key: string) {
  const client = new Client({ name: 'test', version: '1' })
  const fetch = async (url: string | URL, init?: RequestInit) =>
    await app.request(new URL(String(url)).pathname, init as never)
  const requestInit = { headers: { authorization: `Bearer ${key}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL('http://rupa/api/v1/mcp'), { fetch, requestInit }))
  return async (name: string, given: object = {}) => {
    const { content, isError } = await client.callTool({ name, arguments: { ...given } })
    const [part] = content as { text: string }[]
    return { isError: isError === true, data: JSON.parse(part?.text ?? '') as Record<string, unknown> }
  }
}

test('an assistant lists the tools, runs one on an address, and gets absolute links to the files', async () => {
  const call = await connect(await keyOf(user))
  const { data: list } = await call('list_tools')
  expect((list.tools as { id: string }[]).map(({ id }) => id)).toContain('background-removal')
  expect(JSON.stringify(list)).not.toContain('paramsSchema')
  const { data: one } = await call('list_tools', { tool: 'colorizer' })
  expect(one.tools).toEqual([expect.objectContaining({ id: 'colorizer', paramsSchema: expect.any(Object) })])

  const run = { tool: 'background-removal', inputs: { picture: [address] }, params: { crop: true }, key: 'one' }
  const { data: done } = await call('run_tool', run)
  expect(done).toMatchObject({ status: 'succeeded', credits: 5, files: [{ contentType: 'image/png' }] })
  const { url } = (done.files as { url: string }[])[0]!
  const file = await app.request(url.replace(app.config.publicUrl.origin, ''))
  expect([file.status, await file.text()]).toEqual([200, expect.stringContaining('"crop":true')])

  expect((await call('run_tool', run)).data.id).toBe(done.id)
  expect((await call('get_result', { id: done.id })).data.status).toBe('succeeded')
  expect((await call('get_credits')).data).toEqual({ credits: 20 })
})

test('a refusal reaches the assistant as an error with its code, and costs nothing', async () => {
  const call = await connect(await keyOf(user))
  expect(await call('run_tool', { tool: 'colorizer', inputs: { picture: ['http://10.0.0.1/a.png'] } })).toMatchObject({
    isError: true,
    data: { code: 'upload.address_refused' },
  })
  expect(await call('run_tool', { tool: 'unknown', inputs: {} })).toMatchObject({ data: { code: 'tool.unknown' } })
  engine.behave(fail('engine.no_subject'))
  const run = { tool: 'background-removal', inputs: { picture: [address] } }
  expect((await call('run_tool', run)).data).toMatchObject({ status: 'failed', error: { code: 'engine.no_subject' } })
  expect(await creditsOf(user)).toBe(25)
})

test('an assistant sees only the results of its own user', async () => {
  const call = await connect(await keyOf(user))
  const { data } = await call('run_tool', { tool: 'background-removal', inputs: { picture: [address] } })
  const stranger = await connect(await keyOf(await app.createUser()))
  expect(await stranger('get_result', { id: data.id })).toMatchObject({
    isError: true,
    data: { code: 'generation.not_found' },
  })
})

test('a wrong key, or one that may not run tools, gets no connection', async () => {
  await expect(connect('rupa_live_wrong')).rejects.toThrow()
  await expect(connect(await keyOf(user, { scopes: ['read'] }))).rejects.toThrow()
})
