import { and, eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import type { AdminUserDetail } from '#features/account/admin/schemas.ts'
import type { PasskeyView, ResetFactors, SecondFactorView } from '#features/account/schemas.ts'
import { removeDueFactors } from '#features/account/server/second-factor/factor-removal.ts'
import { recoveryCodes } from '#features/account/server/table.ts'
import { securityEvents } from '#server/audit/table.ts'
import { rateLimits } from '#server/http/rate-limit-table.ts'
import { mailOutbox } from '#server/mail/table.ts'
import { addPasskey, turnTotpOn, usePasskey } from '#tests/support/second-factor.ts'
import { createTestApp, type TestApp, type TestUser } from '#tests/support/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp({ env: { STAFF_SECOND_FACTOR: 'required' } })
})
afterAll(() => app.stop())
afterEach(() => app.deps.db.delete(rateLimits))

const code = async (response: Response) => [response.status, ((await response.json()) as { code?: string }).code]
const fresh = 'Kuda-Laut-Biru7!'
const login = ({ email }: TestUser, password = fresh) => app.request('/api/login', { json: { email, password } })
const enter = (challenge: string, text: string) => app.request('/api/login_code', { json: { challenge, code: text } })
const challengeOf = async (response: Response) =>
  ((await response.json()) as { details: { challenge: string } }).details.challenge
const mails = ({ email }: TestUser, subject: string) =>
  app.mails.filter((mail) => mail.to === email && mail.subject.includes(subject))
const hasMail = (person: TestUser, subject: string) =>
  vi.waitFor(() => expect(mails(person, subject)).toHaveLength(1), { timeout: 300_000 })
const logged = async ({ id }: TestUser, kind: 'factors_removed' | 'factor_removal_cancelled' | 'sessions_ended') =>
  await app.deps.db
    .select()
    .from(securityEvents)
    .where(and(eq(securityEvents.userId, id), eq(securityEvents.kind, kind)))

async function askForLink(person: TestUser, nth = 1): Promise<string> {
  await app.request('/api/forgot_password', { json: { email: person.email } })
  const links = () => app.mails.filter(({ to, link }) => to === person.email && link?.includes('/reset-password/'))
  await vi.waitFor(() => expect(links()).toHaveLength(nth), { timeout: 300_000 })
  return links().at(-1)?.link?.split('/').at(-1) as string
}

async function reset(person: TestUser, removes: (factor: ResetFactors['items'][number]) => boolean = () => true) {
  const token = await askForLink(person)
  const listed = (await (await app.request(`/api/reset_password/${token}`)).json()) as ResetFactors
  const removeFactors = listed.items.filter(removes).map(({ id }) => id)
  const json = { password: fresh, removeFactors }
  expect((await app.request(`/api/reset_password/${token}`, { json })).status).toBe(200)
  return listed
}

describe('a password that is reset by mail', () => {
  test('shows the factors of the account only to the holder of the link', async () => {
    const person = await turnTotpOn(app, await app.createUser())
    await addPasskey(app, person)
    const unknown = await app.request(`/api/reset_password/${'x'.repeat(43)}`)
    expect(await unknown.json()).toEqual({ delayHours: 48, items: [] })
    const listed = await reset(person, () => false)
    expect(listed).toMatchObject({ delayHours: 48, items: [{ kind: 'code', name: null }, { kind: 'passkey' }] })
    expect(mails(person, 'akan dihapus')).toEqual([])
    app.clock.advance({ hours: 49 })
    await removeDueFactors(app.deps)
    expect((await login(person)).status).toBe(401)
  })

  test('removes planted factors after two days, during which they stay valid, with a notice before and after', async () => {
    const admin = await turnTotpOn(app, await app.createUser({ role: 'admin' }))
    const { device } = await addPasskey(app, admin)
    await reset(admin)
    expect((await admin.request('/api/user/me')).status).toBe(401)
    await hasMail(admin, 'akan dihapus')
    app.clock.advance({ hours: 47, minutes: 59 })
    await removeDueFactors(app.deps)
    expect(await code(await login(admin))).toEqual([401, 'second_factor.required'])
    app.clock.advance({ minutes: 2 })
    await removeDueFactors(app.deps)
    await hasMail(admin, 'sudah dihapus')
    const token = await app.signIn(admin.email, fresh)
    expect(await code(await app.request('/api/admin/users', { token }))).toEqual([403, 'auth.second_factor_due'])
    const json = { response: await usePasskey(app, device) }
    expect(await code(await app.request('/api/login_passkey', { json }))).toEqual([422, 'passkey.refused'])
    expect(await app.deps.db.select().from(recoveryCodes).where(eq(recoveryCodes.userId, admin.id))).toEqual([])
  })

  test('keeps them when the link of the notice is opened, once, also after another reset', async () => {
    const person = await turnTotpOn(app, await app.createUser())
    await reset(person)
    const mail = await app.mailTo(person.email, /keep-factors/)
    const token = new URL(mail.link as string).pathname.split('/').at(-1)
    const keep = () => app.request('/api/keep_factors', { json: { token } })
    expect((await keep()).status).toBe(200)
    expect(await code(await keep())).toEqual([422, 'auth.token_invalid'])
    app.clock.advance({ hours: 49 })
    await removeDueFactors(app.deps)
    expect(await code(await login(person))).toEqual([401, 'second_factor.required'])
    expect(await logged(person, 'factor_removal_cancelled')).toMatchObject([{ detail: 'link' }])
  })

  test('keeps a factor used to sign in meanwhile, and removes the others', async () => {
    const person = await turnTotpOn(app, await app.createUser())
    const { device } = await addPasskey(app, person)
    await reset(person)
    const json = { response: await usePasskey(app, device) }
    const response = await app.request('/api/login_passkey', { json })
    const { access_token: token } = (await response.json()) as { access_token: string }
    const seen = (await (await app.request('/api/user/second_factor', { token })).json()) as SecondFactorView
    expect(seen.totpRemovalDueAt).toMatch(/Z$/)
    expect(seen.passkeys).toMatchObject([{ removalDueAt: null }])
    const [, challenge] = [await app.deps.db.delete(rateLimits), await challengeOf(await login(person))]
    expect((await enter(challenge, person.codes[0] as string)).status).toBe(200)
    app.clock.advance({ hours: 49 })
    await removeDueFactors(app.deps)
    expect(await code(await login(person))).toEqual([401, 'second_factor.required'])
    const pending = () => app.deps.db.$count(mailOutbox, eq(mailOutbox.userId, person.id))
    await vi.waitFor(async () => expect(await pending()).toBe(0), 120_000)
    expect(mails(person, 'tetap ada')).toHaveLength(2)
  })

  test('delays nothing when requested again, and does not affect other accounts', async () => {
    const [person, other] = [await turnTotpOn(app, await app.createUser()), await app.createUser()]
    const { device, response } = await addPasskey(app, other)
    const [made] = ((await response.json()) as { items: PasskeyView[] }).items
    await reset(person)
    app.clock.advance({ hours: 40 })
    const token = await askForLink(person, 2)
    const json = { password: fresh, removeFactors: ['totp', made?.id, '__proto__'] }
    expect((await app.request(`/api/reset_password/${token}`, { json })).status).toBe(200)
    app.clock.advance({ hours: 8, minutes: 1 })
    await removeDueFactors(app.deps)
    expect((await login(person)).status).toBe(200)
    app.clock.advance({ hours: 48 })
    await removeDueFactors(app.deps)
    const entered = { response: await usePasskey(app, device) }
    expect((await app.request('/api/login_passkey', { json: entered })).status).toBe(200)
  })

  test('removes once with any number of workers, and a use at the same moment has a single outcome', async () => {
    const person = await turnTotpOn(app, await app.createUser())
    await reset(person)
    app.clock.advance({ hours: 49 })
    const challenge = await challengeOf(await login(person))
    const shown = person.nextCode()
    const [entered] = await Promise.all([
      enter(challenge, shown),
      ...Array.from({ length: 4 }, () => removeDueFactors(app.deps)),
    ])
    await removeDueFactors(app.deps)
    const left = (await login(person)).status
    expect([entered.status, left].join()).toMatch(/^(200,401|422,200)$/)
    expect(await logged(person, 'factors_removed')).toHaveLength(left === 200 ? 1 : 0)
  })
})

describe('an admin', () => {
  let admin: Awaited<ReturnType<typeof turnTotpOn>>
  beforeAll(async () => {
    admin = await turnTotpOn(app, await app.createUser({ name: 'Ibu Admin', role: 'admin' }))
  })
  const does = (what: 'reset_factors' | 'end_sessions', { id }: TestUser, json: object = {}) =>
    admin.request(`/api/admin/users/${id}/${what}`, {
      json: { reason: 'Ponselnya hilang', password: admin.password, ...json },
    })

  test('resets the factors of a user, with a reason and their own password; it is audited and mailed', async () => {
    const person = await turnTotpOn(app, await app.createUser({ role: 'designer' }))
    await addPasskey(app, person)
    expect((await does('reset_factors', person, { reason: ' ' })).status).toBe(422)
    expect(await code(await does('reset_factors', person, { password: 'Salah123!' }))).toEqual([
      422,
      'auth.wrong_password',
    ])
    expect((await does('reset_factors', person, { password: undefined })).status).toBe(422)
    const before = (await (await admin.request(`/api/admin/users/${person.id}`)).json()) as AdminUserDetail
    expect(before.factors).toEqual({ totp: true, passkeys: 1 })
    expect((await does('reset_factors', person)).status).toBe(204)
    expect((await person.request('/api/user/me')).status).toBe(401)
    await hasMail(person, 'disetel ulang')
    const token = await app.signIn(person.email, person.password)
    const enrol = await app.request('/api/user/totp', { token, json: { password: person.password } })
    expect(await code(enrol)).toEqual([403, 'second_factor.link_due'])
    const trail = await admin.request(`/api/admin/audit?subjectId=${person.id}&action=account.factors_reset`)
    expect(await trail.json()).toMatchObject({
      items: [{ actorId: admin.id, reason: 'Ponselnya hilang', before: { totp: true, passkeys: 1 } }],
    })
    expect(await logged(person, 'factors_removed')).toMatchObject([{ detail: 'admin' }])
    expect(await code(await does('reset_factors', person))).toEqual([409, 'second_factor.off'])
  })

  test('ends the sessions of a user, which is audited and mailed', async () => {
    const person = await app.createUser()
    expect((await does('end_sessions', person)).status).toBe(204)
    expect(await code(await person.request('/api/user/me'))).toEqual([401, 'auth.expired'])
    await hasMail(person, 'Semua perangkat keluar')
    const trail = await admin.request(`/api/admin/audit?subjectId=${person.id}&action=account.sessions_ended`)
    expect(await trail.json()).toMatchObject({ items: [{ actorId: admin.id, reason: 'Ponselnya hilang' }] })
    expect(await logged(person, 'sessions_ended')).toMatchObject([{ detail: 'admin' }])
    expect((await login(person, person.password)).status).toBe(200)
  })

  test('can do neither in a session without a second factor while they have one', async () => {
    const lenient = await createTestApp()
    try {
      const [person, other] = [await lenient.createUser(), await lenient.createUser({ role: 'admin' })]
      await addPasskey(lenient, other)
      const token = await lenient.signIn(other.email, other.password)
      for (const what of ['reset_factors', 'end_sessions']) {
        const json = { reason: 'Ponselnya hilang', password: other.password }
        const response = await lenient.request(`/api/admin/users/${person.id}/${what}`, { token, json })
        expect(await code(response)).toEqual([403, 'second_factor.proof_due'])
      }
    } finally {
      await lenient.stop()
    }
  })

  test('can do neither to their own account, nor to a deleted one', async () => {
    for (const what of ['reset_factors', 'end_sessions'] as const) {
      expect(await code(await does(what, admin))).toEqual([409, 'account.own'])
      const deletedAccount = { ...admin, id: '00000000-0000-4000-8000-000000000000' }
      expect(await code(await does(what, deletedAccount))).toEqual([404, 'account.not_found'])
    }
  })
})
