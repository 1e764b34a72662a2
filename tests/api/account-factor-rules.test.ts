import { eq } from 'drizzle-orm'
import { decodeJwt } from 'jose'
import { TOTP } from 'otpauth'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { PasskeyView, TotpView } from '#features/account/schemas.ts'
import { passkeys } from '#server/auth/table.ts'
import { rateLimits } from '#server/http/rate-limit-table.ts'
import { addPasskey, authenticator, openFirstFactorLink, turnTotpOn, usePasskey } from '#tests/support/second-factor.ts'
import { createTestApp, type TestApp, type TestRequest, type TestUser } from '#tests/support/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp({ env: { STAFF_SECOND_FACTOR: 'required' } })
})
afterAll(() => app.stop())
afterEach(() => app.deps.db.delete(rateLimits))

const code = async (response: Response) => [response.status, ((await response.json()) as { code?: string }).code]
const credentials = ({ password }: TestUser) => ({ password })
const login = (person: TestUser, init: TestRequest = {}) =>
  app.request('/api/login', { json: { email: person.email, password: person.password }, ...init })
const tokenOf = async (response: Response) => ((await response.json()) as { access_token: string }).access_token
const mails = ({ email }: TestUser, subject: string) =>
  app.mails.filter((mail) => mail.to === email && mail.subject.includes(subject))
const hasMail = (person: TestUser, subject: string, count = 1) =>
  vi.waitFor(() => expect(mails(person, subject)).toHaveLength(count), { timeout: 300_000 })
const byPassword = async (person: TestUser): Promise<TestUser> => {
  const token = await app.signIn(person.email, person.password)
  return { ...person, token, request: (path, init) => app.request(path, { token, ...init }) }
}

describe('the first factor of an account', () => {
  const start = (by: TestUser) => by.request('/api/user/totp', { json: credentials(by) })
  const options = (by: TestUser) => by.request('/api/user/passkeys/options', { json: credentials(by) })
  const open = (by: TestUser, token: string) => by.request('/api/user/second_factor/open', { json: { token } })
  const mailedLink = async (by: TestUser, nth = 1) => {
    expect((await by.request('/api/user/second_factor/link', { json: credentials(by) })).status).toBe(202)
    await hasMail(by, 'Lanjutkan mengamankan akunmu', nth)
    const link = new URL(mails(by, 'Lanjutkan mengamankan akunmu').at(-1)?.link as string)
    expect(link.pathname).toMatch(/^\/second-factor\/[\w-]{43}$/)
    return link.pathname.split('/').at(-1) as string
  }

  test('cannot be added with the password alone, neither by staff nor by users', async () => {
    for (const person of [await app.createUser(), await app.createUser({ role: 'admin' })]) {
      expect(await code(await start(person))).toEqual([403, 'second_factor.link_due'])
      expect(await code(await options(person))).toEqual([403, 'second_factor.link_due'])
    }
  })

  test('is added in the session in which the mailed link was opened, once, within the hour', async () => {
    const person = await app.createUser({ role: 'admin' })
    const [stranger, elsewhere] = [await app.createUser(), await byPassword(person)]
    const token = await mailedLink(person)
    expect(await code(await open(stranger, token))).toEqual([422, 'auth.token_invalid'])
    expect((await open(person, token)).status).toBe(204)
    expect(await code(await open(elsewhere, token))).toEqual([422, 'auth.token_invalid'])
    expect(await code(await start(elsewhere))).toEqual([403, 'second_factor.link_due'])
    expect((await start(person)).status).toBe(200)
    app.clock.advance({ minutes: 31 })
    expect(await code(await start(person))).toEqual([403, 'second_factor.link_due'])
    const late = await mailedLink(person, 2)
    app.clock.advance({ minutes: 61 })
    expect(await code(await open(person, late))).toEqual([422, 'auth.token_invalid'])
  })

  test('gets no link for the wrong password, and none once there is a factor', async () => {
    const person = await app.createUser()
    const ask = (json: object) => person.request('/api/user/second_factor/link', { json })
    expect(await code(await ask({ password: 'Salah123!' }))).toEqual([422, 'auth.wrong_password'])
    await addPasskey(app, person)
    expect(await code(await ask(credentials(person)))).toEqual([409, 'second_factor.already_on'])
  })

  test('cannot be obtained by redirecting the mail: staff change their address only with a factor', async () => {
    const admin = await app.createUser({ role: 'admin' })
    const change = (by: TestUser) =>
      by.request('/api/user/email', { json: { email: 'p@contoh.id', ...credentials(by) } })
    expect(await code(await change(admin))).toEqual([403, 'auth.second_factor_due'])
    expect((await change(await turnTotpOn(app, admin))).status).toBe(202)
  })
})

describe('an account of staff with a passkey', () => {
  test('is not opened by the password alone, which can do nothing before the passkey', async () => {
    const admin = await app.createUser({ role: 'admin' })
    const { device } = await addPasskey(app, admin)
    expect((await admin.request('/api/admin/users')).status).toBe(200)
    const response = await login(admin)
    expect(response.status).toBe(401)
    expect(await response.json()).toMatchObject({ code: 'second_factor.required', details: { factors: 'passkey' } })
    const json = { response: await usePasskey(app, device) }
    const token = await tokenOf(await app.request('/api/login_passkey', { json }))
    expect((await app.request('/api/admin/users', { token })).status).toBe(200)
  })

  test('ends the sessions that had only the password when it got the passkey', async () => {
    const admin = await app.createUser({ role: 'admin' })
    const thief = await byPassword(admin)
    await addPasskey(app, admin)
    for (const path of ['/api/user/me', '/api/user/second_factor', '/api/user/sessions', '/api/admin/users'])
      expect(await code(await thief.request(path)), path).toEqual([401, 'auth.expired'])
    const json = { currentPassword: admin.password, password: 'Kuda-Laut-Biru7!' }
    expect(await code(await thief.request('/api/user/password', { json }))).toEqual([401, 'auth.expired'])
    expect((await admin.request('/api/user/me')).status).toBe(200)
  })
})

describe('an additional factor', () => {
  test('is added by a session that verified a factor, or with a request that verifies one', async () => {
    const person = await app.createUser()
    const { device } = await addPasskey(app, person)
    const thief = await byPassword(person)
    for (const path of ['/api/user/totp', '/api/user/passkeys/options'])
      expect(await code(await thief.request(path, { json: credentials(person) })), path).toEqual([
        403,
        'second_factor.proof_due',
      ])
    const email = await thief.request('/api/user/email', {
      json: { email: 'pencuri@contoh.id', ...credentials(person) },
    })
    expect(await code(email)).toEqual([403, 'second_factor.proof_due'])
    expect((await person.request('/api/user/totp', { json: credentials(person) })).status).toBe(200)
    const shown = { ...credentials(person), passkey: await usePasskey(app, device) }
    expect((await thief.request('/api/user/totp', { json: shown })).status).toBe(200)
    expect((await thief.request('/api/user/passkeys/options', { json: credentials(person) })).status).toBe(200)
  })

  test('cannot be added with another user’s passkey', async () => {
    const [person, stranger] = [await app.createUser(), await app.createUser()]
    await addPasskey(app, person)
    const { device } = await addPasskey(app, stranger)
    const thief = await byPassword(person)
    const json = { ...credentials(person), passkey: await usePasskey(app, device) }
    expect(await code(await thief.request('/api/user/totp', { json }))).toEqual([422, 'passkey.refused'])
  })

  test('that was begun before is not finished by a session without a verified factor', async () => {
    const person = await app.createUser()
    const thief = await byPassword(person)
    await openFirstFactorLink(app, person)
    const begun = (await (await thief.request('/api/user/totp', { json: credentials(person) })).json()) as TotpView
    await addPasskey(app, person)
    const json = { code: authenticator(app, begun)() }
    expect(await code(await thief.request('/api/user/totp/confirm', { json }))).toEqual([
      403,
      'second_factor.proof_due',
    ])
  })
})

test('removing the last factor requires the factor, and closes the admin area at once', async () => {
  const admin = await turnTotpOn(app, await app.createUser({ role: 'admin' }))
  expect((await admin.request('/api/admin/users')).status).toBe(200)
  const off = (shown: object) => admin.request('/api/user/totp/off', { json: { ...credentials(admin), ...shown } })
  expect(await code(await off({}))).toEqual([403, 'second_factor.proof_due'])
  expect((await off({ code: admin.nextCode() })).status).toBe(204)
  expect(await code(await admin.request('/api/admin/users'))).toEqual([403, 'auth.second_factor_due'])
  const changed = await admin.request('/api/user/me', { method: 'PATCH', json: {} })
  expect(decodeJwt(await tokenOf(changed)).due).toBe('second_factor')
  expect(await code(await admin.request('/api/user/totp', { json: credentials(admin) }))).toEqual([
    403,
    'second_factor.link_due',
  ])
})

test('one of two factors can remove the other, and the session stays verified', async () => {
  const admin = await turnTotpOn(app, await app.createUser({ role: 'admin' }))
  const { device, response } = await addPasskey(app, admin)
  const off = { ...credentials(admin), passkey: await usePasskey(app, device) }
  expect((await admin.request('/api/user/totp/off', { json: off })).status).toBe(204)
  expect((await admin.request('/api/admin/users')).status).toBe(200)
  const [made] = ((await response.json()) as { items: PasskeyView[] }).items
  const remove = (shown: object) =>
    admin.request(`/api/user/passkeys/${made?.id}/remove`, { json: { ...credentials(admin), ...shown } })
  expect(await code(await remove({ code: admin.codes[0] }))).toEqual([422, 'second_factor.wrong_code'])
  expect(await app.deps.db.select().from(passkeys).where(eq(passkeys.userId, admin.id))).toHaveLength(1)
  expect((await remove({ passkey: await usePasskey(app, device) })).status).toBe(204)
  expect(await code(await admin.request('/api/admin/users'))).toEqual([403, 'auth.second_factor_due'])
})

describe('codes', () => {
  const challengeOf = async (person: TestUser, init: TestRequest = {}) =>
    ((await (await login(person, init)).json()) as { details: { challenge: string } }).details.challenge
  const enter = (challenge: string, text: string, init: TestRequest = {}) =>
    app.request('/api/login_code', { json: { challenge, code: text }, ...init })
  const wrong = (n: number) => (n % 2 ? `00000${n % 10}` : `aaaaa-bbbb${n % 10}`)

  test('are valid from five seconds before their period until thirty after it, and once', async () => {
    const person = await turnTotpOn(app, await app.createUser())
    const at = async (away: number) => {
      await app.deps.db.delete(rateLimits)
      // The start of an unused period.
      const rest = 60 - ((app.clock.now().getTime() / 1000) % 30)
      app.clock.advance({ seconds: rest + 1 })
      const shown = new TOTP({ secret: person.secret, period: 30 }).generate({ timestamp: app.clock.now().getTime() })
      const challenge = await challengeOf(person)
      app.clock.advance({ seconds: away })
      return (await enter(challenge, shown)).status
    }
    expect([await at(28), await at(45), await at(62), await at(-4), await at(-10)]).toEqual([200, 200, 422, 200, 422])
  })

  test('that are wrong count for the account from any network, and ten of them are mailed', async () => {
    const person = await turnTotpOn(app, await app.createUser())
    const statuses: number[] = []
    for (let n = 0; n < 24; n += 1) {
      const from = `203.0.113.${n}`
      const response = await enter(await challengeOf(person, { from }), wrong(n), { from })
      statuses.push(response.status)
      if (n === 8) expect(mails(person, 'Sepuluh kode salah')).toEqual([])
      if (n === 9) await hasMail(person, 'Sepuluh kode salah')
    }
    expect(statuses).toEqual([...Array(20).fill(422), ...Array(4).fill(429)])
    await hasMail(person, 'Sepuluh kode salah', 2)
    app.clock.advance({ hours: 1, seconds: 1 })
    const from = '198.51.100.7'
    expect((await enter(await challengeOf(person, { from }), person.nextCode(), { from })).status).toBe(200)
  })

  test('of the owner still work on a known device during an attack, and a passkey works anywhere', async () => {
    const person = await turnTotpOn(app, await app.createUser())
    const { device } = await addPasskey(app, person)
    const first = await enter(await challengeOf(person), person.nextCode())
    const cookie = first.headers.getSetCookie()[0]?.split(';')[0] as string
    for (let n = 0; n < 22; n += 1) {
      const from = `203.0.113.${n}`
      await enter(await challengeOf(person, { from }), wrong(n), { from })
    }
    const from = '198.51.100.8'
    expect((await enter(await challengeOf(person, { from }), person.nextCode(), { from })).status).toBe(429)
    const known = { headers: { cookie }, from }
    expect((await enter(await challengeOf(person, known), person.nextCode(), known)).status).toBe(200)
    const json = { response: await usePasskey(app, device) }
    expect((await app.request('/api/login_passkey', { json, from })).status).toBe(200)
  })

  test('that are right do not count against a user who signs in often', async () => {
    const person = await turnTotpOn(app, await app.createUser())
    for (let n = 0; n < 12; n += 1) {
      expect((await enter(await challengeOf(person), person.nextCode())).status).toBe(200)
    }
  })

  test('open a single session in eight simultaneous tries', async () => {
    const person = await turnTotpOn(app, await app.createUser())
    const challenges = []
    for (let n = 0; n < 8; n += 1) challenges.push(await challengeOf(person))
    const shown = person.nextCode()
    const statuses = await Promise.all(challenges.map(async (challenge) => (await enter(challenge, shown)).status))
    expect(statuses.filter((status) => status === 200)).toHaveLength(1)
  })
})
