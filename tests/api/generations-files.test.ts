import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FileView, GenerationView } from '#features/generations/contract.ts'
import { createLocalStore } from '#server/storage/local-store.ts'
import { fileAddressSeconds, signFileAddress } from '#server/storage/signed-address.ts'
import { createFakeEngine } from '../support/fake-engine.ts'
import { makePicture, reached, readGeneration, refusal, submitted } from '../support/submit.ts'
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts'

describe('a file address', () => {
  let app: TestApp
  let user: TestUser
  let picture: Uint8Array<ArrayBuffer>
  let view: GenerationView
  let input: FileView

  beforeAll(async () => {
    app = await createTestApp({ engine: createFakeEngine() })
    user = await app.createUser()
    picture = await makePicture()
    const { id } = await submitted(user, { image: picture, name: '../../etc/Foto "liburan" ké Bali\r\n.JPEG' })
    view = await reached(user, id, 'succeeded')
    input = view.inputs[0] as FileView
  })
  afterAll(() => app.stop())

  const bytesOf = async (answer: Response) => new Uint8Array(await answer.arrayBuffer())

  test('serves the file without a token, and lets nothing in it run', async () => {
    const answer = await app.request(input.url)
    expect(answer.status).toBe(200)
    expect(await bytesOf(answer)).toEqual(picture)
    const headers = Object.fromEntries(answer.headers)
    expect(headers).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(picture.length),
      'x-content-type-options': 'nosniff',
      'accept-ranges': 'bytes',
      'cross-origin-resource-policy': 'same-origin',
    })
    expect(headers['content-security-policy']).toMatch(/default-src 'none'.*sandbox/)
    expect(headers['cache-control']).toMatch(/^private, max-age=\d+, immutable$/)
  })

  test('offers the file under a harmless name, with the extension of what is in it', async () => {
    expect(input.name).toBe('Foto liburan ké Bali.png')
    const shown = await app.request(input.url)
    expect(shown.headers.get('content-disposition')).toBe(
      `inline; filename="Foto liburan ke Bali.png"; filename*=UTF-8''Foto%20liburan%20k%C3%A9%20Bali.png`,
    )
    const saved = await app.request(`${input.url}&download=1`)
    expect(saved.headers.get('content-disposition')).toMatch(/^attachment; /)
  })

  test('stays the same for hours, so that it can be cached, and expires', async () => {
    const again = await readGeneration(user, view.id)
    expect(again.inputs[0]?.url).toBe(input.url)
    const etag = (await app.request(input.url)).headers.get('etag') as string
    const cached = await app.request(input.url, { headers: { 'if-none-match': `W/"x", ${etag}` } })
    expect([cached.status, await cached.text()]).toEqual([304, ''])
    app.clock.advance({ hours: 31 })
    expect(await refusal(await app.request(input.url))).toEqual([403, 'file.link_invalid'])
    app.clock.advance({ hours: -31 })
  })

  test.each([
    ['the first bytes', 'bytes=0-9', [0, 10]],
    ['from the middle', 'bytes=20-', [20, undefined]],
    ['the last bytes', 'bytes=-5', [-5, undefined]],
    ['more than there is', 'bytes=10-999999', [10, undefined]],
  ] as const)('gives a part: %s', async (_name, range, [from, to]) => {
    const answer = await app.request(input.url, { headers: { range } })
    const part = picture.slice(from, to)
    expect(answer.status).toBe(206)
    expect(await bytesOf(answer)).toEqual(part)
    const start = from < 0 ? picture.length + from : from
    expect(answer.headers.get('content-range')).toBe(`bytes ${start}-${start + part.length - 1}/${picture.length}`)
  })

  test('refuses a part that is not there, and sends the whole for other wishes', async () => {
    const beyond = await app.request(input.url, { headers: { range: `bytes=${picture.length}-` } })
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, `bytes */${picture.length}`])
    const others: Record<string, string>[] = [
      { range: 'bytes=0-1,3-4' },
      { range: 'lines=1' },
      { range: 'bytes=9-3' },
      { range: 'bytes=0-1', 'if-range': '"old"' },
    ]
    for (const headers of others) {
      expect(await bytesOf(await app.request(input.url, { headers }))).toEqual(picture)
    }
    const head = await app.request(input.url, { method: 'HEAD' })
    expect([head.status, head.headers.get('content-length'), await head.text()]).toEqual([
      200,
      String(picture.length),
      '',
    ])
  })

  test('that was tampered with opens nothing', async () => {
    const output = view.outputs[0] as FileView
    const url = new URL(input.url, 'http://localhost')
    const later = new URL(url)
    later.searchParams.set('expires', String(Number(url.searchParams.get('expires')) + 3600))
    const other = input.url.replace(input.id, output.id)
    const unsigned = url.pathname
    for (const wrong of [later.pathname + later.search, other, unsigned, `${unsigned}?expires=9999999999&signature=`]) {
      expect(await refusal(await app.request(wrong))).toEqual([403, 'file.link_invalid'])
    }
    const { fileSigningKey } = app.config
    const gone = signFileAddress({ id: crypto.randomUUID(), name: 'x' }, fileSigningKey, app.clock.now())
    expect(await refusal(await app.request(gone))).toEqual([404, 'file.not_found'])
    const noId = signFileAddress({ id: 'x', name: 'x' }, fileSigningKey, app.clock.now())
    expect(await refusal(await app.request(noId))).toEqual([404, 'file.not_found'])
  })

  test('is good for an hour at most and for forty minutes at least, whenever it is made', () => {
    const key = new Uint8Array(32)
    for (let hour = 0; hour < 4; hour += 0.07) {
      const now = new Date(Date.UTC(2026, 10, 21) + hour * 3_600_000)
      const { searchParams } = new URL(signFileAddress({ id: 'a', name: 'b' }, key, now), 'http://localhost')
      const given = {
        id: 'a',
        expires: searchParams.get('expires') ?? '',
        signature: searchParams.get('signature') ?? '',
      }
      const seconds = fileAddressSeconds(given, key, now)
      expect(seconds).toBeGreaterThanOrEqual(40 * 60)
      expect(seconds).toBeLessThanOrEqual(3600)
      expect(fileAddressSeconds(given, new Uint8Array(32).fill(1), now)).toBe(0)
    }
  })
})

describe('the local store', () => {
  const folder = mkdtempSync(join(tmpdir(), 'rupa-store-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const store = createLocalStore(folder)
  const bytes = new Uint8Array([1, 2, 3, 4])
  const everything = () =>
    readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())

  test('keeps what it is given until it is deleted', async () => {
    await store.put('a/b/c', bytes, 'image/png')
    expect(new Uint8Array(await store.get('a/b/c'))).toEqual(bytes)
    const { body, bytes: size } = await store.stream('a/b/c', { start: 1, end: 2 })
    expect([new Uint8Array(await new Response(body).arrayBuffer()), size]).toEqual([new Uint8Array([2, 3]), 4])
    await store.put('a/b/c', new Uint8Array([9]), 'image/png')
    expect(new Uint8Array(await store.get('a/b/c'))).toEqual(new Uint8Array([9]))
    await store.delete(['a/b/c', 'a/b/never'])
    await expect(store.get('a/b/c')).rejects.toMatchObject({ code: 'file.not_found' })
    await expect(store.stream('a/b/c')).rejects.toMatchObject({ code: 'file.not_found' })
    await store.check()
    expect(everything()).toEqual([])
  })

  test('writes and deletes side by side without losing a file', async () => {
    const keys = Array.from({ length: 40 }, (_, index) => `same/folder/${index}`)
    await Promise.all(
      keys.map(async (key, index) => {
        await store.put(key, bytes, 'image/png')
        if (index % 2) await store.delete([key])
      }),
    )
    for (const key of keys.filter((_, index) => index % 2 === 0)) expect((await store.get(key)).length).toBe(4)
    await store.delete(keys)
  })

  test('accepts no key that leads elsewhere', async () => {
    for (const key of ['../x', 'a/../../x', '/etc/x', 'a//b', '', '.x', 'a/.x', 'a\\b', 'a\0b']) {
      await expect(store.put(key, bytes, 'image/png')).rejects.toThrow('not a storage key')
    }
  })

  test.each(['ENOSPC', 'EDQUOT'])(
    'says so when the disk is full (%s), and leaves nothing half-written',
    async (code) => {
      const full = createLocalStore(folder, async (...given) => {
        const file = await open(...given)
        file.writeFile = async () => {
          throw Object.assign(new Error(code), { code })
        }
        return file
      })
      await expect(full.put('x/y', bytes, 'image/png')).rejects.toMatchObject({ code: 'storage.full', status: 503 })
      await expect(full.check()).rejects.toThrow(code)
      await expect(store.get('x/y')).rejects.toMatchObject({ code: 'file.not_found' })
      expect(everything().filter(({ parentPath }) => !parentPath.endsWith('drafts'))).toEqual([])
    },
  )

  test('lists what is older than a moment, drafts of a crash included', async () => {
    await store.put('old/one', bytes, 'image/png')
    const later = new Date(Date.now() + 60_000)
    const list = async (moment: Date) => {
      const keys: string[] = []
      for await (const key of store.listOlderThan(moment)) keys.push(key)
      return keys
    }
    expect(await list(later)).toContain('old/one')
    expect(await list(new Date(Date.now() - 60_000))).toEqual([])
  })
})
