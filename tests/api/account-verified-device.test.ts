import { createHash, randomUUID } from 'node:crypto'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { accountTokens } from '#server/auth/table.ts'
import { createTestApp, type TestApp, testPassword } from '#tests/support/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.stop())

const cookieOf = (response: Response, name: string) =>
  response.headers
    .getSetCookie()
    .map((line) => line.split(';')[0] ?? '')
    .find((pair) => pair.startsWith(`${name}=`) && pair.length > name.length + 1)

async function register(email = `${randomUUID().slice(0, 8)}@contoh.id`, password = testPassword) {
  const json = { name: 'Sari', email, password, agreeToTerms: true }
  const before = app.mails.filter(({ to }) => to === email).length
  const response = await app.request('/api/register', { json })
  const cookie = cookieOf(response, 'registered') as string
  expect(response.headers.getSetCookie().join()).toMatch(/registered=[^;]+;.*HttpOnly; SameSite=Lax/)
  const mail = await app.mailTo(email, before + 1)
  return { email, cookie, link: new URL(mail.link as string).pathname, code: codeOf(mail) }
}
const open = (link: string, cookie?: string) => app.request(link, cookie ? { headers: { cookie } } : {})
const signIn = (cookie?: string) =>
  app.request('/api/login_verified', { method: 'POST', headers: cookie ? { cookie } : {} })

test('the link of the mail signs in on the device of the registration, once', async () => {
  const { email, cookie, link } = await register()
  const opened = await open(link, cookie)
  expect(opened.headers.get('location')).toBe('/login?verified=1')
  const verified = cookieOf(opened, 'verified')
  const response = await signIn(verified)
  expect(response.status).toBe(200)
  const { access_token } = (await response.json()) as { access_token: string }
  expect(decodeJwt(access_token).sub).toMatchObject({ email })
  expect((await signIn(verified)).status).toBe(422)
})

test('a mail program that prefetches the link does not use it up', async () => {
  const { cookie, link } = await register()
  expect(cookieOf(await open(link), 'verified')).toBeUndefined()
  expect((await signIn(cookieOf(await open(link, cookie), 'verified'))).status).toBe(200)
})

test('on another device, after a minute, and with a cookie of another registration it only verifies', async () => {
  const own = await register()
  const other = await register()
  expect(cookieOf(await open(own.link), 'verified')).toBeUndefined()
  expect(cookieOf(await open(own.link, other.cookie), 'verified')).toBeUndefined()
  expect((await signIn()).status).toBe(422)
  expect((await signIn('verified=made-up')).status).toBe(422)
  const late = cookieOf(await open(other.link, other.cookie), 'verified')
  app.clock.advance({ minutes: 2 })
  expect((await signIn(late)).status).toBe(422)
})

/** On the registering device, with the mailed code or without. */
const goOn = (cookie?: string, code?: string, from = '127.0.0.1') =>
  app.request('/api/verify_email', {
    json: code === undefined ? {} : { code },
    from,
    headers: cookie ? { cookie } : {},
  })
const codeOf = ({ text }: { text: string }) => /^(\d{6})$/m.exec(text)?.[1] as string
const wrong = (code: string, by = 1) => String((Number(code) + by) % 1_000_000).padStart(6, '0')
async function whoIsIn(response: Response) {
  const { access_token: token } = (await response.json()) as { access_token?: string }
  return token === undefined ? null : ((decodeJwt(token).sub as unknown as { email: string }).email ?? null)
}

describe('the code of the mail', () => {
  test('stands alone in its paragraph, large, and in the line that mail apps show in their list', async () => {
    const { email, code } = await register()
    const { html } = await app.mailTo(email)
    expect(html).toMatch(new RegExp(`<p class="code" style="[^"]*font-size:38px[^"]*">${code}</p>`))
    expect(html).toMatch(new RegExp(`overflow:hidden;[^>]*>[^<]*${code}</div>`))
  })

  test('signs in where the address was registered, with welcome credits; a lost response can be requested again for a minute', async () => {
    const { email, cookie, code } = await register()
    const response = await goOn(cookie, `${code.slice(0, 3)} ${code.slice(3)}`)
    expect(response.status).toBe(200)
    expect(response.headers.getSetCookie().join()).toMatch(/registered=; Max-Age=0/)
    const { access_token: token } = (await response.json()) as { access_token: string }
    expect(await (await app.request('/api/user/myCredit', { token })).json()).toMatchObject({ credits: 25 })
    expect(await whoIsIn(await goOn(cookie, code))).toBe(email)
    app.clock.advance({ minutes: 2 })
    expect((await goOn(cookie, code)).status).toBe(422)
    expect(await whoIsIn(await goOn(cookie))).toBeNull()
  })

  test('is invalid on another device, with the cookie of another registration, ten minutes later, or beside a newer one', async () => {
    const own = await register()
    const other = await register()
    const refusal = await goOn(undefined, own.code)
    expect([refusal.status, ((await refusal.json()) as { code: string }).code]).toEqual([403, 'auth.code_elsewhere'])
    expect((await goOn('registered=made-up', own.code)).status).toBe(403)
    const foreign = await goOn(other.cookie, own.code)
    expect(await foreign.json()).toMatchObject({
      code: 'auth.code_wrong',
      msg: expect.stringMatching(/^Kode ini salah/),
    })
    app.clock.advance({ minutes: 11 })
    expect((await goOn(own.cookie, own.code)).status).toBe(422)
    await app.request(`/api/resend_confirmation_email?email=${encodeURIComponent(own.email)}`)
    const newer = codeOf(await app.mailTo(own.email, 2))
    if (newer !== own.code) expect((await goOn(own.cookie, own.code)).status).toBe(422)
    expect(await whoIsIn(await goOn(own.cookie, newer))).toBe(own.email)
  })

  test('is stored as a keyed hash, and a malformed one is refused', async () => {
    const { cookie, code } = await register()
    const stored = JSON.stringify(await app.deps.db.select().from(accountTokens))
    expect(stored).not.toContain(`"${code}"`)
    for (const algorithm of ['base64url', 'hex'] as const)
      expect(stored).not.toContain(createHash('sha256').update(code).digest(algorithm))
    for (const text of ['', '12345', '1234567', 'kode']) expect((await goOn(cookie, text)).status).toBe(422)
  })

  test('and the link are equivalent: the first one used verifies, and the device continues either way', async () => {
    const first = await register()
    expect(await whoIsIn(await goOn(first.cookie, first.code))).toBe(first.email)
    expect((await open(first.link)).headers.get('location')).toBe('/login?verified=1')
    const second = await register()
    await open(second.link)
    expect(await whoIsIn(await goOn(second.cookie, second.code))).toBe(second.email)
    const third = await register()
    const both = await Promise.all([open(third.link), goOn(third.cookie, third.code), goOn(third.cookie, third.code)])
    expect(both.map(({ status }) => status)).toEqual([302, 200, 200])
    const token = await app.signIn(third.email, testPassword)
    expect(await (await app.request('/api/user/myCredit', { token })).json()).toMatchObject({ credits: 25 })
  })

  test('can be guessed eight times from an address and twenty times in all, for every spelling of the mailbox', async () => {
    const { email, cookie, code } = await register()
    const tries = async (count: number, from: string, by: number) => {
      const codes = Array.from({ length: count }, (_, at) => wrong(code, by + at))
      const statuses = await Promise.all(codes.map(async (guess) => (await goOn(cookie, guess, from)).status))
      return statuses.filter((status) => status === 422).length
    }
    expect(await tries(12, '203.0.113.5', 1)).toBe(8)
    const refused = await goOn(cookie, code, '203.0.113.5')
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(600)
    expect((await tries(8, '203.0.113.6', 20)) + (await tries(8, '203.0.113.7', 40))).toBe(12)
    const spelt = await register(email.replace('@', '+lain@'))
    expect((await goOn(spelt.cookie, spelt.code, '203.0.113.8')).status).toBe(429)
    // The link still works, so the device continues.
    await open((await app.mailTo(email)).link as string)
    expect(await whoIsIn(await goOn(cookie))).toBe(email)
  })

  test('of an address with an account never matches, with the same response as a wrong code of a new address', async () => {
    const { email } = await app.createUser()
    const known = await register(email)
    const unknown = await register()
    expect((await goOn(known.cookie, '123456')).status).toBe(422)
    expect((await goOn(unknown.cookie, wrong(unknown.code))).status).toBe(422)
    expect(await whoIsIn(await goOn(known.cookie))).toBeNull()
  })

  test('lets a user who registered twice with two passwords choose one, and signs in no client before', async () => {
    const one = await register()
    const two = await register(one.email, 'Lainnya-456!')
    await open(two.link)
    expect([await whoIsIn(await goOn(one.cookie)), await whoIsIn(await goOn(two.cookie))]).toEqual([null, null])
    const mine = await register()
    const again = await register(mine.email, 'Lainnya-456!')
    const response = (await (await goOn(again.cookie, again.code)).json()) as { resetToken?: string }
    const json = { password: 'Ketiga-789!' }
    expect((await app.request(`/api/reset_password/${response.resetToken}`, { json })).status).toBe(200)
    expect([await whoIsIn(await goOn(mine.cookie)), await whoIsIn(await goOn(again.cookie))]).toEqual([null, null])
    expect(await app.canSignIn(mine.email, json.password)).toBe(true)
  })
})

describe('the device of the registration', () => {
  test('continues once the link was opened on another one, and not before', async () => {
    const { email, cookie, link } = await register()
    expect(await (await goOn(cookie)).json()).toEqual({})
    await open(link)
    expect(await whoIsIn(await goOn())).toBeNull()
    expect(await whoIsIn(await goOn(cookie))).toBe(email)
  })

  test('is not signed in after a new password, for an account that existed before, or a day later', async () => {
    const { email, cookie, link } = await register()
    await open(link)
    await app.request('/api/forgot_password', { json: { email } })
    const reset = (await app.mailTo(email, /reset-password/)).link?.split('/').at(-1)
    expect((await app.request(`/api/reset_password/${reset}`, { json: { password: 'Baru-456789!' } })).status).toBe(200)
    expect(await whoIsIn(await goOn(cookie))).toBeNull()
    const known = await register((await app.createUser()).email)
    expect(await whoIsIn(await goOn(known.cookie))).toBeNull()
    const late = await register()
    await open(late.link)
    app.clock.advance({ hours: 25 })
    expect(await whoIsIn(await goOn(late.cookie))).toBeNull()
  })

  test('also includes a device that gave the right password before the address was verified', async () => {
    const { email, link } = await register()
    const login = (password: string) => app.request('/api/login', { json: { email, password } })
    expect(cookieOf(await login('Salah-123!'), 'registered')).toBeUndefined()
    const cookie = cookieOf(await login(testPassword), 'registered')
    await open(link)
    expect(await whoIsIn(await goOn(cookie))).toBe(email)
  })
})

test('a stranger who registers an address gets no access when its owner opens the link', async () => {
  const attacker = await register()
  const opened = await open(attacker.link)
  expect(opened.headers.get('location')).toBe('/login?verified=1')
  expect(cookieOf(opened, 'verified')).toBeUndefined()
  expect((await signIn(attacker.cookie)).status).toBe(422)
})
