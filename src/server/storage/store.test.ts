import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { type S3Double, startS3Double } from '../../../tests/support/s3-double.ts'
import { createFolderStore } from './folder-store.ts'
import { cachedStore, withPrevious } from './open-store.ts'
import { createS3Store } from './s3-store.ts'
import type { FileStore } from './store.ts'
import { createWorkFolders } from './work-folder.ts'

const folder = mkdtempSync(join(tmpdir(), 'rupa-stores-'))
const withFolder = createWorkFolders(join(folder, 'work'), async () => {})
let double: S3Double
const stores: Record<string, FileStore> = {}

beforeAll(async () => {
  double = await startS3Double({ bucketExists: false })
  stores.folder = createFolderStore(join(folder, 'files'))
  stores.s3 = createS3Store(double.address, withFolder)
})
afterEach(() => double.heal())
afterAll(async () => {
  await double.close()
  rmSync(folder, { recursive: true, force: true })
})

const bytes = Buffer.from('a picture, all of it')
const text = async (stream: ReadableStream<Uint8Array>) => await new Response(stream).text()
async function* chunks(...parts: (string | Error)[]): AsyncIterable<Uint8Array> {
  for (const part of parts) {
    if (part instanceof Error) throw part
    yield Buffer.from(part)
  }
}
async function keys(store: FileStore, below: string): Promise<string[]> {
  const found: string[] = []
  for await (const key of store.list(below)) found.push(key)
  return found.sort()
}

test('a missing bucket is empty, as while files are moved to it', async () => {
  await expect(stores.s3!.get('a')).rejects.toMatchObject({ code: 'file.not_found' })
})

describe.each(['folder', 's3'])('the %s store', (name) => {
  let store: FileStore
  beforeAll(() => {
    store = stores[name]!
  })

  test('keeps a file until it is deleted, and reads parts of it', async () => {
    expect(await store.put('a/b/c-1.x', bytes)).toBe(bytes.length)
    expect(Buffer.from(await store.get('a/b/c-1.x'))).toEqual(bytes)
    const part = await store.stream('a/b/c-1.x', { start: 2, end: 8 })
    expect([await text(part.body), part.bytes]).toEqual(['picture', bytes.length])
    await store.delete(['a/b/c-1.x', 'a/b/never'])
    await expect(store.get('a/b/c-1.x')).rejects.toMatchObject({ code: 'file.not_found' })
    await expect(store.stream('a/b/c-1.x')).rejects.toMatchObject({ code: 'file.not_found' })
    await expect(store.copy('a/b/c-1.x', 'a/d')).rejects.toMatchObject({ code: 'file.not_found' })
    await expect(store.fetch('a/b/c-1.x', join(folder, 'none'))).rejects.toMatchObject({ code: 'file.not_found' })
    await store.check()
  })

  test('stores a streamed file completely or not at all, also an empty one', async () => {
    expect(await store.put('s/whole', chunks('one ', 'two'))).toBe(7)
    expect(Buffer.from(await store.get('s/whole')).toString()).toBe('one two')
    await expect(store.put('s/half', chunks('one ', new Error('cut')))).rejects.toThrow('cut')
    expect(await store.put('s/empty', chunks())).toBe(0)
    expect((await store.get('s/empty')).length).toBe(0)
    expect(await keys(store, 's/')).toEqual(['s/empty', 's/whole'])
  })

  test('copies files, so that deleting either leaves the other', async () => {
    await store.put('c/one', bytes)
    await store.copy('c/one', 'd/two')
    await store.delete(['c/one'])
    expect(Buffer.from(await store.get('d/two'))).toEqual(bytes)
  })

  test('takes local files, and gives local files to engine threads', async () => {
    await writeFile(join(folder, 'made'), bytes)
    await store.putFile('m/made', join(folder, 'made'))
    await store.fetch('m/made', join(folder, `fetched-${name}`))
    expect(await readFile(join(folder, `fetched-${name}`))).toEqual(bytes)
  })

  test('lists and deletes all below a folder, and nothing beside it', async () => {
    for (const key of ['f/1/a', 'f/1/b', 'f/11/c']) await store.put(key, bytes)
    expect(await keys(store, 'f/')).toEqual(['f/1/a', 'f/1/b', 'f/11/c'])
    await store.delete(['f/1/', 'f/none/'])
    expect(await keys(store, 'f/')).toEqual(['f/11/c'])
    expect(await keys(store, '')).toContain('f/11/c')
  })

  test('accepts no key that leaves the store', async () => {
    for (const key of ['../x', 'a/../../x', '/etc/x', 'a//b', '', '.x', 'a/.x', 'a\\b', 'a\0b']) {
      await expect(store.put(key, bytes)).rejects.toThrow('not a storage key')
    }
  })
})

describe('S3-compatible storage', () => {
  test('is retried while it is busy or cuts the connection, and an interrupted file arrives whole', async () => {
    const store = stores.s3!
    double.fail({ match: /^PUT .*busy/, as: 503, times: 2 })
    double.fail({ match: /^PUT .*busy/, as: 'cut', times: 1 })
    await store.put('b/busy', bytes)
    double.fail({ match: /^GET .*busy/, as: 'cut_body', times: 1 })
    await store.fetch('b/busy', join(folder, 'busy'))
    expect(await readFile(join(folder, 'busy'))).toEqual(bytes)
    expect(double.requests.filter((request) => request === 'PUT /pictures/b/busy')).toHaveLength(4)
  })

  test('that stops responding is considered dead, and retried', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const passing = setInterval(() => void vi.advanceTimersByTimeAsync(1000), 1)
    try {
      double.fail({ match: /^PUT .*silent/, as: 'silence', times: 1 })
      await stores.s3!.put('b/silent', bytes)
      expect(double.requests.filter((request) => request.startsWith('PUT /pictures/b/silent'))).toHaveLength(2)
    } finally {
      clearInterval(passing)
      vi.useRealTimers()
    }
  })

  test('that refuses the key, or is full, is reported as such', async () => {
    const wrong = new URL(double.address)
    wrong.password = 'another'
    const refused = createS3Store(wrong, withFolder)
    await expect(refused.put('x/y', bytes)).rejects.toMatchObject({ code: 'server.unavailable' })
    await expect(refused.check()).rejects.toThrow('403')
    double.fail({ match: /^PUT/, as: 507 })
    await expect(stores.s3!.put('x/y', bytes)).rejects.toMatchObject({ code: 'storage.full' })
  })

  test('lists more than a page', async () => {
    for (let index = 0; index < 1005; index += 1) double.objects.set(`p/${index}`, bytes)
    expect(await keys(stores.s3!, 'p/')).toHaveLength(1005)
    await stores.s3!.delete(['p/'])
    expect(await keys(stores.s3!, 'p/')).toEqual([])
  })

  test('that browsers can reach gives temporary addresses, each for a single file and name', async () => {
    const address = new URL(double.address)
    address.searchParams.set('public', address.origin)
    const store = createS3Store(address, withFolder)
    await store.put('g/one', bytes)
    const signed = store.signedAddress!('g/one', {
      seconds: 60,
      contentType: 'image/png',
      contentDisposition: 'inline; filename="foto (ini).png"; filename*=UTF-8\'\'foto',
    })
    const response = await fetch(signed, { headers: { range: 'bytes=2-8' } })
    expect([response.status, await response.text()]).toEqual([206, 'picture'])
    expect(response.headers.get('content-type')).toBe('image/png')
    expect(response.headers.get('content-disposition')).toContain("UTF-8''foto")
    expect((await fetch(signed.replace('image%2Fpng', 'text%2Fhtml'))).status).toBe(403)
    expect((await fetch(signed.replace('g/one', 'g/two'))).status).toBe(403)
    expect(stores.s3!.signedAddress).toBeUndefined()
  })
})

test('fetched files are cached on this machine, up to a limit, and removed when they are deleted', async () => {
  const cache = join(folder, 'cache')
  const store = cachedStore(stores.s3!, cache, 40 * bytes.length)
  const reads = () => double.requests.filter((request) => request.startsWith('GET /pictures/k/')).length
  for (let index = 0; index < 60; index += 1) {
    await store.put(`k/${index}`, bytes)
    await store.fetch(`k/${index}`, join(folder, `k-${index}`))
  }
  expect(reads()).toBe(60)
  expect(readdirSync(cache).length).toBeLessThanOrEqual(40)
  await store.fetch('k/59', join(folder, 'again'))
  expect(reads()).toBe(60)
  expect(await readFile(join(folder, 'again'))).toEqual(bytes)
  await store.delete(['k/59'])
  await expect(store.fetch('k/59', join(folder, 'gone'))).rejects.toMatchObject({ code: 'file.not_found' })
})

test('while files are moved, those not copied yet are read from the old store', async () => {
  const [here, there] = [createFolderStore(join(folder, 'here')), createFolderStore(join(folder, 'there'))]
  const both = withPrevious(here, there)
  await there.put('m/old', bytes)
  await both.put('m/new', bytes)
  expect(Buffer.from(await both.get('m/old'))).toEqual(bytes)
  await both.copy('m/old', 'm/copied')
  expect(await keys(there, '')).toEqual(['m/old'])
  expect(await keys(both, '')).toEqual(['m/copied', 'm/new', 'm/old'])
  await both.delete(['m/old', 'm/new'])
  expect(await keys(both, '')).toEqual(['m/copied'])
  await expect(both.get('m/old')).rejects.toMatchObject({ code: 'file.not_found' })
})
