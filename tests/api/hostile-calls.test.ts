import { afterAll, beforeAll, expect, test } from 'vitest'
import { readApiDocument } from '#tests/support/api-document.ts'
import { hostileCalls, seededRandom } from '../support/hostile-calls.ts'
import { hostileContainers } from '../support/hostile-containers.ts'
import { hostilePictures } from '../support/hostile-pictures.ts'
import { hostileProtocols } from '../support/hostile-protocols.ts'
import { submit } from '../support/submit.ts'
import { createTestApp, type TestApp } from '../support/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.stop())

test('no malformed call causes a server error, and each refusal is in the envelope', async () => {
  const document = await readApiDocument(app.request)
  const tokens: string[] = []
  const sets = [hostileCalls(document, tokens, seededRandom(20)), hostileProtocols(tokens, seededRandom(21))]
  for (let index = 0; index < 200; index++) {
    // Some of the calls sign out.
    if (index % 20 === 0) {
      const [user, admin] = [await app.createUser(), await app.createUser({ role: 'admin' })]
      tokens.splice(0, 2, user.token, admin.token)
    }
    const set = sets[index % sets.length] as (typeof sets)[number]
    const { path, ...call } = set.next().value
    const from = `198.18.0.${index % 250}`
    const response = await app.request(path, { ...call, from }).catch((error: unknown) => {
      // The path is no address, which no client could send.
      if (error instanceof TypeError) return undefined
      throw error
    })
    if (!response) continue
    const named = `${call.method} ${path.slice(0, 200)} ${call.body?.toString().slice(0, 200)}`
    // A busy server is fine if it names a retry time.
    if (response.status === 503) expect(response.headers.get('retry-after'), named).not.toBeNull()
    else expect(response.status, named).toBeLessThan(500)
    if (response.status < 400 || !path.startsWith('/api/')) await response.body?.cancel().catch(() => undefined)
    else if (call.method !== 'HEAD')
      expect(await response.json(), named).toMatchObject({ code: expect.any(String), msg: expect.any(String) })
  }
})

test('no damaged picture causes a server error', async () => {
  const user = await app.createUser()
  const [pictures, containers] = [hostilePictures(seededRandom(20)), hostileContainers(seededRandom(20))]
  for (let index = 0; index < 20; index++) {
    const { what, bytes } = (await (index % 2 ? pictures : containers).next()).value
    const response = await submit(user, { image: new Uint8Array(bytes) })
    expect([201, 402, 413, 415, 422, 429], `${what}: ${response.status}`).toContain(response.status)
  }
})
