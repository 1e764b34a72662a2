import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { GenerationCreated } from '#features/generations/schemas.ts'
import { createApiKey, servePicture } from '#tests/support/api-key.ts'
import { createFakeEngine, succeed } from '#tests/support/fake-engine.ts'
import { makePicture } from '#tests/support/submit.ts'
import { createTestApp, type TestApp } from '#tests/support/test-app.ts'
import { runQuietly } from '../../src/scripts/run.mjs'

type Answer<Data> = { status: number; data: Data }
interface Client {
  defaults: { baseUrl: string; headers: Record<string, string>; fetch: typeof fetch }
  createGeneration(
    key: string,
    body: object,
    headers?: { prefer: string },
  ): Promise<Answer<GenerationCreated & { code?: string }>>
  downloadFile(id: string): Promise<Answer<Blob>>
  readAccount(): Promise<Answer<{ credits: number }>>
}

const results = join(import.meta.dirname, '../../test-results')
const picture = await makePicture()
const shop = await servePicture(picture)
let app: TestApp
let client: Client
let folder: string
beforeAll(async () => {
  const engine = createFakeEngine()
  engine.behave(succeed)
  app = await createTestApp({ engine, env: { FETCH_PRIVATE_HOSTS: shop.host } })
  // The client imports its runtime, so it lies below this project's node_modules.
  await mkdir(results, { recursive: true })
  folder = await mkdtemp(join(results, 'client-'))
  const [document, source] = [join(folder, 'openapi.json'), join(folder, 'rupa.ts')]
  await writeFile(document, await (await app.request('/api/v1/openapi.json')).text())
  const { code, output } = await runQuietly('oazapfts', [document, source])
  expect(output, output).toBe('')
  expect(code).toBe(0)
  client = (await import(source)) as Client
  client.defaults.fetch = async (address, init) => await app.request(new URL(String(address)).pathname, init as never)
})
afterAll(async () => {
  shop.stop()
  await app.stop()
  await rm(folder, { recursive: true, force: true })
})

test('a client that a generator made from the document gets a cut-out, and typed refusals', async () => {
  const user = await app.createUser()
  const { key } = await createApiKey(user)
  client.defaults.headers = { authorization: `Bearer ${key}` }
  const before = await client.readAccount()
  expect(before.status).toBe(200)

  const body = { tool: 'background-removal', inputs: { picture: [{ url: `http://${shop.host}/shoe.png` }] } }
  const { status, data } = await client.createGeneration(randomUUID(), body, { prefer: 'wait=30' })
  expect([status, data.status]).toEqual([201, 'succeeded'])
  const [output] = data.outputs
  const file = await client.downloadFile(output?.id ?? '')
  const signed = await app.request(output?.url ?? '')
  expect(file.status).toBe(200)
  expect(await file.data.arrayBuffer()).toEqual(await signed.arrayBuffer())
  expect((await client.downloadFile(randomUUID())).status).toBe(404)
  const after = await client.readAccount()
  expect(after.data.credits).toBe(before.data.credits - data.credits)

  const refused = await client.createGeneration(randomUUID(), { tool: 'background-removal' })
  expect([refused.status, refused.data.code]).toEqual([422, 'upload.missing'])
})
