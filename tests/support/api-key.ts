import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { ApiKeyCreated } from '#features/account/api-key-schemas.ts'
import type { TestUser } from './test-app.ts'

type Wanted = Partial<Record<keyof ApiKeyCreated | 'days', unknown>>

/** A live key with all scopes, unless `wanted` says otherwise. */
export async function createApiKey(user: TestUser, wanted: Wanted = {}): Promise<ApiKeyCreated> {
  const { password } = user
  const scopes = ['run', 'read', 'balance']
  const json = { name: 'Toko', mode: 'live', scopes, dailyCredits: null, days: null, ...wanted, password }
  const answer = await user.request('/api/user/api_keys', { json })
  if (answer.status !== 201) throw new Error(`${answer.status} ${await answer.text()}`)
  return (await answer.json()) as ApiKeyCreated
}

/** Serves a picture at every path, from a host that the app has to be allowed to fetch. */
export async function servePicture(picture: Uint8Array): Promise<{ host: string; stop(): void }> {
  const server = createServer((_, response) => response.writeHead(200, { 'content-type': 'image/png' }).end(picture))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, stop: () => void server.close() }
}
