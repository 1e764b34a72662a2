import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { ledgerEntries } from '#features/credits/server/table.ts'
import { accountTokens, sessions, users } from '#server/auth/table.ts'
import { createTestApp, type TestApp, testPassword } from '#tests/support/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.stop())

const newEmail = () => `${randomUUID().slice(0, 8)}@contoh.id`
const linkPath = (mail: { link?: string }) => new URL(mail.link as string).pathname
const credits = async (token: string) => {
  const response = await app.request('/api/user/myCredit', { token })
  return ((await response.json()) as { credits: number }).credits
}

describe('registering', () => {
  test('responds 201 with the specified text and mails a link that verifies, once, with welcome credits', async () => {
    const email = newEmail()
    const person = {
      name: '  Sari Dewi ',
      email: ` ${email.toUpperCase()} `,
      password: testPassword,
      agreeToTerms: true,
    }
    const response = await app.request('/api/register', { json: person })
    expect(response.status).toBe(201)
    expect(await response.json()).toEqual({ msg: 'Berhasil mendaftar, silahkan cek email untuk verifikasi' })

    const mail = await app.mailTo(email)
    expect(mail.subject).toBe('Verifikasi email kamu - Rupa')
    expect(mail.link).toMatch(/^http:\/\/localhost:3000\/api\/verify_email\/[A-Za-z0-9_-]{43}$/)
    expect(mail.text).toContain(mail.link)
    expect(mail.html).toContain(mail.link)

    const verified = await app.request(linkPath(mail))
    expect(verified.status).toBe(302)
    expect(verified.headers.get('location')).toBe('/login?verified=1')
    const token = await app.signIn(email, testPassword)
    expect(await credits(token)).toBe(25)
    const me = await (await app.request('/api/user/me', { token })).json()
    expect(me).toMatchObject({ name: 'Sari Dewi', email, role: 'user', language: 'id' })

    const again = await app.request(linkPath(mail))
    expect(again.headers.get('location')).toBe('/login?verified=1')
    expect(await credits(token)).toBe(25)
  })

  test('stores no usable token or password', async () => {
    const real = await createTestApp({ realCosts: true })
    onTestFinished(() => real.stop())
    const { email } = await real.register()
    const token = (await real.mailTo(email)).link?.split('/').at(-1)
    const stored = JSON.stringify([
      await real.deps.db.select().from(accountTokens),
      await real.deps.db.select().from(users),
    ])
    expect(stored).not.toContain(token)
    expect(stored).not.toContain(testPassword)
    expect(stored).toContain('$argon2id$v=19$m=19456,t=2,p=1$')
  })

  test('accepts a password of any length, and uses all of it', async () => {
    const person = await app.registerAndVerify({ password: `${testPassword}${'🔑 panjang '.repeat(60)}` })
    await expect(app.signIn(person.email, person.password.slice(0, 200))).rejects.toThrow('auth.invalid_credentials')
    expect((await app.request('/api/user/me', { token: person.token })).status).toBe(200)
  })

  test('a second time with another password invalidates both: the owner of the mailbox chooses a new one', async () => {
    const { email } = await app.register({ password: 'Penipu-Dulu1!' })
    await app.register({ email, password: 'Pemilik-Asli1!' })
    const [first, second] = [linkPath(await app.mailTo(email, 1)), linkPath(await app.mailTo(email, 2))]
    const verified = await app.request(first)
    const choose = /^\/reset-password\/([\w-]{43})\?verified=1$/.exec(verified.headers.get('location') ?? '')?.[1]
    for (const password of ['Penipu-Dulu1!', 'Pemilik-Asli1!']) {
      await expect(app.signIn(email, password)).rejects.toThrow('auth.invalid_credentials')
    }
    const chosen = await app.request(`/api/reset_password/${choose}`, { json: { password: testPassword } })
    expect(chosen.status).toBe(200)
    const token = await app.signIn(email, testPassword)
    expect(await credits(token)).toBe(25)
    expect((await app.request(first)).headers.get('location')).toBe('/login?verified=1')
    expect((await app.request(second)).headers.get('location')).toBe('/login?verified=1')
  })

  test('once more with the same password, also at the same moment, keeps it', async () => {
    const person = await app.register()
    await app.register(person)
    const twice = { email: newEmail(), password: testPassword }
    await Promise.all([app.register(twice), app.register(twice), app.register(twice)])
    for (const { email } of [person, twice]) {
      const verified = await app.request(linkPath(await app.mailTo(email)))
      expect(verified.headers.get('location')).toBe('/login?verified=1')
      expect(await app.canSignIn(email, testPassword)).toBe(true)
    }
  })

  test('does not reveal which addresses have an account; the address itself gets a mail', async () => {
    const known = await app.createUser()
    const bodies = []
    for (const email of [known.email, newEmail()]) {
      const json = { name: 'Budi', email, password: 'Lainnya123!', agreeToTerms: true }
      const response = await app.request('/api/register', { json })
      bodies.push([response.status, await response.text(), Object.keys(Object.fromEntries(response.headers)).sort()])
    }
    expect(bodies[0]).toEqual(bodies[1])
    const mail = await app.mailTo(known.email)
    expect(mail.subject).toBe('Kamu sudah punya akun - Rupa')
    expect(mail.link).toBe('http://localhost:3000/login')
    await expect(app.signIn(known.email, 'Lainnya123!')).rejects.toThrow('auth.invalid_credentials')
    expect(await app.canSignIn(known.email, known.password)).toBe(true)
  })

  test('mails in the user’s language', async () => {
    const email = newEmail()
    await app.request('/api/register', {
      json: { name: 'Ann', email, password: testPassword, agreeToTerms: true },
      headers: { 'accept-language': 'en' },
    })
    expect((await app.mailTo(email)).subject).toBe('Verify your email - Rupa')
  })

  test('opens one account when the same address registers many times at once', async () => {
    const email = newEmail()
    const json = { name: 'Sari', email, password: testPassword, agreeToTerms: true }
    const responses = await Promise.all(Array.from({ length: 4 }, () => app.request('/api/register', { json })))
    expect(responses.map(({ status }) => status)).toEqual([201, 201, 201, 201])
    expect(await app.deps.db.select().from(users).where(eq(users.email, email))).toHaveLength(1)
  })
})

describe('verifying', () => {
  test('grants the welcome credits once, however many links and requests race', async () => {
    const { email, password } = await app.register()
    await app.request(`/api/resend_confirmation_email?email=${email}`)
    const links = [linkPath(await app.mailTo(email, 1)), linkPath(await app.mailTo(email, 2))]
    const responses = await Promise.all([...links, ...links, ...links].map((path) => app.request(path)))
    expect(responses.every(({ headers }) => headers.get('location') === '/login?verified=1')).toBe(true)
    const token = await app.signIn(email, password)
    expect(await credits(token)).toBe(25)
    const [user] = await app.deps.db.select().from(users).where(eq(users.email, email))
    expect(await app.deps.db.select().from(ledgerEntries).where(eq(ledgerEntries.userId, user!.id))).toHaveLength(1)
  })

  test('is refused with a link that is unknown, expired or for another purpose', async () => {
    const { email } = await app.register()
    const old = linkPath(await app.mailTo(email))
    app.clock.advance({ hours: 24, seconds: 1 })
    await app.request('/api/forgot_password', { json: { email } })
    const reset = linkPath(await app.mailTo(email, 2))
      .split('/')
      .at(-1)
    for (const path of [
      old,
      `/api/verify_email/${reset}`,
      '/api/verify_email/nothing',
      `/api/verify_email/${'a'.repeat(5000)}`,
    ]) {
      const response = await app.request(path)
      expect(response.status).toBe(422)
      expect(await response.json()).toMatchObject({ code: 'auth.token_invalid' })
      const page = await app.request(path, { headers: { accept: 'text/html,*/*' } })
      expect(page.headers.get('location')).toBe('/login?verified=0')
    }
    await expect(app.signIn(email, testPassword)).rejects.toThrow('auth.email_unverified')
  })

  test('can be requested again, with the same response for every address', async () => {
    const waiting = await app.register()
    const done = await app.createUser()
    const bodies = []
    for (const email of [waiting.email, done.email, newEmail()]) {
      const response = await app.request(`/api/resend_confirmation_email?email=${encodeURIComponent(email)}`)
      bodies.push([response.status, await response.text()])
    }
    expect(bodies[0]?.[0]).toBe(200)
    expect(bodies[1]).toEqual(bodies[0])
    expect(bodies[2]).toEqual(bodies[0])
    expect((await app.mailTo(waiting.email, 2)).link).toContain('/api/verify_email/')
    expect(app.mails.filter(({ to }) => to === done.email)).toEqual([])
  })
})

describe('signing in', () => {
  test('returns a token with the user, its role, the session and its expiry: 12 hours, remembered 30 days', async () => {
    const person = await app.createUser({ role: 'designer' })
    for (const [remember, hours] of [
      [false, 12],
      [true, 720],
    ] as const) {
      const claims = decodeJwt(await app.signIn(person.email, person.password, remember)) as Record<string, unknown>
      expect(claims.sub).toEqual({ id: person.id, name: 'Sari', email: person.email, role: 'designer' })
      expect(claims.sid).toMatch(/^[0-9a-f-]{36}$/)
      expect(Number(claims.exp) - Number(claims.iat)).toBe(hours * 3600)
    }
  })

  test('requires a verified address: 403, but only with the right password', async () => {
    const { email, password } = await app.register()
    const right = await app.request('/api/login', { json: { email, password } })
    expect(right.status).toBe(403)
    expect(await right.json()).toMatchObject({ code: 'auth.email_unverified' })
    const wrong = await app.request('/api/login', { json: { email, password: 'Salah123!' } })
    expect(wrong.status).toBe(401)
  })

  test('fails in the same words for an unknown address and a wrong password', async () => {
    const { email } = await app.createUser()
    const bodies = []
    for (const address of [email, newEmail()]) {
      const response = await app.request('/api/login', { json: { email: address, password: 'Salah123!' } })
      bodies.push([response.status, await response.text()])
    }
    expect(bodies[0]).toEqual(bodies[1])
    expect(bodies[0]?.[0]).toBe(401)
  })

  test('is refused to a disabled account, at once also on open sessions', async () => {
    const person = await app.createUser()
    await app.deps.db.update(users).set({ disabledAt: new Date() }).where(eq(users.id, person.id))
    const open = await person.request('/api/user/me')
    expect([open.status, ((await open.json()) as { code: string }).code]).toEqual([403, 'auth.disabled'])
    await expect(app.signIn(person.email, person.password)).rejects.toThrow('auth.disabled')
  })

  test('a changed role counts from the next call', async () => {
    const person = await app.createUser()
    await app.deps.db.update(users).set({ role: 'admin' }).where(eq(users.id, person.id))
    expect(await (await person.request('/api/user/me')).json()).toMatchObject({ role: 'admin' })
  })
})

describe('a session', () => {
  test('ends with signing out, and no other session with it', async () => {
    const person = await app.createUser()
    const other = await app.signIn(person.email, person.password)
    expect((await person.request('/api/logout', { method: 'POST' })).status).toBe(204)
    const response = await person.request('/api/user/me')
    expect(response.status).toBe(401)
    expect(await response.json()).toMatchObject({ code: 'auth.expired' })
    expect((await app.request('/api/user/me', { token: other })).status).toBe(200)
    expect((await person.request('/api/logout', { method: 'POST' })).status).toBe(401)
  })

  test('ends when its time is over', async () => {
    const person = await app.createUser()
    const remembered = await app.signIn(person.email, person.password, true)
    app.clock.advance({ hours: 12, seconds: 1 })
    const response = await person.request('/api/user/me')
    expect([response.status, ((await response.json()) as { code: string }).code]).toEqual([401, 'auth.expired'])
    expect((await app.request('/api/user/me', { token: remembered })).status).toBe(200)
    app.clock.advance({ days: 30 })
    expect((await app.request('/api/user/me', { token: remembered })).status).toBe(401)
  })

  test('ends with its row, whatever the token claims', async () => {
    const person = await app.createUser()
    await app.deps.db.delete(sessions).where(eq(sessions.userId, person.id))
    expect((await person.request('/api/user/me')).status).toBe(401)
  })
})

describe('a forgotten password', () => {
  test('is replaced with the mailed link; every session and every other link ends, and a notice is sent', async () => {
    const person = await app.createUser()
    const response = await app.request('/api/forgot_password', { json: { email: person.email } })
    expect(await response.json()).toEqual({ msg: 'Berhasil mengirim email reset password' })
    await app.request('/api/forgot_password', { json: { email: person.email } })
    const first = linkPath(await app.mailTo(person.email))
    const second = linkPath(await app.mailTo(person.email, 2))
    expect(first).toMatch(/^\/reset-password\/[A-Za-z0-9_-]{43}$/)

    const password = 'Baru12345!'
    const json = { password, confirmPassword: password }
    const reset = await app.request(`/api/reset_password/${first.split('/').at(-1)}`, { json })
    expect(reset.status).toBe(200)
    expect((await person.request('/api/user/me')).status).toBe(401)
    for (const path of [first, second]) {
      const used = await app.request(`/api/reset_password/${path.split('/').at(-1)}`, { json })
      expect([used.status, ((await used.json()) as { code: string }).code]).toEqual([422, 'auth.token_invalid'])
    }
    expect((await app.mailTo(person.email, 3)).subject).toBe('Kata sandi kamu sudah diganti - Rupa')
    await expect(app.signIn(person.email, person.password)).rejects.toThrow('auth.invalid_credentials')
    expect(await app.canSignIn(person.email, password)).toBe(true)
  })

  test('has the same response for every address and mails only those with an account', async () => {
    const { email } = await app.createUser()
    const unknown = newEmail()
    const bodies = []
    for (const address of [email, unknown]) {
      const response = await app.request('/api/forgot_password', { json: { email: address } })
      bodies.push([response.status, await response.text()])
    }
    expect(bodies[0]).toEqual(bodies[1])
    await app.mailTo(email)
    expect(app.mails.filter(({ to }) => to === unknown)).toHaveLength(0)
  })

  test('keeps its link for 60 minutes', async () => {
    const { email } = await app.createUser()
    await app.request('/api/forgot_password', { json: { email } })
    const token = linkPath(await app.mailTo(email))
      .split('/')
      .at(-1)
    app.clock.advance({ minutes: 60, seconds: 1 })
    const late = await app.request(`/api/reset_password/${token}`, { json: { password: 'Baru12345!' } })
    expect(late.status).toBe(422)
  })

  test('verifies a pending address, because the link was mailed there', async () => {
    const { email } = await app.register()
    await app.mailTo(email)
    await app.request('/api/forgot_password', { json: { email } })
    const token = linkPath(await app.mailTo(email, 2))
      .split('/')
      .at(-1)
    await app.request(`/api/reset_password/${token}`, { json: { password: 'Baru12345!' } })
    expect(await credits(await app.signIn(email, 'Baru12345!'))).toBe(25)
  })

  test('needs two passwords that match and keep the rules', async () => {
    const different = await app.request('/api/reset_password/x', {
      json: { password: 'Baru12345!', confirmPassword: 'Lain12345!' },
    })
    expect(await different.json()).toMatchObject({ details: { confirmPassword: 'resetPassword.passwordsMustMatch' } })
    const missing = await app.request('/api/reset_password/x', {
      json: { password: 'Baru12345!', confirmPassword: '' },
    })
    expect(await missing.json()).toMatchObject({
      details: { confirmPassword: 'resetPassword.confirmPasswordRequired' },
    })
    const weak = await app.request('/api/reset_password/x', { json: { password: 'lemah' } })
    expect(await weak.json()).toMatchObject({ details: { password: 'password.minLength' } })
  })
})

test('a user chooses the language of mails', async () => {
  const person = await app.createUser()
  const response = await person.request('/api/user/me', { method: 'PATCH', json: { language: 'en' } })
  expect(await response.json()).toMatchObject({ id: person.id, language: 'en' })
  await app.request('/api/forgot_password', { json: { email: person.email } })
  expect((await app.mailTo(person.email)).subject).toBe('Change your password - Rupa')
  const wrong = await person.request('/api/user/me', { method: 'PATCH', json: { language: 'fr' } })
  expect(wrong.status).toBe(422)
})
