import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { FileView, GenerationView } from '#features/generations/schemas.ts'
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

  test('serves the file without a token, and lets no script in it run', async () => {
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
    expect(headers['content-security-policy']).toMatch(/default-src 'none'.*frame-ancestors 'none'.*sandbox/)
    expect(headers['cache-control']).toMatch(/^private, max-age=\d+, immutable$/)
  })

  test('offers the file under a safe name, with the extension of its content', async () => {
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
  ] as const)('serves a range: %s', async (_name, range, [from, to]) => {
    const answer = await app.request(input.url, { headers: { range } })
    const part = picture.slice(from, to)
    expect(answer.status).toBe(206)
    expect(await bytesOf(answer)).toEqual(part)
    const start = from < 0 ? picture.length + from : from
    expect(answer.headers.get('content-range')).toBe(`bytes ${start}-${start + part.length - 1}/${picture.length}`)
  })

  test('refuses a range outside of the file, and sends the whole file for other ranges', async () => {
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
    const session = url.searchParams.get('session') ?? ''
    const gone = signFileAddress({ id: crypto.randomUUID(), name: 'x', session }, fileSigningKey, app.clock.now())
    expect(await refusal(await app.request(gone))).toEqual([404, 'file.not_found'])
    const noId = signFileAddress({ id: 'x', name: 'x', session }, fileSigningKey, app.clock.now())
    expect(await refusal(await app.request(noId))).toEqual([404, 'file.not_found'])
  })

  test('is valid for an hour at most and for forty minutes at least', () => {
    const key = new Uint8Array(32)
    for (let hour = 0; hour < 4; hour += 0.07) {
      const now = new Date(Date.UTC(2026, 10, 21) + hour * 3_600_000)
      const { searchParams } = new URL(
        signFileAddress({ id: 'a', name: 'b', session: 'c' }, key, now),
        'http://localhost',
      )
      const given = {
        id: 'a',
        session: 'c',
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

describe('a file address ends with the session that received it', () => {
  let app: TestApp
  let user: TestUser
  let id: string
  beforeAll(async () => {
    app = await createTestApp({ engine: createFakeEngine() })
  })
  beforeEach(async () => {
    user = await app.createUser()
    id = (await submitted(user)).id
    await reached(user, id, 'succeeded')
  })
  afterAll(() => app.stop())

  const addressIn = async (token: string) => {
    const view = (await (await app.request(`/api/generations/${id}`, { token })).json()) as GenerationView
    return view.outputs[0]?.url ?? ''
  }
  const status = async (address: string) => (await app.request(address)).status
  const signIn = () => app.signIn(user.email, user.password)

  test('at a sign-out, while the address of another session stays valid', async () => {
    const other = await signIn()
    const [here, there] = [await addressIn(user.token), await addressIn(other)]
    expect(here.split('?')[0]).toBe(there.split('?')[0])
    expect((await user.request('/api/logout', { method: 'POST' })).status).toBe(204)
    expect(await refusal(await app.request(here))).toEqual([403, 'file.link_invalid'])
    expect(await refusal(await app.request(here, { headers: { 'if-none-match': '*' } }))).toEqual([
      403,
      'file.link_invalid',
    ])
    expect(await status(there)).toBe(200)
    const swapped = there.replace(/session=[^&]*/, `session=${new URL(here, 'http://x').searchParams.get('session')}`)
    expect(await status(swapped)).toBe(403)
    expect(await status(there.replace(/session=[^&]*&/, ''))).toBe(403)
  })

  test.each<[string, (other: string) => Promise<Response>]>([
    [
      'when it is ended from another device',
      async (other) => {
        const json = { password: user.password }
        return await app.request('/api/user/sessions/end_others', { token: other, json })
      },
    ],
    [
      'when the password is changed',
      async (other) => {
        const json = { currentPassword: user.password, password: 'Pengganti456!' }
        return await app.request('/api/user/password', { token: other, json })
      },
    ],
    [
      'when the password is reset',
      async () => {
        await app.request('/api/forgot_password', { json: { email: user.email } })
        const token = (await app.mailTo(user.email, /\/reset-password\//)).link?.split('/').at(-1)
        return await app.request(`/api/reset_password/${token}`, { json: { password: 'Pengganti456!' } })
      },
    ],
    [
      'when the account is disabled',
      async () => {
        const admin = await app.createUser({ role: 'admin' })
        const json = { disabled: true, reason: 'Penipuan' }
        return await admin.request(`/api/admin/users/${user.id}`, { method: 'PATCH', json })
      },
    ],
  ])('%s', async (_, end) => {
    const other = await signIn()
    const address = await addressIn(user.token)
    expect(await status(address)).toBe(200)
    const ended = await end(other)
    if (!ended.ok) throw new Error(`${ended.status} ${await ended.text()}`)
    expect(await refusal(await app.request(address))).toEqual([403, 'file.link_invalid'])
  })

  test('at the expiry of the session', async () => {
    app.clock.advance({ hours: 11, minutes: 50 })
    const address = await addressIn(user.token)
    expect(await status(address)).toBe(200)
    app.clock.advance({ minutes: 11 })
    expect(await status(address)).toBe(403)
  })
})
