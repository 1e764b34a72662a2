import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { decodeJwt } from 'jose'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { AdminUserDetail } from '#features/account/admin/schemas.ts'
import { knownDevices } from '#features/account/server/table.ts'
import { sessions } from '#server/auth/table.ts'
import { rateLimits } from '#server/http/rate-limit-table.ts'
import { mailOutbox } from '#server/mail/table.ts'
import { createTestApp, type TestApp, type TestUser } from '#tests/support/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.stop())
afterEach(() => app.deps.db.delete(rateLimits))

const newEmail = () => `${randomUUID().slice(0, 8)}@contoh.id`
const code = async (response: Response) => [response.status, ((await response.json()) as { code?: string }).code]
const json = async <Body = Record<string, unknown>>(response: Response) => (await response.json()) as Body
const linkOf = (mail: { link?: string }) => new URL(mail.link as string).pathname
const isAlive = async (token: string) => (await app.request('/api/user/me', { token })).status === 200
const iPhone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1'

/** With the browser's cookie, if any. */
async function signInOn(
  person: Pick<TestUser, 'email' | 'password'>,
  cookie?: string,
  userAgent = iPhone,
  from?: string,
) {
  const response = await app.request('/api/login', {
    json: { email: person.email, password: person.password },
    headers: { 'user-agent': userAgent, ...(cookie && { cookie }) },
    from,
  })
  const set = response.headers.getSetCookie()[0] ?? ''
  const { access_token: token = '' } = await json<{ access_token?: string }>(response)
  return { status: response.status, token, set, cookie: set.split(';')[0] ?? '' }
}

describe('the profile', () => {
  test('changes name, language and theme, one or all, and returns a token with them', async () => {
    const person = await app.createUser()
    const theme = { mode: 'dark', primary: 'nila', neutral: 'kabut' }
    const response = await person.request('/api/user/me', {
      method: 'PATCH',
      json: { name: '  Sari Ayu ', language: 'en', theme },
    })
    const changed = await json<{ access_token: string }>(response)
    expect(changed).toMatchObject({ name: 'Sari Ayu', language: 'en', theme, hasPassword: true, providers: [] })
    const [before, after] = [decodeJwt(person.token), decodeJwt(changed.access_token)]
    expect(after.sub).toMatchObject({ id: person.id, name: 'Sari Ayu' })
    expect([after.sid, after.exp]).toEqual([before.sid, before.exp])
    expect(await isAlive(changed.access_token)).toBe(true)
    await person.request('/api/user/me', { method: 'PATCH', json: { theme: null } })
    expect(await json(await person.request('/api/user/me'))).toMatchObject({
      name: 'Sari Ayu',
      language: 'en',
      theme: null,
    })
  })

  test.each<[string, unknown]>([
    ['no name', { name: '   ' }],
    ['an endless name', { name: 'x'.repeat(101) }],
    ['a name that is no text', { name: 7 }],
    ['an unknown mode', { theme: { mode: 'pink', primary: 'nila', neutral: 'kabut' } }],
    ['half a theme', { theme: { mode: 'dark' } }],
    ['a colour that is a sentence', { theme: { mode: 'dark', primary: 'red;} body{', neutral: 'kabut' } }],
  ])('refuses %s', async (_name, change) => {
    const person = await app.createUser()
    expect(await code(await person.request('/api/user/me', { method: 'PATCH', json: change }))).toEqual([
      422,
      'form.invalid',
    ])
    expect(await json(await person.request('/api/user/me'))).toMatchObject({ name: 'Sari', theme: null })
  })
})

describe('sessions', () => {
  test('are listed with their device, the current one marked, without those of other users', async () => {
    const person = await app.createUser()
    await app.createUser()
    const phone = await signInOn(person)
    const { items } = await json<{ items: Record<string, unknown>[] }>(
      await app.request('/api/user/sessions', { token: phone.token }),
    )
    expect(items).toHaveLength(2)
    expect(items.map(({ current, device }) => [current, device])).toContainEqual([true, 'Safari, iOS'])
    expect(items.map(({ current, device }) => [current, device])).toContainEqual([false, null])
    expect(items.find(({ current }) => current)?.id).toBe(decodeJwt(phone.token).sid)
  })

  test('end one by one; those of other users, ended and malformed ones are not found', async () => {
    const [person, other] = [await app.createUser(), await app.createUser()]
    const phone = await signInOn(person)
    const { sid } = decodeJwt(phone.token)
    const end = (by: TestUser, id: unknown, password = by.password) =>
      by.request(`/api/user/sessions/${id}/end`, { json: { password } })
    expect(await code(await end(other, sid))).toEqual([404, 'session.not_found'])
    expect(await code(await end(person, sid, 'Salah123!'))).toEqual([422, 'auth.wrong_password'])
    expect(await isAlive(phone.token)).toBe(true)
    expect((await end(person, sid)).status).toBe(204)
    // The device must delete its data.
    expect(await code(await app.request('/api/user/me', { token: phone.token }))).toEqual([401, 'auth.signed_out'])
    expect(await isAlive(phone.token)).toBe(false)
    expect(await isAlive(person.token)).toBe(true)
    for (const id of [sid, randomUUID(), "x'--"]) {
      expect((await end(person, id)).status).toBe(404)
    }
  })

  test('end everywhere else at once; the requesting one continues under a new token of the same length', async () => {
    const person = await app.createUser()
    const phone = await signInOn(person)
    const remembered = await app.signIn(person.email, person.password, true)
    const end = (json: object) => app.request('/api/user/sessions/end_others', { json, token: remembered })
    expect(await code(await end({}))).toEqual([422, 'form.invalid'])
    const response = await end({ password: person.password })
    const { access_token: fresh } = await json<{ access_token: string }>(response)
    for (const token of [person.token, phone.token, remembered]) expect(await isAlive(token)).toBe(false)
    expect(await isAlive(fresh)).toBe(true)
    const claims = decodeJwt(fresh)
    expect(Number(claims.exp) - Number(claims.iat)).toBe(30 * 86_400)
  })

  test('record their last use to within five minutes, without a write for each call', async () => {
    const person = await app.createUser()
    const seen = async () => {
      const [row] = await app.deps.db.select().from(sessions).where(eq(sessions.userId, person.id))
      return row?.lastSeenAt?.getTime() ?? 0
    }
    const first = await seen()
    app.clock.advance({ minutes: 4 })
    await person.request('/api/user/me')
    expect(await seen()).toBe(first)
    app.clock.advance({ minutes: 2 })
    await person.request('/api/user/me')
    expect(await seen()).toBeGreaterThanOrEqual(first + 6 * 60_000)
  })

  test('all end when an admin changes the role or disables the account; users sign in again afterwards', async () => {
    const person = await app.createUser()
    const admin = await app.createUser({ role: 'admin' })
    const change = (json: object) =>
      admin.request(`/api/admin/users/${person.id}`, { method: 'PATCH', json: { reason: 'agreed', ...json } })
    expect((await change({ role: 'designer' })).status).toBe(200)
    expect(await code(await person.request('/api/user/me'))).toEqual([401, 'auth.expired'])
    const token = await app.signIn(person.email, person.password)
    expect(decodeJwt(token).sub).toMatchObject({ role: 'designer' })
    expect((await change({ disabled: true })).status).toBe(200)
    expect(await isAlive(token)).toBe(false)
    await expect(app.signIn(person.email, person.password)).rejects.toThrow('auth.disabled')
    expect((await change({ disabled: false })).status).toBe(200)
    expect(await app.canSignIn(person.email, person.password)).toBe(true)
    const { changes } = (await (await change({ disabled: false })).json()) as AdminUserDetail
    expect(changes.map(({ adminId, after, reason }) => [adminId, after.role, after.disabled, reason])).toEqual([
      [admin.id, 'designer', false, 'agreed'],
      [admin.id, 'designer', true, 'agreed'],
      [admin.id, 'designer', false, 'agreed'],
    ])
  })
})

describe('a new password', () => {
  const change = (person: TestUser, given: Record<string, unknown>) =>
    person.request('/api/user/password', { json: given })

  test('needs the current one; every other session and reset link ends, and a notice is sent', async () => {
    const person = await app.registerAndVerify()
    const phone = await signInOn(person)
    await app.mailTo(person.email, 2)
    await app.request('/api/forgot_password', { json: { email: person.email } })
    const reset = linkOf(await app.mailTo(person.email, 3))
      .split('/')
      .at(-1)
    const response = await change(person, { currentPassword: person.password, password: 'Baru12345!' })
    const { access_token: fresh } = await json<{ access_token: string }>(response)
    expect(await isAlive(fresh)).toBe(true)
    expect([await isAlive(person.token), await isAlive(phone.token)]).toEqual([false, false])
    const used = await app.request(`/api/reset_password/${reset}`, { json: { password: 'Lain12345!' } })
    expect(used.status).toBe(422)
    expect((await app.mailTo(person.email, 4)).subject).toBe('Kata sandi kamu sudah diganti - Rupa')
    await expect(app.signIn(person.email, person.password)).rejects.toThrow('auth.invalid_credentials')
    expect(await app.canSignIn(person.email, 'Baru12345!')).toBe(true)
  })

  test('is refused without the current one, with a wrong one, and when it breaks the rules', async () => {
    const person = await app.createUser()
    expect(await code(await change(person, { password: 'Baru12345!' }))).toEqual([422, 'form.invalid'])
    expect(await code(await change(person, { currentPassword: 'Salah123!', password: 'Baru12345!' }))).toEqual([
      422,
      'auth.wrong_password',
    ])
    expect(await code(await change(person, { confirmation: 'x'.repeat(43), password: 'Baru12345!' }))).toEqual([
      422,
      'auth.confirmation_invalid',
    ])
    const weak = await change(person, { currentPassword: person.password, password: 'lemah' })
    expect(await json(weak)).toMatchObject({ details: { password: 'password.minLength' } })
    expect(await isAlive(person.token)).toBe(true)
    expect(await app.canSignIn(person.email, person.password)).toBe(true)
  })

  test('cannot be guessed with a stolen token', async () => {
    const person = await app.createUser()
    const statuses = []
    for (let count = 0; count < 11; count += 1) {
      statuses.push((await change(person, { currentPassword: `Salah${count}!`, password: 'Baru12345!' })).status)
    }
    expect(statuses).toEqual([...Array(10).fill(422), 429])
  })

  test('is one of two that are set at the same time', async () => {
    const person = await app.createUser()
    const both = ['Pertama1!', 'Kedua123!']
    const responses = await Promise.all(
      both.map((password) => change(person, { currentPassword: person.password, password })),
    )
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(1)
    const kept = both[responses.findIndex(({ status }) => status === 200)] as string
    expect(await app.canSignIn(person.email, kept)).toBe(true)
  })
})

describe('another e-mail address', () => {
  const ask = (person: TestUser, given: Record<string, unknown>) => person.request('/api/user/email', { json: given })

  test('takes effect when the link in its mail is opened; the old address is notified twice, and its links stop working', async () => {
    const person = await app.registerAndVerify()
    const email = newEmail()
    expect((await ask(person, { email: email.toUpperCase(), password: person.password })).status).toBe(202)
    const link = linkOf(await app.mailTo(email))
    expect((await app.mailTo(person.email, 2)).subject).toBe('Permintaan mengganti email akunmu - Rupa')
    expect(await json(await person.request('/api/user/me'))).toMatchObject({ email: person.email })
    await app.request('/api/forgot_password', { json: { email: person.email } })
    const reset = linkOf(await app.mailTo(person.email, 3))
      .split('/')
      .at(-1)

    expect((await app.request(link)).headers.get('location')).toBe('/profile?email=1')
    expect(await json(await person.request('/api/user/me'))).toMatchObject({ email })
    const notice = await app.mailTo(person.email, 4)
    expect(notice.subject).toBe('Email akunmu sudah diganti - Rupa')
    expect(notice.text).not.toContain(email)
    expect((await app.request(`/api/reset_password/${reset}`, { json: { password: 'Lain12345!' } })).status).toBe(422)
    expect(await app.canSignIn(email, person.password)).toBe(true)
    await expect(app.signIn(person.email, person.password)).rejects.toThrow('auth.invalid_credentials')
    expect((await app.request(link)).headers.get('location')).toBe('/profile?email=1')
    expect(app.mails.filter(({ to }) => to === person.email)).toHaveLength(4)

    const later = newEmail()
    await ask(person, { email: later, password: person.password })
    await app.request(linkOf(await app.mailTo(later)))
    const page = await app.request(link, { headers: { accept: 'text/html' } })
    expect(page.headers.get('location')).toBe('/profile?email=0')
    expect(await code(await app.request(link))).toEqual([422, 'auth.token_invalid'])
  })

  test('that an intruder requested has no effect once the owner has set a new password', async () => {
    for (const way of ['reset', 'change'] as const) {
      const person = await app.createUser()
      const email = newEmail()
      await ask(person, { email, password: person.password })
      const link = linkOf(await app.mailTo(email))
      const [owed] = await app.deps.db
        .insert(mailOutbox)
        .values({
          id: randomUUID(),
          template: 'verify_new_email',
          userId: person.id,
          recipient: email,
          createdAt: new Date(),
        })
        .returning()
      if (way === 'change') {
        const json = { currentPassword: person.password, password: 'Milikku-1!' }
        await person.request('/api/user/password', { json })
      } else {
        await app.request('/api/forgot_password', { json: { email: person.email } })
        const token = linkOf(await app.mailTo(person.email, /\/reset-password\//))
          .split('/')
          .at(-1)
        await app.request(`/api/reset_password/${token}`, { json: { password: 'Milikku-1!' } })
      }
      expect(await code(await app.request(link)), way).toEqual([422, 'auth.token_invalid'])
      const left = await app.deps.db.select().from(mailOutbox).where(eq(mailOutbox.id, owed!.id))
      expect(left, way).toEqual([])
    }
  })

  test('requires the password, and a different address', async () => {
    const person = await app.createUser()
    expect(await code(await ask(person, { email: newEmail() }))).toEqual([422, 'form.invalid'])
    expect(await code(await ask(person, { email: newEmail(), password: 'Salah123!' }))).toEqual([
      422,
      'auth.wrong_password',
    ])
    expect(await code(await ask(person, { email: person.email, password: person.password }))).toEqual([
      422,
      'account.email_unchanged',
    ])
    expect(await code(await ask(person, { email: 'bukan email', password: person.password }))).toEqual([
      422,
      'form.invalid',
    ])
  })

  test('does not reveal if it has an account; its owner gets a mail', async () => {
    const [person, other] = [await app.createUser(), await app.createUser()]
    const responses = []
    for (const email of [other.email, newEmail()]) {
      const response = await ask(person, { email, password: person.password })
      responses.push([response.status, await response.text()])
    }
    expect(responses[0]).toEqual(responses[1])
    expect((await app.mailTo(other.email)).subject).toBe('Kamu sudah punya akun - Rupa')
  })

  test('goes to the first of two accounts that request it', async () => {
    const [person, other] = [await app.createUser(), await app.createUser()]
    const email = newEmail()
    for (const one of [person, other]) await ask(one, { email, password: one.password })
    const links = [linkOf(await app.mailTo(email, 1)), linkOf(await app.mailTo(email, 2))]
    expect((await app.request(links[1] as string)).headers.get('location')).toBe('/profile?email=1')
    expect(await code(await app.request(links[0] as string))).toEqual([422, 'auth.token_invalid'])
  })
})

describe('a device', () => {
  test('is identified by an HttpOnly cookie; a sign-in from a new one is notified by mail, naming it', async () => {
    const person = await app.registerAndVerify()
    await app.deps.db.delete(knownDevices).where(eq(knownDevices.userId, person.id))
    const first = await signInOn(person)
    expect(first.set).toMatch(/^device=[A-Za-z0-9_-]{43}; Max-Age=31536000; Path=\/; HttpOnly; SameSite=Lax$/)
    const again = await signInOn(person, first.cookie)
    expect(again.cookie).toBe(first.cookie)
    await signInOn(person)
    const mail = await app.mailTo(person.email, 2)
    expect(mail.subject).toBe('Ada yang masuk dari perangkat baru - Rupa')
    expect(mail.text).toContain('Safari, iOS')
    expect(mail.text).toMatch(/\d{2}\.\d{2} WIB/)
    expect(app.mails.filter(({ to }) => to === person.email)).toHaveLength(2)
    const kept = JSON.stringify(await app.deps.db.select().from(knownDevices))
    expect(kept).not.toContain(first.cookie.slice('device='.length))
  })

  test('that is known is not locked out by guesses from elsewhere, and gets no more guesses from them', async () => {
    const person = await app.createUser()
    const home = await signInOn(person)
    const wrong = { email: person.email, password: 'Salah123!' }
    for (let count = 0; count < 60; count += 1) await signInOn(wrong, undefined, '', `203.0.113.${count}`)
    expect((await signInOn(person, undefined, '', '198.51.100.1')).status).toBe(429)
    expect((await signInOn(person, home.cookie, '', '198.51.100.1')).status).toBe(200)
    expect((await signInOn(person, 'device=forged', '', '198.51.100.2')).status).toBe(429)
    const statuses = []
    for (let count = 0; count < 11; count += 1)
      statuses.push((await signInOn(wrong, home.cookie, '', `192.0.2.${count}`)).status)
    expect(statuses).toEqual([...Array(10).fill(401), 429])
  })

  test('is only known to accounts that signed in on it', async () => {
    const [person, other] = [await app.createUser(), await app.createUser()]
    const { cookie } = await signInOn(other)
    const wrong = { email: person.email, password: 'Salah123!' }
    for (let count = 0; count < 60; count += 1) await signInOn(wrong, undefined, '', `203.0.113.${count}`)
    expect((await signInOn(person, cookie, '', '198.51.100.1')).status).toBe(429)
  })
})
