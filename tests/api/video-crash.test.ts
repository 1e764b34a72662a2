import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { Upload } from 'tus-js-client'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { GenerationCreated, GenerationView } from '#features/generations/contract.ts'
import type { UploadView } from '#features/uploads/contract.ts'
import { makeClip } from '#tests/support/clips.ts'
import { startCuttingProxy } from '#tests/support/cutting-proxy.ts'
import { createServerHome, type ServerHome } from '#tests/support/server-home.ts'
import { freePort, type ServerProcess, startServerProcess } from '#tests/support/server-process.ts'
import { type SignedUp, signUp } from '#tests/support/sign-up.ts'

const timeout = 240_000
let home: ServerHome
let env: Record<string, string>
let server: ServerProcess
let person: SignedUp

beforeAll(async () => {
  home = await createServerHome()
  env = { ...home.env, PORT: String(await freePort()), LOG_LEVEL: 'warn', WELCOME_CREDITS: '40' }
  server = await startServerProcess(env)
  person = await signUp(server.url, home.dataDir)
}, timeout)
afterAll(async () => {
  await server.end('SIGKILL')
  await home.drop()
}, timeout)

const call = (path: string, init: RequestInit = {}) =>
  fetch(`${server.url}${path}`, { ...init, headers: { authorization: `Bearer ${person.token}`, ...init.headers } })

/** A clip with so many bytes behind it that players skip. */
async function largeClip(padding: number): Promise<Uint8Array<ArrayBuffer>> {
  const { bytes } = await makeClip({ width: 96, height: 96, seconds: 0.5, frameRate: 10 })
  const head = Buffer.alloc(8)
  head.writeUInt32BE(padding + 8)
  head.write('free', 4)
  return new Uint8Array(Buffer.concat([bytes, head, randomBytes(padding)]))
}

test('a video that is cut ten times on its way, with the server killed once, arrives whole and is charged once', {
  timeout,
}, async () => {
  const video = await largeClip(6_000_000)
  const proxy = await startCuttingProxy(Number(env.PORT), { bytes: 500_000, times: 10 })
  let killed: Promise<unknown> | undefined
  const upload = await new Promise<string>((resolve, reject) => {
    const sending = new Upload(Buffer.from(video), {
      endpoint: `http://127.0.0.1:${proxy.port}/api/uploads`,
      headers: { authorization: `Bearer ${person.token}` },
      // The server takes seconds to come back.
      retryDelays: Array(200).fill(100),
      metadata: { filename: 'liburan.mp4', filetype: 'video/mp4' },
      onProgress: (sent) => {
        if (sent < video.length / 2) return
        killed ??= server.end('SIGKILL').then(async () => {
          server = await startServerProcess(env)
        })
      },
      onSuccess: () => resolve(sending.url?.split('/').at(-1) as string),
      onError: reject,
    })
    sending.start()
  }).finally(() => proxy.close())
  await killed
  expect(killed).toBeDefined()
  expect(proxy.cuts()).toBe(10)
  const view = (await (await call(`/api/uploads/${upload}`)).json()) as UploadView
  expect(view).toMatchObject({ status: 'ready', bytes: video.length, contentType: 'video/mp4', width: 96 })

  const run = { tool: 'video-background-removal', params: {}, inputs: { video: [{ upload }] } }
  const start = async (key: string) => {
    const headers = { 'content-type': 'application/json', 'idempotency-key': key }
    const response = await call('/api/generations', { method: 'POST', body: JSON.stringify(run), headers })
    return (await response.json()) as GenerationCreated
  }
  const key = randomUUID()
  const [first, again] = [await start(key), await start(key)]
  expect(again.id).toBe(first.id)
  expect(first.credits).toBe(15)
  const done = await vi.waitFor(
    async () => {
      const found = (await (await call(`/api/generations/${first.id}`)).json()) as GenerationView
      expect(found.finishedAt).not.toBeNull()
      return found
    },
    { timeout: 120_000, interval: 200 },
  )
  expect(done.status).toBe('succeeded')
  const stored = new Uint8Array(await (await call(done.inputs[0]?.url as string)).arrayBuffer())
  const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
  expect(hash(stored)).toBe(hash(video))
  const { credits } = (await (await call('/api/user/myCredit')).json()) as { credits: number }
  expect(credits).toBe(40 - 15)
})
