import { eq } from 'drizzle-orm'
import { decodeJwt } from 'jose'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { PasskeyView, SecondFactorView, TotpView } from '#features/account/schemas.ts'
import { recoveryCodes } from '#features/account/server/table.ts'
import { passkeys, totpSecrets } from '#server/auth/table.ts'
import { rateLimits } from '#server/http/rate-limit-table.ts'
import { createPasskeyDevice } from '#tests/support/passkey-device.ts'
import {
  addPasskey,
  authenticator,
  openFirstFactorLink,
  passkeyOrigin,
  turnTotpOn,
  usePasskey,
} from '#tests/support/second-factor.ts'
import { createTestApp, type TestApp, type TestUser } from '#tests/support/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp({ env: { STAFF_SECOND_FACTOR: 'required' } })
})
afterAll(() => app.stop())
afterEach(() => app.deps.db.delete(rateLimits))

const code = async (response: Response) => [response.status, ((await response.json()) as { code?: string }).code]
const credentials = ({ password }: TestUser) => ({ password })
const login = (person: TestUser, given: object = {}) =>
  app.request('/api/login', { json: { email: person.email, password: person.password, ...given } })
const challengeOf = async (response: Response) => {
  expect(response.status).toBe(401)
  const { code: name, details } = (await response.json()) as { code: string; details: { challenge: string } }
  expect(name).toBe('second_factor.required')
  return details.challenge
}
const enterCode = (challenge: string, text: string) =>
  app.request('/api/login_code', { json: { challenge, code: text } })

const hasMail = ({ email }: TestUser, subject: string) =>
  vi.waitFor(
    () => expect(app.mails.filter((mail) => mail.to === email && mail.subject.includes(subject))).toHaveLength(1),
    { timeout: 300_000 },
  )

const turnOn = (person: TestUser) => turnTotpOn(app, person)

describe('an authenticator app', () => {
  test('is required after the password once its first code was verified, and not before', async () => {
    const person = await app.createUser()
    await openFirstFactorLink(app, person)
    const started = (await (await person.request('/api/user/totp', { json: credentials(person) })).json()) as TotpView
    expect(started.uri).toMatch(/^otpauth:\/\/totp\/Rupa:.+secret=/)
    expect((await login(person)).status).toBe(200)
    const wrong = await person.request('/api/user/totp/confirm', { json: { code: '000000' } })
    expect(await code(wrong)).toEqual([422, 'second_factor.wrong_code'])
    const nextCode = authenticator(app, started)
    expect((await person.request('/api/user/totp/confirm', { json: { code: nextCode() } })).status).toBe(200)
    const challenge = await challengeOf(await login(person, { remember: true }))
    const response = await enterCode(challenge, nextCode())
    expect(response.status).toBe(200)
    const claims = decodeJwt(((await response.json()) as { access_token: string }).access_token)
    expect(Number(claims.exp) - Number(claims.iat)).toBe(30 * 86_400)
    await hasMail(person, 'Verifikasi dua langkah aktif')
  })

  test('needs the password to begin, and ends every other session when it begins', async () => {
    const person = await app.createUser()
    await openFirstFactorLink(app, person)
    expect(await code(await person.request('/api/user/totp', { json: {} }))).toEqual([422, 'form.invalid'])
    const wrong = await person.request('/api/user/totp', { json: { password: 'Salah123!' } })
    expect(await code(wrong)).toEqual([422, 'auth.wrong_password'])
    const elsewhere = await app.signIn(person.email, person.password)
    const on = await turnOn(person)
    expect((await app.request('/api/user/me', { token: elsewhere })).status).toBe(401)
    expect((await on.request('/api/user/me')).status).toBe(200)
    expect(await code(await on.request('/api/user/totp', { json: credentials(person) }))).toEqual([
      409,
      'second_factor.already_on',
    ])
  })

  test('accepts each code once, with the challenge that follows the password', async () => {
    const person = await turnOn(await app.createUser())
    const shown = person.nextCode()
    const challenge = await challengeOf(await login(person))
    expect((await enterCode(challenge, shown)).status).toBe(200)
    expect(await code(await enterCode(challenge, person.nextCode()))).toEqual([401, 'second_factor.challenge_expired'])
    const second = await challengeOf(await login(person))
    expect(await code(await enterCode(second, shown))).toEqual([422, 'second_factor.wrong_code'])
    expect((await enterCode(second, person.nextCode())).status).toBe(200)
    expect(await code(await enterCode('x'.repeat(43), person.nextCode()))).toEqual([
      401,
      'second_factor.challenge_expired',
    ])
    const late = await challengeOf(await login(person))
    app.clock.advance({ minutes: 10, seconds: 1 })
    expect(await code(await enterCode(late, person.nextCode()))).toEqual([401, 'second_factor.challenge_expired'])
  })

  test('cannot be guessed: eight wrong codes are the last for a while', async () => {
    const person = await turnOn(await app.createUser())
    const challenge = await challengeOf(await login(person))
    const statuses = []
    for (let n = 0; n < 10; n += 1) statuses.push((await enterCode(challenge, `00000${n}`)).status)
    expect(statuses).toEqual([...Array(8).fill(422), 429, 429])
  })

  test('is kept sealed: the database has neither the secret nor the recovery codes', async () => {
    const person = await turnOn(await app.createUser())
    const [secret] = await app.deps.db.select().from(totpSecrets).where(eq(totpSecrets.userId, person.id))
    const codes = await app.deps.db.select().from(recoveryCodes).where(eq(recoveryCodes.userId, person.id))
    expect(secret?.secret).toMatch(/^eyJ/)
    expect(codes).toHaveLength(10)
    for (const text of person.codes) expect(JSON.stringify(codes)).not.toContain(text)
  })

  test('can be turned off with the password and a code, which is mailed', async () => {
    const person = await turnOn(await app.createUser())
    const off = (shown: object) => person.request('/api/user/totp/off', { json: { ...credentials(person), ...shown } })
    expect(await code(await off({}))).toEqual([403, 'second_factor.proof_due'])
    expect(await code(await off({ code: '000000' }))).toEqual([422, 'second_factor.wrong_code'])
    expect((await off({ code: person.nextCode() })).status).toBe(204)
    expect((await login(person)).status).toBe(200)
    await hasMail(person, 'Verifikasi dua langkah dimatikan')
    expect(await code(await off({ code: person.nextCode() }))).toEqual([409, 'second_factor.off'])
  })
})

test('each recovery code opens the account once, however it is typed; new ones replace the old', async () => {
  const person = await turnOn(await app.createUser())
  const [first = '', second = ''] = person.codes
  const challenge = await challengeOf(await login(person))
  expect((await enterCode(challenge, first.toUpperCase().replace('-', ' '))).status).toBe(200)
  const again = await challengeOf(await login(person))
  expect(await code(await enterCode(again, first))).toEqual([422, 'second_factor.wrong_code'])
  const security = (await (await person.request('/api/user/second_factor')).json()) as SecondFactorView
  expect(security).toMatchObject({ totp: true, recoveryCodesLeft: 9, required: false })
  const renewed = await person.request('/api/user/recovery_codes', { json: credentials(person) })
  const { recoveryCodes: fresh } = (await renewed.json()) as { recoveryCodes: string[] }
  expect(await code(await enterCode(again, second))).toEqual([422, 'second_factor.wrong_code'])
  expect((await enterCode(again, fresh[0] as string)).status).toBe(200)
})

test('staff who need a second factor cannot use the admin area before it is on', async () => {
  const admin = await app.createUser({ role: 'admin' })
  expect(decodeJwt(admin.token).due).toBe('second_factor')
  expect(await code(await admin.request('/api/admin/users'))).toEqual([403, 'auth.second_factor_due'])
  expect((await admin.request('/api/user/me')).status).toBe(200)
  const on = await turnOn(admin)
  expect(decodeJwt(on.token).due).toBeUndefined()
  expect((await on.request('/api/admin/users')).status).toBe(200)
  const user = await app.createUser()
  expect(decodeJwt(user.token).due).toBeUndefined()
})

describe('a passkey', () => {
  const optionsOf = async (response: Response) => (await response.json()) as { challenge: string }
  const signInOptions = async () => optionsOf(await app.request('/api/passkey_options', { method: 'POST' }))
  const signInWith = (response: object) => app.request('/api/login_passkey', { json: { response } })
  const add = (person: TestUser, device = createPasskeyDevice(passkeyOrigin)) => addPasskey(app, person, { device })

  test('opens the account of its owner, without a password or a code', async () => {
    const person = await turnOn(await app.createUser())
    const { device, response } = await add(person)
    expect(response.status).toBe(201)
    const entered = await signInWith(device.use(await signInOptions()))
    expect(entered.status).toBe(200)
    const { access_token: token } = (await entered.json()) as { access_token: string }
    expect(await (await app.request('/api/user/me', { token })).json()).toMatchObject({ id: person.id })
    const security = (await (await person.request('/api/user/second_factor')).json()) as SecondFactorView
    expect(security.passkeys).toMatchObject([{ lastUsedAt: expect.stringMatching(/Z$/) }])
  })

  test('signs a challenge of ours once, within five minutes, for our origin', async () => {
    const person = await app.createUser()
    const { device } = await add(person)
    const options = await signInOptions()
    expect((await signInWith(device.use(options))).status).toBe(200)
    expect(await code(await signInWith(device.use(options)))).toEqual([422, 'passkey.refused'])
    expect(await code(await signInWith(device.use({ challenge: 'eA' })))).toEqual([422, 'passkey.refused'])
    const late = await signInOptions()
    app.clock.advance({ minutes: 5, seconds: 1 })
    expect(await code(await signInWith(device.use(late)))).toEqual([422, 'passkey.refused'])
    const phishing = createPasskeyDevice('http://rupa.example')
    const other = await app.createUser()
    expect(await code((await add(other, phishing)).response)).toEqual([422, 'passkey.refused'])
    const unknown = createPasskeyDevice(passkeyOrigin)
    expect(await code(await signInWith(unknown.use(await signInOptions())))).toEqual([422, 'passkey.refused'])
  })

  test('requires the password, is added to the own account only, and is mailed', async () => {
    const [person, stranger] = [await app.createUser(), await app.createUser()]
    await openFirstFactorLink(app, person)
    expect(await code(await person.request('/api/user/passkeys/options', { json: {} }))).toEqual([422, 'form.invalid'])
    const options = await optionsOf(await person.request('/api/user/passkeys/options', { json: credentials(person) }))
    const response = createPasskeyDevice(passkeyOrigin).make(options)
    expect(await code(await stranger.request('/api/user/passkeys', { json: { response } }))).toEqual([
      422,
      'passkey.refused',
    ])
    await add(person)
    await hasMail(person, 'Kunci sandi baru')
  })

  test('opens nothing after it was removed, or the account disabled', async () => {
    const [person, other] = [await app.createUser(), await app.createUser()]
    const { device, response } = await add(person)
    const [made] = ((await response.json()) as { items: PasskeyView[] }).items
    const remove = (by: TestUser, shown: object) =>
      by.request(`/api/user/passkeys/${made?.id}/remove`, { json: { ...credentials(by), ...shown } })
    expect(await code(await remove(other, {}))).toEqual([404, 'passkey.not_found'])
    expect(await code(await remove(person, {}))).toEqual([403, 'second_factor.proof_due'])
    expect((await remove(person, { passkey: await usePasskey(app, device) })).status).toBe(204)
    await hasMail(person, 'Kunci sandi dihapus')
    expect(await code(await signInWith(device.use(await signInOptions())))).toEqual([422, 'passkey.refused'])
    expect(await app.deps.db.select().from(passkeys).where(eq(passkeys.userId, person.id))).toEqual([])
  })

  test('is not offered on a bare IP address, for which browsers have none', async () => {
    const bare = await createTestApp({ env: { PUBLIC_URL: 'http://127.0.0.1:3000' } })
    try {
      expect(await (await bare.request('/api/auth/providers')).json()).toMatchObject({ passkey: false })
      expect((await bare.request('/api/passkey_options', { method: 'POST' })).status).toBe(404)
    } finally {
      await bare.stop()
    }
  })
})
