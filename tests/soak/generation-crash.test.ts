import { createHash, randomBytes, randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { Upload } from 'tus-js-client'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { GenerationCreated, GenerationView } from '#features/generations/schemas.ts'
import type { UploadView } from '#features/uploads/rules.ts'
import { consentVersions } from '#shared/consent.ts'
import { makeClip } from '#tests/support/clips.ts'
import { startCuttingProxy } from '#tests/support/cutting-proxy.ts'
import { readClip } from '#tests/support/read-clip.ts'
import { createServerHome, type ServerHome } from '#tests/support/server-home.ts'
import { freePort, type ServerProcess, startServerProcess } from '#tests/support/server-process.ts'
import { type SignedUp, signUp } from '#tests/support/sign-up.ts'
import { formOf } from '#tests/support/submit.ts'

let home: ServerHome
let env: Record<string, string>
let server: ServerProcess
let person: SignedUp

beforeAll(async () => {
  home = await createServerHome()
  env = { ...home.env, PORT: String(await freePort()), WELCOME_CREDITS: '60' }
  server = await startServerProcess(env)
  person = await signUp(server.url, home.dataDir)
})
afterAll(async () => {
  await server.end('SIGKILL')
  await home.drop()
})

const creditsLeft = async () => ((await (await call('/api/user/myCredit')).json()) as { credits: number }).credits

async function start(upload: string, key: string): Promise<GenerationCreated> {
  const request = { tool: 'video-background-removal', params: {}, inputs: { video: [{ upload }] } }
  const headers = { 'content-type': 'application/json', 'idempotency-key': key }
  const response = await call('/api/generations', { method: 'POST', body: JSON.stringify(request), headers })
  return (await response.json()) as GenerationCreated
}

const reached = (id: string, expected: (view: GenerationView) => void) =>
  vi.waitFor(
    async () => {
      const view = (await (await call(`/api/generations/${id}`)).json()) as GenerationView
      expected(view)
      return view
    },
    { timeout: 300_000, interval: 50 },
  )

const call = (path: string, init: RequestInit = {}) =>
  fetch(`${server.url}${path}`, { ...init, headers: { authorization: `Bearer ${person.token}`, ...init.headers } })

async function largeClip(padding: number): Promise<Uint8Array<ArrayBuffer>> {
  const { bytes } = await makeClip({ width: 96, height: 96, seconds: 0.5, frameRate: 10 })
  const head = Buffer.alloc(8)
  head.writeUInt32BE(padding + 8)
  head.write('free', 4)
  return new Uint8Array(Buffer.concat([bytes, head, randomBytes(padding)]))
}

test('a video cut ten times during its upload, with the server killed once, arrives whole and is charged once', async () => {
  const video = await largeClip(6_000_000)
  const proxy = await startCuttingProxy(Number(env.PORT), { bytes: 500_000, times: 10 })
  let killed: Promise<unknown> | undefined
  const upload = await new Promise<string>((resolve, reject) => {
    const sending = new Upload(Buffer.from(video), {
      endpoint: `http://127.0.0.1:${proxy.port}/api/uploads`,
      headers: { authorization: `Bearer ${person.token}` },
      // A restart takes seconds, and on a busy machine a minute.
      retryDelays: Array(3000).fill(100),
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

  const key = randomUUID()
  const [first, again] = [await start(upload, key), await start(upload, key)]
  expect(again.id).toBe(first.id)
  expect(first.credits).toBe(15)
  const done = await reached(first.id, ({ finishedAt }) => expect(finishedAt).not.toBeNull())
  expect(done.status).toBe('succeeded')
  const stored = new Uint8Array(await (await call(done.inputs[0]?.url as string)).arrayBuffer())
  const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')
  expect(hash(stored)).toBe(hash(video))
  expect(await creditsLeft()).toBe(60 - 15)
})

test('a generation whose server is killed starts again with the next one, and makes the whole video for one charge', async () => {
  const before = await creditsLeft()
  const clip = await makeClip({ width: 96, height: 96, seconds: 2.5, frameRate: 12 })
  const { id } = await start(await sendWhole(clip.bytes), randomUUID())
  await reached(id, ({ status, progress }) => {
    expect(status).toBe('generating')
    expect(progress).toBeGreaterThan(0.1)
  })
  await server.end('SIGKILL')
  server = await startServerProcess(env)
  const done = await reached(id, ({ finishedAt }) => expect(finishedAt).not.toBeNull())
  expect(done.status).toBe('succeeded')
  const made = new Uint8Array(await (await call(done.outputs[0]?.url as string)).arrayBuffer())
  expect((await readClip(made)).times).toHaveLength(clip.times.length)
  expect(await creditsLeft()).toBe(before - 15)
})

test('a server killed while it checks a picture leaves the generation to the next one', async () => {
  const json = { 'content-type': 'application/json' }
  const consent = JSON.stringify({ kind: 'biometric', version: consentVersions.biometric })
  await call('/api/user/consents', { method: 'POST', body: consent, headers: json })
  const image = await sharp('tests/fixtures/photos/astronaut.jpg').resize(300).toBuffer()
  const body = await formOf({ tool: 'face-cutout', image: new Uint8Array(image) })
  const headers = { 'idempotency-key': randomUUID() }
  const response = await call('/api/generations', { method: 'POST', body, headers })
  expect(response.status).toBe(201)
  const { id } = (await response.json()) as GenerationCreated
  await server.end('SIGKILL')
  server = await startServerProcess(env)
  await reached(id, ({ status }) => expect(status).toBe('succeeded'))
})

function sendWhole(bytes: Uint8Array): Promise<string> {
  return new Promise((resolve, reject) => {
    const sending = new Upload(Buffer.from(bytes), {
      endpoint: `${server.url}/api/uploads`,
      headers: { authorization: `Bearer ${person.token}` },
      metadata: { filename: 'liburan.mp4', filetype: 'video/mp4' },
      onSuccess: () => resolve(sending.url?.split('/').at(-1) as string),
      onError: reject,
    })
    sending.start()
  })
}
