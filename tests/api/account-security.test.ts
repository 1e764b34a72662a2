import { and, eq } from 'drizzle-orm'
import { decodeJwt } from 'jose'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { deleteUnverified } from '#features/account/server/registration/register.ts'
import { ensureFirstAdmin } from '#features/account/server/staff/operator.ts'
import type { SecurityEventView } from '#features/audit/schemas.ts'
import { securityEvents } from '#server/audit/table.ts'
import { issueAccessToken } from '#server/auth/sessions.ts'
import { sessions, users } from '#server/auth/table.ts'
import { rateLimits } from '#server/http/rate-limit-table.ts'
import type { Page } from '#shared/paging.ts'
import { createTestApp, type TestApp, type TestUser } from '#tests/support/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.stop())
afterEach(() => app.deps.db.delete(rateLimits))

const code = async (response: Response) => [response.status, ((await response.json()) as { code?: string }).code]

describe('a common password', () => {
  test.each(['P@ssw0rd', 'Password1!', 'Qwerty123!', 'Rahasia1!', 'Indonesia1!', 'Iloveyou1!'])(
    'is refused by the server although it keeps the rules: %s',
    async (password) => {
      const json = { name: 'Sari', email: 'umum@contoh.id', password, agreeToTerms: true }
      const response = await app.request('/api/register', { json, headers: { 'accept-language': 'en' } })
      expect(response.status).toBe(422)
      expect(await response.json()).toEqual({
        code: 'form.invalid',
        msg: 'This password is too easy to guess. Please choose another one.',
        details: { password: 'password.common' },
      })
    },
  )

  test('is refused for changes and resets too, as is a password made of the user’s own name', async () => {
    const person = await app.registerAndVerify({ name: 'Wirasatya' })
    const change = (password: string) =>
      person.request('/api/user/password', { json: { currentPassword: person.password, password } })
    expect(await (await change('Qwerty123!')).json()).toMatchObject({ details: { password: 'password.common' } })
    expect(await (await change('Wirasatya1!')).json()).toMatchObject({ details: { password: 'password.common' } })
    await app.request('/api/forgot_password', { json: { email: person.email } })
    const token = (await app.mailTo(person.email, 2)).link?.split('/').at(-1)
    const reset = (password: string) => app.request(`/api/reset_password/${token}`, { json: { password } })
    expect(await (await reset('Password1!')).json()).toMatchObject({ details: { password: 'password.common' } })
    expect((await reset('Kuda-Laut-Biru7!')).status).toBe(200)
  })
})

test('a single process of those that start together creates the first admin, whose generated password must be changed first', async () => {
  const fresh = await createTestApp()
  try {
    const { deps } = fresh.composition
    const starts = [ensureFirstAdmin(deps), ensureFirstAdmin(deps)]
    const [made, ...others] = (await Promise.all(starts)).filter((admin) => admin !== undefined)
    expect([...others, ...fresh.logged.filter(({ level }) => level === 'warn')]).toEqual([])
    const token = await fresh.signIn(made?.email as string, made?.password as string)
    expect(decodeJwt(token).due).toBe('password')
    const as = (path: string, init = {}) => fresh.request(path, { token, ...init })
    for (const path of ['/api/admin/users', '/api/user/myCredit', '/api/user/sessions', '/api/generations']) {
      expect(await code(await as(path)), path).toEqual([403, 'auth.password_change_due'])
    }
    expect((await as('/api/user/me')).status).toBe(200)
    const change = (password: string) =>
      as('/api/user/password', { json: { currentPassword: made?.password, password } })
    expect(await (await change(made?.password as string)).json()).toMatchObject({
      details: { password: 'password.unchanged' },
    })
    const { access_token: next } = (await (await change('Kuda-Laut-Biru7!')).json()) as { access_token: string }
    expect(decodeJwt(next).due).toBeUndefined()
    expect((await fresh.request('/api/admin/users', { token: next })).status).toBe(200)
  } finally {
    await fresh.stop()
  }
})

test('sessions of staff end after two hours without a call, those of users do not', async () => {
  const [admin, user] = [await app.createUser({ role: 'admin' }), await app.createUser()]
  for (let count = 0; count < 3; count += 1) {
    app.clock.advance({ hours: 1, minutes: 50 })
    expect((await admin.request('/api/user/me')).status).toBe(200)
  }
  app.clock.advance({ hours: 2, minutes: 1 })
  expect(await code(await admin.request('/api/user/me'))).toEqual([401, 'auth.expired'])
  expect((await user.request('/api/user/me')).status).toBe(200)
})

test('sessions of users end after ninety days without a call, or after the configured number', async () => {
  const afterAbsence = async (absence: number, env: Record<string, string>) => {
    const own = await createTestApp({ env })
    try {
      const { request: _, subscribe: __, ...person } = await own.createUser()
      const expiresAt = new Date(own.clock.now().getTime() + 400 * 86_400_000)
      await own.deps.db.update(sessions).set({ expiresAt }).where(eq(sessions.userId, person.id))
      const token = await issueAccessToken(own.config, {
        id: decodeJwt(person.token).sid as string,
        user: { ...person, role: 'user' },
        due: undefined,
        createdAt: own.clock.now(),
        expiresAt,
      })
      const status = async () => (await own.request('/api/user/me', { token })).status
      own.clock.advance({ days: absence - 1 })
      expect(await status()).toBe(200)
      own.clock.advance({ days: absence - 1 })
      expect(await status()).toBe(200)
      own.clock.advance({ days: absence, minutes: 1 })
      return await status()
    } finally {
      await own.stop()
    }
  }
  expect([await afterAbsence(90, {}), await afterAbsence(3, { SESSION_IDLE_DAYS: '3' })]).toEqual([401, 401])
})

test('an address not verified within a week is free again, with its account and its mails gone', async () => {
  const { email } = await app.register()
  const link = new URL((await app.mailTo(email)).link as string).pathname
  const [kept, appointed] = [await app.createUser(), await app.register()]
  await app.deps.db.update(users).set({ role: 'designer' }).where(eq(users.email, appointed.email))
  app.clock.advance({ days: 6, hours: 23 })
  await deleteUnverified(app.deps)
  const count = async (address: string) =>
    (await app.deps.db.select().from(users).where(eq(users.email, address))).length
  expect(await count(email)).toBe(1)
  app.clock.advance({ hours: 2 })
  await deleteUnverified(app.deps)
  expect([await count(email), await count(kept.email), await count(appointed.email)]).toEqual([0, 1, 1])
  expect((await app.request(link)).status).toBe(422)
  await app.register({ email })
  expect(await count(email)).toBe(1)
})

describe('the security log', () => {
  let admin: TestUser
  beforeAll(async () => {
    admin = await app.createUser({ role: 'admin' })
  })
  const read = async (query: string) =>
    ((await (await admin.request(`/api/admin/security_events?${query}`)).json()) as Page<SecurityEventView>).items

  test('records sign-ins and refusals with account, session and network, and no typed text', async () => {
    const person = await app.registerAndVerify()
    const json = { email: person.email, password: 'Salah-Rahasia9!' }
    await app.request('/api/login', { json, from: '203.0.113.77' })
    await app.request('/api/login', { json: { ...json, email: 'tidakada@contoh.id' }, from: '2001:db8:1:2::3' })
    const events = await read(`user=${person.id}`)
    expect(events).toMatchObject([
      { kind: 'sign_in_failed', addressClass: '203.0.113.0/24', detail: 'auth.invalid_credentials', sessionId: null },
      { kind: 'sign_in', addressClass: 'local', detail: 'password', sessionId: decodeJwt(person.token).sid },
    ])
    const [unknown] = await read('kind=sign_in_failed&limit=1')
    expect(unknown).toMatchObject({ userId: null, addressClass: '2001:db8:1::/48' })
    expect(JSON.stringify(await app.deps.db.select().from(securityEvents))).not.toMatch(/contoh\.id|Salah-Rahasia/)
  })

  test('records refused permissions and changes by staff, and is flooded by neither', async () => {
    const person = await app.createUser()
    for (let count = 0; count < 40; count += 1) await person.request('/api/admin/users')
    const refused = await app.deps.db
      .select()
      .from(securityEvents)
      .where(and(eq(securityEvents.userId, person.id), eq(securityEvents.kind, 'role_refused')))
    expect(refused).toHaveLength(30)
    expect(refused[0]?.detail).toBe('GET /api/admin/users')
    const json = { role: 'designer', reason: 'joins' }
    await admin.request(`/api/admin/users/${person.id}`, { method: 'PATCH', json })
    expect(await read(`kind=staff_action&user=${admin.id}&limit=1`)).toMatchObject([
      { detail: 'PATCH /api/admin/users/:id' },
    ])
    expect((await person.request('/api/admin/security_events')).status).toBe(401)
  })

  test('records failed re-authentications, resets, changes of the address and archives', async () => {
    const person = await app.registerAndVerify()
    const wrong = { password: 'Salah-Rahasia9!' }
    await person.request('/api/user/email', { json: { email: 'x@contoh.id', ...wrong } })
    await person.request('/api/user/sessions/end_others', { json: wrong })
    await person.request('/api/user/delete', { json: wrong })
    await person.request('/api/user/export', { method: 'POST' })
    const email = `baru-${person.email}`
    await person.request('/api/user/email', { json: { email, password: person.password } })
    await app.request(new URL((await app.mailTo(email)).link as string).pathname)
    await app.request('/api/forgot_password', { json: { email } })
    const link = (await app.mailTo(email, /reset-password/)).link as string
    const json = { password: 'Kuda-Laut-Biru7!' }
    await app.request(`/api/reset_password/${link.split('/').at(-1)}`, { json, from: '203.0.113.9' })
    const events = await read(`user=${person.id}`)
    expect(events.map(({ kind, detail }) => [kind, detail])).toEqual([
      ['password_reset', null],
      ['email_changed', null],
      ['email_change_requested', null],
      ['data_exported', null],
      ...Array(3).fill(['proof_failed', 'auth.wrong_password']),
      ['sign_in', 'password'],
    ])
    expect(events[0]).toMatchObject({ addressClass: '203.0.113.0/24', sessionId: null })
    expect(JSON.stringify(await app.deps.db.select().from(securityEvents))).not.toMatch(/contoh\.id|Salah-Rahasia/)
  })

  test('records accounts read by staff, once an hour, and saved files, until that user leaves', async () => {
    const person = await app.createUser()
    const reader = await app.createUser({ role: 'admin' })
    for (const path of ['', '/summary', '']) await reader.request(`/api/admin/users/${person.id}${path}`)
    await reader.request('/api/admin/users?limit=1')
    await reader.request('/api/admin/users', { headers: { accept: 'text/csv' } })
    expect((await read(`user=${reader.id}`)).map(({ kind, detail }) => [kind, detail])).toEqual([
      ['staff_export', 'GET /api/admin/users'],
      ['account_read', 'GET /api/admin/users'],
      ['account_read', person.id],
    ])
    app.clock.advance({ hours: 1, minutes: 1 })
    await reader.request(`/api/admin/users/${person.id}`)
    expect(await read(`user=${reader.id}&kind=account_read`)).toHaveLength(3)
    await person.request('/api/user/delete', { json: { password: person.password } })
    expect((await read(`user=${reader.id}&kind=account_read`)).filter(({ detail }) => detail === person.id)).toEqual([])
  })

  test('removes the user from its entries when they leave', async () => {
    const person = await app.createUser()
    await person.request('/api/user/delete', { json: { password: person.password } })
    expect(await read(`user=${person.id}`)).toEqual([])
  })
})

test('guesses beyond the limit write nothing', async () => {
  const guess = () => app.request('/api/login', { json: { email: 'batas@contoh.id', password: 'Salah123!' } })
  for (let count = 0; count < 10; count += 1) expect((await guess()).status).toBe(401)
  const written = async () => ({
    limits: await app.deps.db.select().from(rateLimits),
    events: (await app.deps.db.select().from(securityEvents)).length,
  })
  const before = await written()
  for (let count = 0; count < 5; count += 1) expect((await guess()).status).toBe(429)
  expect(await written()).toEqual(before)
})

test('on https only this host can set the device’s cookie', async () => {
  const secure = await createTestApp({ env: { PUBLIC_URL: 'https://rupa.contoh.id' } })
  try {
    const person = await secure.register()
    const mail = await secure.mailTo(person.email)
    await secure.request(new URL(mail.link as string).pathname)
    const json = { email: person.email, password: person.password }
    const response = await secure.request('/api/login', { json })
    const [cookie = ''] = response.headers.getSetCookie()
    expect(cookie).toMatch(/^__Host-device=[\w-]{43};/)
    expect(cookie).toMatch(/; Secure/)
    expect(cookie).toMatch(/; Path=\/(;|$)/)
  } finally {
    await secure.stop()
  }
})
