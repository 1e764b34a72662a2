import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { BufferSource, EncodedPacketSink, Input, MP4 } from 'mediabunny'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { GenerationCreated, GenerationView } from '#features/generations/schemas.ts'
import { generations } from '#features/generations/server/table.ts'
import { findLedgerProblems } from '#tests/support/audit-books.ts'
import type { PhotoCheckView } from '#tools/contract/schemas.ts'
import { type Clip, closeUpClip, makeClip } from '../support/clips.ts'
import { readClip } from '../support/read-clip.ts'
import { creditsOf, makePicture, reached, refusal, stopOpenGenerations } from '../support/submit.ts'
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts'
import { beginUpload, upload } from '../support/upload.ts'

const tool = 'video-background-removal'
let app: TestApp
let user: TestUser
let clip: Clip

beforeAll(async () => {
  app = await createTestApp()
  clip = await makeClip({ width: 192, height: 144, seconds: 5.2, frameRate: 2.5 })
})
afterAll(() => app.stop())
beforeEach(async () => {
  user = await app.createUser()
})
afterEach(async () => {
  await stopOpenGenerations(app)
  expect(await findLedgerProblems(app.deps.db)).toEqual([])
})

type Bytes = Uint8Array<ArrayBuffer>
const refs = async (bytes: Bytes) => ({ video: [{ upload: (await upload(user, bytes, 'liburan.mov')).id }] })
const start = async (bytes: Bytes, params: object = {}) =>
  user.request('/api/generations', {
    method: 'POST',
    headers: { 'idempotency-key': randomUUID() },
    json: { tool, params, inputs: await refs(bytes) },
  })
const started = async (bytes: Bytes, params: object = {}) => {
  const response = await start(bytes, params)
  if (response.status !== 201) throw new Error(`${response.status} ${await response.text()}`)
  return (await response.json()) as GenerationCreated
}

describe('a video', () => {
  test('is measured when it has arrived, and priced by started second', async () => {
    const view = await upload(user, clip.bytes, 'liburan.mov')
    expect(view).toMatchObject({ name: 'liburan.mp4', contentType: 'video/mp4', width: 192, height: 144 })
    expect(view.seconds).toBeCloseTo(5.2, 2)
    const quote = async (params: object) => {
      const json = { params, inputs: { video: [{ upload: view.id }] } }
      const response = await user.request(`/api/tools/${tool}/check`, { method: 'POST', json })
      return ((await response.json()) as PhotoCheckView).credits
    }
    expect([await quote({}), await quote({ preview: true })]).toEqual([18, 0])
  })

  test('is charged, made, and served in ranges with a poster', async () => {
    const { id, credits: paid } = await started(clip.bytes)
    expect(paid).toBe(18)
    const view = await reached(user, id)
    expect(view).toMatchObject({
      status: 'succeeded',
      outputs: [{ contentType: 'video/mp4', width: 192, height: 144, name: 'liburan-video-background-removal.mp4' }],
      thumbnailUrl: expect.any(String),
    })
    expect(await creditsOf(user)).toBe(7)
    const url = view.outputs[0]!.url
    const whole = new Uint8Array(await (await app.request(url)).arrayBuffer())
    expect((await readClip(whole)).times).toHaveLength(clip.times.length)
    const part = await app.request(url, { headers: { range: 'bytes=100-199' } })
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 100-199/${whole.length}`])
    expect(new Uint8Array(await part.arrayBuffer())).toEqual(whole.subarray(100, 200))
    // A reused file keeps its duration.
    const json = { inputs: { video: [{ file: view.outputs[0]!.id }] } }
    const again = await user.request(`/api/tools/${tool}/check`, { method: 'POST', json })
    expect(((await again.json()) as PhotoCheckView).credits).toBe(18)
  })

  test('gets another background for free, with the same masks', async () => {
    const short = await makeClip({ width: 192, height: 144, seconds: 0.6, frameRate: 10 })
    const { id } = await started(short.bytes)
    const first = await reached(user, id, 'succeeded')
    const json = { params: { background: { type: 'color', color: '#0090ff' } } }
    const response = await user.request(`/api/generations/${id}/render`, { method: 'POST', json })
    const view = (await response.json()) as GenerationView
    expect(view).toMatchObject({
      status: 'succeeded',
      progress: 1,
      outputs: [{ contentType: 'video/mp4', width: 192 }],
    })
    expect((await app.request(first.outputs[0]!.url)).status).toBe(404)
    const content = new Uint8Array(await (await app.request(view.outputs[0]!.url)).arrayBuffer())
    expect((await readClip(content)).times).toHaveLength(short.times.length)
    expect(await creditsOf(user)).toBe(10)
    const fixed = { params: { subject: 'object' } }
    expect(await refusal(await user.request(`/api/generations/${id}/render`, { method: 'POST', json: fixed }))).toEqual(
      [422, 'params.invalid'],
    )
  })

  test('has a free preview of three seconds', async () => {
    const { id, credits: paid } = await started(clip.bytes, { preview: true })
    expect(paid).toBe(0)
    const view = await reached(user, id, 'succeeded')
    const content = new Uint8Array(await (await app.request(view.outputs[0]!.url)).arrayBuffer())
    expect((await readClip(content)).times).toHaveLength(8)
    expect(await creditsOf(user)).toBe(25)
  })

  test('that proves damaged further on is refunded, and nothing of it is served', async () => {
    const bytes = clip.bytes.slice()
    await damage(bytes, ({ timestamp }) => timestamp > 4.3)
    const { id, credits: paid } = await started(bytes)
    expect(paid).toBe(18)
    const view = await reached(user, id)
    expect(view).toMatchObject({ status: 'failed', error: { code: 'upload.video_unreadable' }, outputs: [] })
    expect(await creditsOf(user)).toBe(25)
    // Other errors have texts for videos, too.
    await app.deps.db.update(generations).set({ errorCode: 'engine.crashed' }).where(eq(generations.id, id))
    expect((await reached(user, id)).error?.msg).toBe('Terjadi gangguan pada videonya. Silakan coba lagi.')
  })

  test('is cancelled while it runs, refunded, and leaves only the uploaded file', { tags: 'soak' }, async () => {
    const long = await makeClip({ width: 96, height: 96, seconds: 5, frameRate: 12 })
    const { id } = await started(long.bytes)
    await reached(user, id, 'generating')
    const response = await user.request(`/api/generations/${id}/cancel`, { method: 'POST' })
    expect([response.status, (await reached(user, id)).status]).toEqual([200, 'cancelled'])
    expect(await creditsOf(user)).toBe(25)
    // The only engine for videos continues after a stop.
    const short = await makeClip({ width: 96, height: 96, seconds: 0.3, frameRate: 10, sounds: 0 })
    await reached(user, (await started(short.bytes)).id, 'succeeded')
    expect(await reached(user, id)).toMatchObject({ status: 'cancelled', outputs: [], thumbnailUrl: null })
    const files = await storedFiles(id)
    expect(files).toHaveLength(1)
    expect(new Uint8Array(await app.deps.store.get(files[0]!))).toEqual(long.bytes)
  })

  test('without a person is refunded, and refused from then on', async () => {
    const empty = await makeClip({ width: 192, height: 144, seconds: 0.5, frameRate: 10, empty: true, sounds: 0 })
    const { id } = await started(empty.bytes)
    expect(await reached(user, id, 'failed')).toMatchObject({ error: { code: 'engine.no_subject' } })
    expect(await refusal(await start(empty.bytes))).toEqual([422, 'engine.no_subject'])
    expect(await creditsOf(user)).toBe(25)
  })

  test('with a subject that fills the frame is refused with an explanation, and refunded', async () => {
    const clip = await closeUpClip('chelsea.jpg', { width: 320, height: 214 })
    const { id } = await started(clip, { subject: 'object' })
    const { error } = await reached(user, id, 'failed')
    expect(error).toMatchObject({ code: 'engine.too_close', msg: expect.stringContaining('Bendanya terlalu dekat') })
    expect(await creditsOf(user)).toBe(25)
  })

  test('is stored without personal metadata', async () => {
    const told = withUserData(clip.bytes, '+35.6586+139.7454/ Rumahku')
    const { id } = await upload(user, told)
    const stored = Buffer.from(await app.deps.store.get(`uploads/${id}/content`))
    expect([told.length - stored.length, stored.includes('Rumahku')]).toEqual([0, false])
    expect((await readClip(new Uint8Array(stored))).times).toHaveLength(clip.times.length)
  })
})

describe('a file of the wrong kind', () => {
  test('is refused by name: a picture where a video is wanted, and the other way round', async () => {
    const picture = await upload(user, await makePicture())
    const inputs = { video: [{ upload: picture.id }] }
    const json = (tool: string, inputs: object) => ({
      json: { tool, inputs },
      headers: { 'idempotency-key': randomUUID() },
    })
    expect(await refusal(await user.request('/api/generations', { method: 'POST', ...json(tool, inputs) }))).toEqual([
      415,
      'upload.not_video',
    ])
    const swapped = json('background-removal', { picture: (await refs(clip.bytes)).video })
    expect(await refusal(await user.request('/api/generations', { method: 'POST', ...swapped }))).toEqual([
      415,
      'upload.not_image',
    ])
  })

  test('longer than a picture may be is taken only when a video is announced', async () => {
    const length = 26 * 1024 * 1024
    expect(await refusal(await beginUpload(user, length))).toEqual([413, 'upload.too_large'])
    expect((await beginUpload(user, length, 'a.mp4', 'video/mp4')).status).toBe(201)
    expect(await refusal(await beginUpload(user, 101 * 1024 * 1024, 'a.mp4', 'video/mp4'))).toEqual([
      413,
      'upload.too_large',
    ])
  })
})

async function storedFiles(id: string): Promise<string[]> {
  const keys: string[] = []
  for await (const key of app.deps.store.list('')) {
    if (key.includes(id)) keys.push(key)
  }
  return keys
}

/** `moov` is the last box. */
function withUserData(bytes: Bytes, content: string): Bytes {
  const inner = Buffer.concat([Buffer.alloc(4), Buffer.from('\u00a9xyz', 'latin1'), Buffer.from(content)])
  inner.writeUInt32BE(inner.length)
  const userData = Buffer.concat([Buffer.alloc(4), Buffer.from('udta'), inner])
  userData.writeUInt32BE(userData.length)
  const file = Buffer.from(bytes)
  const moov = file.lastIndexOf('moov') - 4
  const length = file.readUInt32BE(moov)
  file.writeUInt32BE(length + userData.length, moov)
  return new Uint8Array(Buffer.concat([file.subarray(0, moov + length), userData, file.subarray(moov + length)]))
}

/** In place. */
async function damage(bytes: Bytes, pick: (packet: { timestamp: number }) => boolean): Promise<void> {
  const input = new Input({ formats: [MP4], source: new BufferSource(bytes.slice()) })
  const track = await input.getPrimaryVideoTrack()
  for await (const packet of new EncodedPacketSink(track!).packets()) {
    if (pick(packet)) bytes.fill(0xa5, ...rangeOf(bytes, packet.data))
  }
}

function rangeOf(bytes: Bytes, part: Uint8Array): [number, number] {
  const at = Buffer.from(bytes.buffer).indexOf(part.subarray(0, 64))
  return [at, at + part.length]
}
