import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type TestApp, type TestUser, testPassword } from '#tests/support/test-app.ts'

let app: TestApp
let person: TestUser
beforeAll(async () => {
  app = await createTestApp()
  person = await app.createUser()
})
afterAll(() => app.stop())

const good = { name: 'Sari', email: 'sari@contoh.id', password: testPassword, agreeToTerms: true }

describe('a wrong field gets 422, its message key and a sentence', () => {
  test.each<[string, Record<string, unknown>, Record<string, string>]>([
    ['no name', { name: undefined }, { name: 'form.required' }],
    ['an empty name', { name: '   ' }, { name: 'form.required' }],
    ['a name that is no text', { name: { first: 'x' } }, { name: 'form.invalid' }],
    ['a very long name', { name: 'x'.repeat(101) }, { name: 'form.invalid' }],
    ['a name with NUL', { name: 'a\0b' }, { name: 'form.invalid' }],
    ['no e-mail', { email: undefined }, { email: 'login.required' }],
    ['an empty e-mail', { email: '' }, { email: 'login.required' }],
    ['no host in the e-mail', { email: 'sari@' }, { email: 'login.invalidEmail' }],
    ['two addresses', { email: 'a@b.id,c@d.id' }, { email: 'login.invalidEmail' }],
    ['a line break in the e-mail', { email: 'a@b.id\r\nBcc: c@d.id' }, { email: 'login.invalidEmail' }],
    ['an endless e-mail', { email: `${'a'.repeat(300)}@b.id` }, { email: 'login.invalidEmail' }],
    ['a number as e-mail', { email: 7 }, { email: 'form.invalid' }],
    ['no password', { password: undefined }, { password: 'password.required' }],
    ['an empty password', { password: '' }, { password: 'password.required' }],
    ['a short password', { password: 'Ab1!' }, { password: 'password.minLength' }],
    ['no lower case', { password: 'RAHASIA1!' }, { password: 'password.lowercase' }],
    ['no upper case', { password: 'rahasia1!' }, { password: 'password.uppercase' }],
    ['no digit', { password: 'Rahasiaku!' }, { password: 'password.number' }],
    ['no special character', { password: 'Rahasia123' }, { password: 'password.specialChar' }],
    ['a name nobody can see', { name: '\u200b\u202e \t' }, { name: 'form.required' }],
    ['a blank address', { email: '   ' }, { email: 'login.required' }],
    ['terms not agreed to', { agreeToTerms: false }, { agreeToTerms: 'register.agreeToTerms' }],
    ['terms missing', { agreeToTerms: undefined }, { agreeToTerms: 'register.agreeToTerms' }],
    ['terms as text', { agreeToTerms: 'true' }, { agreeToTerms: 'register.agreeToTerms' }],
  ])('%s', async (_name, wrong, details) => {
    const response = await app.request('/api/register', { json: { ...good, ...wrong } })
    expect(response.status).toBe(422)
    const text = await response.text()
    expect(JSON.parse(text)).toMatchObject({ code: 'form.invalid', details })
    for (const value of [wrong.email, wrong.password]) {
      if (typeof value === 'string' && value.length > 4) expect(text).not.toContain(value)
    }
  })

  test('in a sentence that says what to change', async () => {
    const headers = { 'accept-language': 'en' }
    const say = async (wrong: object) => {
      const response = await app.request('/api/register', { json: { ...good, ...wrong }, headers })
      return ((await response.json()) as { msg: string }).msg
    }
    expect(await say({ password: 'Ab1!' })).toBe('Password must be at least 8 characters')
    expect(await say({ password: 'RAHASIA1!' })).toBe('Password must contain at least one lowercase letter')
    expect(await say({ email: 'x' })).toBe('Invalid email')
    expect(await say({ email: '' })).toBe('This field is required')
    expect(await say({ name: '' })).toBe('This field is required')
    const terms = await app.request('/api/register', { json: { ...good, agreeToTerms: false } })
    expect(await terms.json()).toMatchObject({ msg: 'Harap centang persetujuan' })
  })
})

describe('a body that is not a form', () => {
  const json = { 'content-type': 'application/json' }
  test.each<[string, RequestInit, number, string]>([
    ['broken JSON', { body: '{"email":', headers: json }, 400, 'request.malformed'],
    ['nothing', { body: '', headers: json }, 400, 'request.malformed'],
    ['an array', { body: '[]', headers: json }, 422, 'form.invalid'],
    ['null', { body: 'null', headers: json }, 422, 'form.invalid'],
    ['a text', { body: '"x"', headers: json }, 422, 'form.invalid'],
    ['a deep nest', { body: `${'['.repeat(30_000)}${']'.repeat(30_000)}`, headers: json }, 400, 'request.malformed'],
    [
      'a deep object',
      { body: `${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}`, headers: json },
      400,
      'request.malformed',
    ],
    ['thousands of keys', { body: JSON.stringify(Array(5_000).fill(0)), headers: json }, 400, 'request.malformed'],
    ['a prototype', { body: '{"__proto__":{"email":"a@b.id"},"constructor":1}', headers: json }, 422, 'form.invalid'],
    [
      'too much',
      { body: JSON.stringify({ ...good, name: 'x'.repeat(70_000) }), headers: json },
      413,
      'request.too_large',
    ],
    [
      'a stream of too much',
      { body: new Blob(['{"a":"', 'x'.repeat(70_000), '"}']).stream(), headers: json, duplex: 'half' } as RequestInit,
      413,
      'request.too_large',
    ],
    [
      'a web form',
      { body: 'email=a%40b.id', headers: { 'content-type': 'application/x-www-form-urlencoded' } },
      415,
      'request.content_type',
    ],
    ['a multipart form', { body: new FormData() }, 415, 'request.content_type'],
    [
      'plain text',
      { body: JSON.stringify(good), headers: { 'content-type': 'text/plain' } },
      415,
      'request.content_type',
    ],
    ['no media type', { body: new TextEncoder().encode('{}') }, 415, 'request.content_type'],
  ])('%s', async (_name, init, status, code) => {
    for (const path of ['/api/login', '/api/register', '/api/forgot_password', '/api/reset_password/x']) {
      const body =
        init.body instanceof ReadableStream ? new Blob(['{"a":"', 'x'.repeat(70_000), '"}']).stream() : init.body
      const response = await app.request(path, { ...init, method: 'POST', body } as RequestInit)
      expect(await response.json(), path).toMatchObject({ code })
      expect(response.status, path).toBe(status)
    }
  })

  test.each(['', '?email=', '?email=x', '?email=a@b.id&email=c@d.id', '?mail=a@b.id', '?email=%00@b.id'])(
    'resending to %s',
    async (query) => {
      const response = await app.request(`/api/resend_confirmation_email${query}`)
      expect(response.status).toBe(422)
      expect(await response.json()).toMatchObject({ code: 'form.invalid' })
    },
  )
})

test('a profile takes no list, and grants no role, address or credits', async () => {
  const change = (json: unknown) => person.request('/api/user/me', { method: 'PATCH', json })
  expect(await (await change([])).json()).toMatchObject({ code: 'form.invalid', details: { body: 'form.invalid' } })
  const before = await (await person.request('/api/user/me')).json()
  const response = await change({
    role: 'admin',
    email: 'lain@contoh.id',
    id: 'x',
    credits: 9999,
    emailVerifiedAt: null,
  })
  expect(await response.json()).toMatchObject(before as object)
  expect(await (await change(null)).json()).toMatchObject({ details: { body: 'form.invalid' } })
  const theme = { mode: 'dark', primary: 'jambu', neutral: 'pasir' }
  const dressed = await (await change({ theme: { ...theme, note: 'x'.repeat(1000) } })).json()
  expect((dressed as { theme: unknown }).theme).toEqual(theme)
})

describe('a token that is not ours', () => {
  const sign = (claims: object, secret: Uint8Array, exp = '1h') =>
    new SignJWT(claims as never).setProtectedHeader({ alg: 'HS256' }).setIssuedAt().setExpirationTime(exp).sign(secret)
  const unsigned = (claims: object) => `${btoa('{"alg":"none"}')}.${btoa(JSON.stringify(claims))}.`.replaceAll('=', '')

  test('is refused in every shape', async () => {
    const [header, claims, signature] = person.token.split('.') as [string, string, string]
    const { sid } = JSON.parse(atob(claims)) as { sid: string }
    const { jwtSecret } = app.config
    const tokens: [string, string][] = [
      ['nothing', ''],
      ['not a token', 'abc'],
      ['three dots', '...'],
      ['a cut signature', `${header}.${claims}.${signature.slice(0, -4)}`],
      ['no signature', `${header}.${claims}.`],
      ['the algorithm none', unsigned({ sid, exp: 9_999_999_999 })],
      ['another key', await sign({ sid }, new TextEncoder().encode('x'.repeat(32)))],
      ['no session', await sign({ sub: person.id }, jwtSecret)],
      ['a session that is no id', await sign({ sid: "' or 1=1" }, jwtSecret)],
      ['a session that is an object', await sign({ sid: { toString: sid } }, jwtSecret)],
      ['an id of 36 dashes', await sign({ sid: '-'.repeat(36) }, jwtSecret)],
      ['an endless token', 'a'.repeat(10_000)],
    ]
    for (const [name, token] of tokens) {
      const response = await app.request('/api/user/me', { headers: { authorization: `Bearer ${token}` } })
      expect(response.status, name).toBe(401)
      expect(await response.json(), name).toMatchObject({ code: 'auth.required' })
    }
    const gone = await sign({ sid: '00000000-0000-4000-8000-000000000000' }, jwtSecret)
    const response = await app.request('/api/user/me', { token: gone })
    expect(await response.json()).toMatchObject({ code: 'auth.expired' })
    const basic = await app.request('/api/user/me', { headers: { authorization: `Basic ${person.token}` } })
    expect(basic.status).toBe(401)
  })

  test('an expired one says so', async () => {
    const token = await sign({ sid: crypto.randomUUID() }, app.config.jwtSecret, '-1h')
    expect(await (await app.request('/api/user/me', { token })).json()).toMatchObject({ code: 'auth.expired' })
  })
})
