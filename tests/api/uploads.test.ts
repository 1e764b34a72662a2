import { createHash, randomBytes } from 'node:crypto'
import type { Server } from 'node:http'
import { serve } from '@hono/node-server'
import { eq } from 'drizzle-orm'
import sharp from 'sharp'
import { Upload } from 'tus-js-client'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { UploadView } from '#features/uploads/rules.ts'
import { deleteExpiredUploads } from '#features/uploads/server/contributions.ts'
import { sweepFiles } from '#features/uploads/server/stored-files.ts'
import { uploads as rows } from '#features/uploads/server/table.ts'
import { uploads } from '#features/uploads/server/uploads.ts'
import { startCuttingProxy } from '../support/cutting-proxy.ts'
import { createFakeEngine } from '../support/fake-engine.ts'
import { makePicture, refusal } from '../support/submit.ts'
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts'
import { beginUpload, offsetOf, sendBytes, upload } from '../support/upload.ts'

let app: TestApp
let user: TestUser
beforeAll(async () => {
  app = await createTestApp({ engine: createFakeEngine() })
})
afterAll(() => app.stop())
beforeEach(async () => {
  user = await app.createUser()
})

const addressOf = (begun: Response) => begun.headers.get('location') as string
const take = (owner: TestUser, id: string) => uploads.requireReadyUpload(app.deps, owner.id, id)
/** Bytes that cannot be compressed. */
const largePicture = async (side: number) =>
  new Uint8Array(
    await sharp(randomBytes(side * side * 3), { raw: { width: side, height: side, channels: 3 } })
      .png({ compressionLevel: 0 })
      .toBuffer(),
  )

describe('an upload', () => {
  test('arrives in pieces, is checked with the last one, and may then be used', async () => {
    const picture = await makePicture()
    const begun = await beginUpload(user, picture.length, '../di pantai.PNG')
    expect([begun.status, begun.headers.get('tus-resumable')]).toEqual([201, '1.0.0'])
    const address = addressOf(begun)
    expect(address).toMatch(/^\/api\/uploads\/[0-9a-f-]{36}$/)
    expect(await offsetOf(user, address)).toBe(0)
    expect((await sendBytes(user, address, 0, picture.slice(0, 50))).status).toBe(204)
    expect(await offsetOf(user, address)).toBe(50)
    const half = (await (await user.request(address)).json()) as UploadView
    expect(half).toMatchObject({ status: 'receiving', bytes: picture.length, received: 50, contentType: null })
    await expect(take(user, half.id)).rejects.toMatchObject({ code: 'upload.not_ready' })

    expect((await sendBytes(user, address, 50, picture.slice(50))).status).toBe(204)
    const ready = (await (await user.request(address)).json()) as UploadView
    expect(ready).toMatchObject({ status: 'ready', name: 'di pantai.png', contentType: 'image/png', width: 40 })
    const taken = await take(user, ready.id)
    expect(taken).toMatchObject({ sha256: createHash('sha256').update(picture).digest('hex'), height: 30, seconds: 0 })
    expect(new Uint8Array(await app.deps.store.get(taken?.storageKey ?? ''))).toEqual(picture)
  })

  test('that is not a picture is refused with the reason, and deleted', async () => {
    const text = new Uint8Array(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))
    const address = addressOf(await beginUpload(user, text.length))
    expect(await refusal(await sendBytes(user, address, 0, text))).toEqual([415, 'upload.not_image'])
    expect(await offsetOf(user, address)).toBe(null)
    expect(await refusal(await user.request(address))).toEqual([404, 'upload.not_found'])
  })

  test('belongs to a single user', async () => {
    const picture = await makePicture()
    const other = await app.createUser()
    const address = addressOf(await beginUpload(user, picture.length))
    expect(await refusal(await sendBytes(other, address, 0, picture))).toEqual([404, 'upload.not_found'])
    expect(await offsetOf(other, address)).toBe(null)
    expect((await other.request(address, { method: 'DELETE', headers: { 'tus-resumable': '1.0.0' } })).status).toBe(404)
    const { id } = await upload(user, picture)
    await expect(take(other, id)).rejects.toMatchObject({ code: 'upload.not_found' })
    expect((await app.request('/api/uploads', { method: 'POST' })).status).toBe(401)
  })

  test('can be deleted', async () => {
    const { id } = await upload(user, await makePicture())
    const gone = await user.request(`/api/uploads/${id}`, { method: 'DELETE', headers: { 'tus-resumable': '1.0.0' } })
    expect(gone.status).toBe(204)
    expect((await user.request(`/api/uploads/${id}`)).status).toBe(404)
    await expect(app.deps.store.get(`uploads/${id}/content`)).rejects.toMatchObject({ code: 'file.not_found' })
  })

  test('with bytes at the wrong offset is a conflict, also when it is complete', async () => {
    const picture = await makePicture()
    const address = addressOf(await beginUpload(user, picture.length))
    await sendBytes(user, address, 0, picture.slice(0, 50))
    expect(await refusal(await sendBytes(user, address, 60, picture.slice(60)))).toEqual([409, 'upload.conflict'])
    await sendBytes(user, address, 50, picture.slice(50))
    const more = await sendBytes(user, address, picture.length, new Uint8Array([1]))
    expect(more.status).toBeGreaterThanOrEqual(400)
    expect(more.status).toBeLessThan(500)
    expect((await (await user.request(address)).json()) as UploadView).toMatchObject({ status: 'ready' })
  })

  test('that breaks the protocol, is empty or too large is refused with an explanation', async () => {
    expect(await refusal(await user.request('/api/uploads', { method: 'POST' }))).toEqual([412, 'upload.protocol'])
    expect(await refusal(await beginUpload(user, 26 * 1024 * 1024 + 1))).toEqual([413, 'upload.too_large'])
    expect(await refusal(await beginUpload(user, 0))).toEqual([422, 'upload.empty'])
    const lengthless = { method: 'POST', headers: { 'tus-resumable': '1.0.0' } }
    expect(await refusal(await user.request('/api/uploads', lengthless))).toEqual([400, 'request.malformed'])
    expect((await user.request('/api/uploads/none')).status).toBe(404)
  })

  test('survives a crash between the last byte and its check', async () => {
    const picture = await makePicture()
    const { id } = await upload(user, picture)
    await app.deps.store.put(`uploads/${id}/received`, picture)
    await app.deps.store.delete([`uploads/${id}/content`])
    const parts = [{ name: 'received', bytes: picture.length }]
    await app.deps.db.update(rows).set({ status: 'receiving', contentType: null, parts }).where(eq(rows.id, id))
    expect(await Promise.all([take(user, id), take(user, id)])).toMatchObject([{ width: 40 }, { width: 40 }])
    await expect(app.deps.store.get(`uploads/${id}/received`)).rejects.toMatchObject({ code: 'file.not_found' })
  })

  test('is stored without its location', async () => {
    const taken = await sharp(await makePicture())
      .jpeg()
      .withExif({ IFD3: { GPSLatitudeRef: 'S' }, IFD0: { Artist: 'Sari dari Melati' } })
      .toBuffer()
    const { id } = await upload(user, new Uint8Array(taken), 'x.jpg')
    const stored = Buffer.from(await app.deps.store.get(`uploads/${id}/content`))
    expect(taken.includes('Melati')).toBe(true)
    expect(stored.includes('Melati') || stored.includes('Exif')).toBe(false)
  })

  test('is deleted after a day, with its files', async () => {
    const { id } = await upload(user, await makePicture())
    app.clock.advance({ hours: 25 })
    user.token = await app.signIn(user.email, user.password)
    await expect(take(user, id)).rejects.toMatchObject({ code: 'upload.not_found' })
    await deleteExpiredUploads(app.deps)
    expect(await sweepFiles(app.deps)).toBeGreaterThan(0)
    expect(await app.deps.db.select().from(rows).where(eq(rows.id, id))).toEqual([])
    await expect(app.deps.store.get(`uploads/${id}/content`)).rejects.toMatchObject({ code: 'file.not_found' })
  })
})

describe('over a real connection', () => {
  let server: Server
  let port: number
  beforeAll(async () => {
    await new Promise<void>((resolve) => {
      server = serve({ fetch: app.composition.app.fetch, port: 0, hostname: '127.0.0.1' }, (info) => {
        port = info.port
        resolve()
      }) as Server
    })
  })
  afterAll(() => {
    server.closeAllConnections()
    return new Promise<void>((resolve) => server.close(() => resolve()))
  })

  test('an upload that is cut ten times arrives whole, once', async () => {
    const picture = await largePicture(1500)
    const proxy = await startCuttingProxy(port, { bytes: 400_000, times: 10 })
    try {
      await new Promise<void>((resolve, reject) => {
        new Upload(Buffer.from(picture), {
          endpoint: `http://127.0.0.1:${proxy.port}/api/uploads`,
          headers: { authorization: `Bearer ${user.token}` },
          retryDelays: Array(10).fill(50),
          metadata: { filename: 'foto.png' },
          onSuccess: () => resolve(),
          onError: reject,
        }).start()
      })
    } finally {
      await proxy.close()
    }
    expect(proxy.cuts()).toBe(10)
    const mine = await app.deps.db.select().from(rows).where(eq(rows.userId, user.id))
    expect(mine).toMatchObject([{ status: 'ready', bytes: picture.length, width: 1500, height: 1500 }])
    expect(mine[0]?.sha256).toBe(createHash('sha256').update(picture).digest('hex'))
  })

  test('a resumed upload replaces a dead connection', async () => {
    const picture = await makePicture('#123456', 300, 300)
    const address = addressOf(await beginUpload(user, picture.length))
    const stalled = new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(picture.slice(0, 100)) })
    const headers = { authorization: `Bearer ${user.token}`, 'tus-resumable': '1.0.0', 'upload-offset': '0' }
    const abort = new AbortController()
    const dead = fetch(`http://127.0.0.1:${port}${address}`, {
      method: 'PATCH',
      body: stalled,
      duplex: 'half',
      signal: abort.signal,
      headers: { ...headers, 'content-type': 'application/offset+octet-stream' },
    } as RequestInit).catch(() => undefined)
    await expect.poll(() => offsetOf(user, address), { timeout: 300_000 }).toBe(100)
    expect((await sendBytes(user, address, 100, picture.slice(100))).status).toBe(204)
    abort.abort()
    await dead
    expect((await (await user.request(address)).json()) as UploadView).toMatchObject({ status: 'ready', width: 300 })
  })

  test('a form with an oversized file is refused with a readable explanation, and nothing of it stays', async () => {
    const form = new FormData()
    form.set('tool', 'background-removal')
    form.set('image', new Blob([new Uint8Array(26 * 1024 * 1024)]), 'besar.png')
    const headers = { authorization: `Bearer ${user.token}`, 'idempotency-key': crypto.randomUUID() }
    const response = await fetch(`http://127.0.0.1:${port}/api/generations`, { method: 'POST', body: form, headers })
    expect(await refusal(response)).toEqual([413, 'upload.too_large'])
    expect(await app.deps.db.select().from(rows).where(eq(rows.userId, user.id))).toEqual([])
  })
})
