import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { moveFiles } from '#features/uploads/server/move-files.ts'
import { sweepFiles } from '#features/uploads/server/stored-files.ts'
import { storedFiles, uploads } from '#features/uploads/server/table.ts'
import { receiveParts } from '#features/uploads/server/upload-store.ts'
import { createFolderStore } from '#server/storage/folder-store.ts'
import { createFakeEngine } from '../support/fake-engine.ts'
import { type S3Double, startS3Double } from '../support/s3-double.ts'
import { makePicture, reached, submitted } from '../support/submit.ts'
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts'
import { beginUpload, sendBytes } from '../support/upload.ts'

const addressOf = (begun: Response) => begun.headers.get('location') ?? ''

let double: S3Double
let app: TestApp
let user: TestUser
beforeAll(async () => {
  double = await startS3Double()
  const address = new URL(double.address)
  address.searchParams.set('public', address.origin)
  app = await createTestApp({ engine: createFakeEngine(), env: { STORAGE: address.href } })
  user = await app.createUser()
})
afterEach(() => double.heal())
afterAll(async () => {
  await app.stop()
  await double.close()
})

test('a generation has all its files in the storage, from which its result is served under its name', async () => {
  const { id } = await submitted(user)
  const view = await reached(user, id, 'succeeded')
  expect([...double.objects.keys()].filter((key) => key.startsWith(`generations/${id}/`)).length).toBeGreaterThan(2)
  expect(readdirSync(app.config.dataDir)).not.toContain('files')
  const [output] = view.outputs
  const led = await app.request(output!.url)
  expect(led.status).toBe(302)
  const file = await fetch(led.headers.get('location') ?? '', { headers: { range: 'bytes=0-3' } })
  expect([file.status, file.headers.get('content-type')]).toEqual([206, output!.contentType])
  expect(file.headers.get('content-disposition')).toContain(output!.name)
  expect((await app.request(view.thumbnailUrl ?? '')).status).toBe(200)
  expect((await app.request('/')).headers.get('content-security-policy')).toContain(
    `connect-src 'self' ${double.address.origin}`,
  )
  expect((await user.request(`/api/generations/${id}`, { method: 'DELETE' })).status).toBe(204)
  expect([...double.objects.keys()].filter((key) => key.startsWith(`generations/${id}/`))).toEqual([])
})

test('an upload continues after an outage of the storage, and an interruption loses no acknowledged byte', async () => {
  const picture = await makePicture('#208040', 200, 200)
  const address = addressOf(await beginUpload(user, picture.length))
  const id = address.split('/').at(-1) ?? ''
  expect((await sendBytes(user, address, 0, picture.slice(0, 100))).status).toBe(204)
  double.fail({ match: /^PUT /, as: 507 })
  expect((await sendBytes(user, address, 100, picture.slice(100))).status).toBe(503)
  double.heal()
  const kept = [...double.objects.keys()].filter((key) => key.startsWith(`uploads/${id}/`))
  expect(kept).toHaveLength(1)
  expect((await sendBytes(user, address, 100, picture.slice(100))).status).toBe(204)
  expect([...double.objects.keys()].filter((key) => key.startsWith(`uploads/${id}/`))).toEqual([
    `uploads/${id}/content`,
  ])
  expect(double.objects.get(`uploads/${id}/content`)).toEqual(Buffer.from(picture))
})

test('of two writers at the same byte of an upload one succeeds, and nothing of the other is stored', async () => {
  const address = addressOf(await beginUpload(user, 300))
  const id = address.split('/').at(-1) ?? ''
  async function* chunks(...sizes: number[]) {
    for (const size of sizes) yield new Uint8Array(size).fill(size)
  }
  const both = [10, 20].map((size) => receiveParts(app.deps, { id, received: 0 }, chunks(size)))
  const outcomes = await Promise.allSettled(both)
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
  const refused = outcomes.find((outcome) => outcome.status === 'rejected')
  expect(refused?.reason).toMatchObject({ code: 'upload.conflict' })
  const [row] = await app.deps.db.select().from(uploads).where(eq(uploads.id, id))
  expect(row?.parts.map(({ bytes }) => bytes)).toEqual([row?.received])
  expect([...double.objects.keys()].filter((key) => key.startsWith(`uploads/${id}/`))).toHaveLength(1)
})

test('files move to another store during generations, may be moved again, and are the same there', async () => {
  const { id } = await submitted(user)
  await reached(user, id, 'succeeded')
  const from = app.deps.store
  const to = createFolderStore(join(app.config.dataDir, 'moved'))
  const [damaged = ''] = [...double.objects.keys()].filter((key) => key.startsWith(`generations/${id}/`))
  await to.put(damaged, Buffer.from('half'))
  const first = await moveFiles(app.deps, { from, to }, () => {})
  expect(first.copied).toBe(first.files)
  for (const [key, content] of double.objects) expect(Buffer.from(await to.get(key))).toEqual(content)
  const again = await moveFiles(app.deps, { from, to }, () => {})
  expect(again).toEqual({ ...first, copied: 0, bytes: 0 })
})

test('the command ends with a sentence: nothing to move, a part, everything, or no previous storage', async () => {
  const folders = ['old', 'new'].map((name) => mkdtempSync(join(tmpdir(), `rupa-${name}-`)))
  const [previous = '', current = ''] = folders
  const moving = await createTestApp({
    engine: createFakeEngine(),
    env: { STORAGE: current, PREVIOUS_STORAGE: previous },
  })
  const run = async (at: TestApp) => {
    const said: string[] = []
    const code = await at.composition.runCommand(['storage', 'move'], (line) => void said.push(line))
    return [code, said.at(-1)]
  }
  try {
    const end = 'unset PREVIOUS_STORAGE and restart, then you can delete the old location'
    expect(await run(moving)).toEqual([0, `there are no files to move; ${end}`])
    const old = createFolderStore(previous)
    for (const storageKey of ['a/1', 'b/2']) {
      await old.put(storageKey, Buffer.from('1234'))
      await moving.deps.db.insert(storedFiles).values({ storageKey, bytes: 4, createdAt: moving.clock.now() })
    }
    // A file where a folder has to be.
    writeFileSync(join(current, 'b'), '')
    expect(await run(moving)).toEqual([
      1,
      expect.stringMatching(
        /^1 files are identical in both locations, but 1 could not be moved; keep PREVIOUS_STORAGE and run this again \(/,
      ),
    ])
    rmSync(join(current, 'b'))
    const all = `all 2 files are identical in both locations, 1 of them new (0.0 MB); ${end}`
    expect(await run(moving)).toEqual([0, all])
    expect(await run(app)).toEqual([1, expect.stringMatching(/^nothing to move: set PREVIOUS_STORAGE/)])
  } finally {
    await moving.stop()
    for (const path of folders) rmSync(path, { recursive: true, force: true })
  }
})

test('files that cannot be deleted with their row are deleted within hours', async () => {
  const { id } = await submitted(user)
  await reached(user, id, 'succeeded')
  const its = () => [...double.objects.keys()].filter((key) => key.startsWith(`generations/${id}/`))
  app.expectErrors(/server.unavailable|403/)
  double.fail({ match: /^DELETE /, as: 403 })
  await user.request(`/api/generations/${id}`, { method: 'DELETE' })
  double.heal()
  expect(its().length).toBeGreaterThan(0)
  await sweepFiles(app.deps)
  expect(its().length).toBeGreaterThan(0)
  app.clock.advance({ hours: 2 })
  await sweepFiles(app.deps)
  expect(its()).toEqual([])
})
