import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { createGeneration } from '#features/generations/server/execution/create-generation.ts'
import { withGenerationRequest } from '#features/generations/server/execution/read-request.ts'
import type { AgeView, GuardianLink } from '#features/guardians/schemas.ts'
import { workGuardians } from '#features/guardians/server/contributions.ts'
import { decideClosing } from '#features/guardians/server/own-age.ts'
import { auditLog } from '#server/audit/table.ts'
import { accountTokens, guardianConsents, users } from '#server/auth/table.ts'
import { transact } from '#server/db/transact.ts'
import { accountHooks } from '#server-app/registrations.ts'
import { guardianConsentVersion as version, yearOf } from '#shared/age.ts'
import { createFakeEngine } from '#tests/support/fake-engine.ts'
import { creditsOf, formOf, makePicture, refusal, submit, submitted } from '#tests/support/submit.ts'
import { createTestApp, type TestApp, type TestUser, testPassword } from '#tests/support/test-app.ts'
import { beginUpload, sendBytes } from '#tests/support/upload.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp({ engine: createFakeEngine() })
})
afterAll(() => app.stop())

const bornAt = (age: number) => yearOf(app.clock.now()) - age - 1
const newEmail = () => `${randomUUID().slice(0, 8)}@contoh.id`
const deps = () => ({ ...app.deps, accountHooks })
const sweep = () => workGuardians(deps())

const ageOf = async (user: TestUser) => (await (await user.request('/api/user/age')).json()) as AgeView
const tell = (user: TestUser, birthYear: number, close = false) =>
  user.request('/api/user/age', { json: { birthYear, close } })
const name = (user: TestUser, email: string) => user.request('/api/user/guardian', { json: { email } })
const tokenOf = (link: string | undefined) => link?.split('/').at(-1) as string
const read = (token: string) => app.request(`/api/guardian_consents/${token}`)
const decide = (token: string, decision: string, from = '198.51.100.9') =>
  app.request(`/api/guardian_consents/${token}`, { json: { decision, version }, from })
const stateOf = async (response: Response) => ((await response.json()) as GuardianLink).state
const rowOf = async ({ id }: TestUser) =>
  (await app.deps.db.select().from(guardianConsents).where(eq(guardianConsents.userId, id)))[0]
const accountOf = async ({ id }: TestUser) =>
  (await app.deps.db.select().from(users).where(eq(users.id, id)))[0] as typeof users.$inferSelect
const auditOf = async ({ id }: TestUser) =>
  (await app.deps.db.select().from(auditLog).where(eq(auditLog.subjectId, id))).map(({ action, after }) => ({
    action,
    after,
  }))

/** A minor whose guardian has the mail. */
async function waiting() {
  const user = await app.createUser({ birthYear: null })
  await tell(user, bornAt(15))
  const guardian = newEmail()
  expect((await name(user, guardian)).status).toBe(200)
  const mail = await app.mailTo(guardian, /guardian\//)
  return { user, guardian, token: tokenOf(mail.link), mail }
}

async function allowed() {
  const minor = await waiting()
  expect(await stateOf(await decide(minor.token, 'consent'))).toBe('given')
  const mail = await app.mailTo(minor.guardian, /sudah memberi izin/)
  return { ...minor, revocation: tokenOf(mail.link) }
}

async function refusals(user: TestUser) {
  const picture = await makePicture()
  const idempotent = { 'idempotency-key': randomUUID() }
  const tus = { 'tus-resumable': '1.0.0', 'upload-length': '10' }
  const order = { packageId: 'starter', method: 'bca', acceptPrivacy: true, acceptTerms: true }
  const logo = `data:image/png;base64,${Buffer.from(picture).toString('base64')}`
  const wish = { title: 'Foto', whatsapp: '081234567890', email: 'a@contoh.test', description: 'Cerahkan' }
  const share = { generationId: randomUUID(), position: 0, days: 7, withOriginal: false, password: null }
  const check = await formOf({ image: picture })
  check.delete('tool')
  return {
    run: await refusal(await submit(user, { image: picture })),
    check: await refusal(await user.request('/api/tools/background-removal/check', { method: 'POST', body: check })),
    upload: await refusal(await user.request('/api/uploads', { method: 'POST', headers: tus })),
    purchase: await refusal(await user.request('/api/orders', { json: order, headers: idempotent })),
    share: await refusal(await user.request('/api/user/shared_results', { json: share })),
    customEdit: await refusal(
      await user.request('/api/custom_edits', { json: { ...wish, onlyMyFace: true }, headers: idempotent }),
    ),
    logo: await refusal(await user.request('/api/user/logo', { method: 'PUT', json: { picture: logo } })),
  }
}
const everything = (answer: unknown) =>
  Object.fromEntries(
    ['run', 'check', 'upload', 'purchase', 'share', 'customEdit', 'logo'].map((what) => [what, answer]),
  )

describe('the birth year', () => {
  const register = (email: string, more: object) =>
    app.request('/api/register', {
      json: { name: 'Bayu', email, password: testPassword, agreeToTerms: true, ...more },
    })

  test('of a child below the minimum age opens no account and stores nothing', async () => {
    const email = newEmail()
    const response = await register(email, { birthYear: bornAt(12) })
    expect([response.status, await response.json()]).toMatchObject([422, { code: 'age.below_minimum' }])
    expect(await app.deps.db.select().from(users).where(eq(users.email, email))).toEqual([])
    expect((await register(newEmail(), { birthYear: yearOf(app.clock.now()) + 1 })).status).toBe(422)
  })

  test('is told with the registration, and only the year is stored', async () => {
    const email = newEmail()
    expect((await register(email, { birthYear: bornAt(15) })).status).toBe(201)
    const [row] = await app.deps.db.select().from(users).where(eq(users.email, email))
    expect(row?.birthYear).toBe(bornAt(15))
    await app.request(new URL((await app.mailTo(email)).link as string).pathname)
    const token = await app.signIn(email, testPassword)
    const age = (await (await app.request('/api/user/age', { token })).json()) as AgeView
    expect(age).toMatchObject({ band: 'minor', guardian: 'unnamed', dueAt: null })
    expect(Date.parse(age.closesAt as string) - app.clock.now().getTime()).toBeGreaterThan(13 * 86_400_000)
  })

  test('of another visitor who registers the same unverified address does not count', async () => {
    const email = newEmail()
    await register(email, { birthYear: bornAt(30) })
    await register(email, { birthYear: bornAt(15), password: 'Berbeda123!' })
    const [row] = await app.deps.db.select().from(users).where(eq(users.email, email))
    expect(row?.birthYear).toBeNull()
  })

  test('is due at once without one in the registration, as the specification’s payload has none', async () => {
    const email = newEmail()
    await register(email, {})
    await app.request(new URL((await app.mailTo(email)).link as string).pathname)
    const token = await app.signIn(email, testPassword)
    const user = { request: (path: string, init?: object) => app.request(path, { token, ...init }) } as TestUser
    expect(await refusals(user)).toEqual(everything([403, 'age.unknown']))
    expect((await tell(user, bornAt(30))).status).toBe(200)
    expect((await submit(user)).status).toBe(201)
  })

  test('of an earlier account is asked for weeks before anything is refused', async () => {
    const user = await app.createUser({ birthYear: null })
    expect(await ageOf(user)).toMatchObject({ band: 'unknown', guardian: 'not_needed', birthYear: null })
    expect((await submit(user)).status).toBe(201)
    const dueAt = new Date(app.clock.now().getTime() - 1)
    await app.deps.db.update(users).set({ birthYearDueAt: dueAt }).where(eq(users.id, user.id))
    expect(await refusal(await submit(user))).toEqual([403, 'age.unknown'])
  })

  test('that became due since does not refuse a repeated request, which was charged once', async () => {
    const user = await app.createUser({ birthYear: null })
    const given = { key: randomUUID(), image: await makePicture() }
    const first = await submitted(user, given)
    const left = await creditsOf(user)
    await app.deps.db
      .update(users)
      .set({ birthYearDueAt: new Date(0) })
      .where(eq(users.id, user.id))
    const again = await submit(user, given)
    expect(again.status).toBe(200)
    expect(await again.json()).toMatchObject({ id: first.id })
    expect(await creditsOf(user)).toBe(left)
    expect(await refusal(await submit(user, { image: given.image }))).toEqual([403, 'age.unknown'])
  })

  test('that becomes due while files are received refuses the generation', async () => {
    const user = await app.createUser({ birthYear: null })
    const left = await creditsOf(user)
    const requester = { userId: user.id, key: randomUUID() }
    const body = await formOf({ image: await makePicture() })
    const creating = withGenerationRequest(
      app.deps,
      new Request('http://localhost', { method: 'POST', body }),
      requester,
      async (request) => {
        await app.deps.db
          .update(users)
          .set({ birthYearDueAt: new Date(0) })
          .where(eq(users.id, user.id))
        return await createGeneration(app.deps, { ...requester, request })
      },
    )
    await expect(creating).rejects.toMatchObject({ code: 'age.unknown' })
    expect(await creditsOf(user)).toBe(left)
  })

  test('is told once; the same year again is no error', async () => {
    const user = await app.createUser({ birthYear: null })
    expect((await tell(user, 1990)).status).toBe(200)
    expect((await tell(user, 1990)).status).toBe(200)
    expect(await refusal(await tell(user, 1991))).toEqual([409, 'age.known'])
  })

  test('below the minimum closes and erases an open account, but only once the user knows', async () => {
    const user = await app.createUser({ birthYear: null })
    expect(await refusal(await tell(user, bornAt(9)))).toEqual([422, 'age.below_minimum'])
    expect((await accountOf(user)).birthYear).toBeNull()
    const closed = await tell(user, bornAt(9), true)
    expect(await closed.json()).toMatchObject({ closed: true })
    expect(await accountOf(user)).toMatchObject({ name: '', birthYear: null, closing: 'too_young' })
    expect((await accountOf(user)).deletedAt).not.toBeNull()
    expect((await app.mailTo(user.email, /ditutup/)).text).toContain('terlalu muda')
    expect((await user.request('/api/user/age')).status).toBe(401)
  })

  test('is in the export, and gone with the account', async () => {
    const { user, guardian } = await waiting()
    const archive = Buffer.from(await (await user.request('/api/user/export', { method: 'POST' })).arrayBuffer())
    expect(archive.includes('guardian.json')).toBe(true)
    await user.request('/api/user/delete', { json: { password: testPassword } })
    expect(await rowOf(user)).toBeUndefined()
    expect(JSON.stringify(await app.deps.db.select().from(accountTokens))).not.toContain(guardian)
  })
})

describe('until a guardian consents', () => {
  test('a minor signs in and sees, and everything else is refused without a charge', async () => {
    const { user } = await waiting()
    expect(await refusals(user)).toEqual(everything([403, 'guardian.consent_required']))
    expect(await creditsOf(user)).toBe(25)
    expect((await user.request('/api/generations')).status).toBe(200)
    expect((await ageOf(user)).guardian).toBe('waiting')
  })

  test('API keys of the minor are refused too', async () => {
    const { user } = await waiting()
    const key = await user.request('/api/user/api_keys', {
      json: { name: 'a', mode: 'live', scopes: ['run'], dailyCredits: null, days: null, password: testPassword },
    })
    const { key: secret } = (await key.json()) as { key: string }
    const headers = { authorization: `Bearer ${secret}`, 'idempotency-key': randomUUID() }
    const started = await app.request('/api/v1/generations', { method: 'POST', body: await formOf(), headers })
    expect(await refusal(started)).toEqual([403, 'guardian.consent_required'])
  })

  test('the guardian’s address differs from the minor’s in every spelling, and is no throwaway', async () => {
    const user = await app.createUser({ birthYear: null, email: `bayu.${randomUUID().slice(0, 6)}@gmail.com` })
    await tell(user, bornAt(15))
    const [mailbox, domain] = user.email.split('@') as [string, string]
    for (const email of [user.email, `${mailbox}+ibu@${domain}`, `${mailbox.replace('.', '')}@googlemail.com`])
      expect(await (await name(user, email)).json()).toMatchObject({ details: { email: 'guardian.ownAddress' } })
    expect(await (await name(user, 'ibu@mailinator.com')).json()).toMatchObject({
      details: { email: 'guardian.disposable' },
    })
    const adult = await app.createUser()
    expect(await refusal(await name(adult, newEmail()))).toEqual([409, 'guardian.not_needed'])
  })

  test('a new address ends the link to the old one, and the mail names the account', async () => {
    const { user, token, mail } = await waiting()
    expect(mail.text).toContain(user.email)
    const other = newEmail()
    await name(user, other)
    const second = await app.mailTo(other, /guardian\//)
    expect(await refusal(await read(token))).toEqual([422, 'auth.token_invalid'])
    expect(await refusal(await decide(token, 'consent'))).toEqual([422, 'auth.token_invalid'])
    expect(await stateOf(await read(tokenOf(second.link)))).toBe('open')
  })

  test('an adult needs none, and no account where the operator has no rules for ages', async () => {
    const adult = await app.createUser({ birthYear: bornAt(18) })
    expect((await submit(adult)).status).toBe(201)
    const free = await createTestApp({ engine: createFakeEngine(), env: { AGE_RULES: 'off' } })
    try {
      const child = await free.createUser({ birthYear: bornAt(9) })
      expect((await submit(child)).status).toBe(201)
      expect(await (await free.request('/api/site')).json()).toMatchObject({ age: null })
    } finally {
      await free.stop()
    }
  })

  test('accounts of 17 turn adults with the year, without a guardian', async () => {
    const user = await app.createUser({ birthYear: bornAt(17) })
    expect(await refusal(await submit(user))).toEqual([403, 'guardian.consent_required'])
    await app.deps.db
      .update(users)
      .set({ birthYear: bornAt(18) })
      .where(eq(users.id, user.id))
    expect((await submit(user)).status).toBe(201)
  })
})

describe('the guardian', () => {
  test('reads about the account, and opening the link changes nothing', async () => {
    const { user, token } = await waiting()
    for (let opened = 0; opened < 2; opened += 1) {
      const view = (await (await read(token)).json()) as GuardianLink
      expect(view).toMatchObject({ state: 'open', name: user.name, email: user.email, mayRevoke: false, adultAge: 18 })
    }
    expect((await ageOf(user)).guardian).toBe('waiting')
  })

  test('consents once; version, time and network address are recorded, and the minor can run', async () => {
    const { user, token, guardian } = await waiting()
    const outdated = { decision: 'consent', version: '2020-01' }
    const old = await app.request(`/api/guardian_consents/${token}`, { json: outdated })
    expect(await refusal(old)).toEqual([409, 'consent.outdated'])
    expect(await stateOf(await decide(token, 'consent'))).toBe('given')
    expect(await stateOf(await decide(token, 'consent', '203.0.113.1'))).toBe('given')
    expect(await rowOf(user)).toMatchObject({ version, givenFrom: '198.51.100.9', guardianEmail: guardian })
    expect(await auditOf(user)).toEqual([{ action: 'guardian.consented', after: { version } }])
    await app.mailTo(user.email, /setuju/)
    await app.mailTo(guardian, /sudah memberi/)
    expect(app.mails.filter(({ to, subject }) => to === guardian && /sudah memberi/.test(subject))).toHaveLength(1)
    expect((await submit(user)).status).toBe(201)
    expect(await stateOf(await read(token))).toBe('given')
  })

  test('refuses, and the account is erased by the ordinary deletion', async () => {
    const { user, token, guardian } = await waiting()
    expect(await stateOf(await decide(token, 'refuse'))).toBe('closed')
    expect(await accountOf(user)).toMatchObject({ name: '', closing: 'guardian_refused', passwordHash: null })
    expect(await rowOf(user)).toBeUndefined()
    expect(await auditOf(user)).toEqual([{ action: 'account.closed', after: { reason: 'guardian_refused' } }])
    expect((await app.mailTo(user.email, /ditutup/)).text).toContain('tidak memberi izin')
    expect((await app.mailTo(guardian, /ditutup/)).text).toContain('tidak memberi izin')
    expect((await user.request('/api/user/age')).status).toBe(401)
    expect(await app.canSignIn(user.email, user.password)).toBe(false)
    expect(await refusal(await decide(token, 'refuse'))).toEqual([422, 'auth.token_invalid'])
  })

  test('revokes later by the link of the confirmation only, and pictures and sessions go', async () => {
    const { user, token, revocation } = await allowed()
    const { id } = await submitted(user)
    expect(await stateOf(await decide(token, 'revoke'))).toBe('given')
    expect(await stateOf(await decide(revocation, 'refuse'))).toBe('given')
    expect(((await (await read(revocation)).json()) as GuardianLink).mayRevoke).toBe(true)
    expect(await stateOf(await decide(revocation, 'revoke'))).toBe('closed')
    expect((await user.request(`/api/generations/${id}`)).status).toBe(401)
    expect((await accountOf(user)).closing).toBe('guardian_revoked')
  })

  test('gets the link that revokes again by the first mail, which a new password does not end', async () => {
    const { user, token, guardian } = await allowed()
    await user.request('/api/user/password', { json: { currentPassword: testPassword, password: 'Lainnya123!' } })
    expect((await app.request(`/api/guardian_consents/${token}/resend`, { json: {} })).status).toBe(204)
    const mails = () => app.mails.filter(({ to, subject }) => to === guardian && /sudah memberi/.test(subject))
    await expect.poll(() => mails().length).toBe(2)
    expect(await stateOf(await decide(tokenOf(mails()[1]?.link), 'revoke'))).toBe('closed')
  })

  test('is no other minor', async () => {
    const { user } = await waiting()
    const friend = await app.createUser({ birthYear: bornAt(16) })
    await name(user, friend.email)
    const mail = await app.mailTo(friend.email, /guardian\//)
    expect(await refusal(await decide(tokenOf(mail.link), 'consent'))).toEqual([409, 'guardian.too_young'])
    expect((await ageOf(user)).guardian).toBe('waiting')
  })

  test.each(['consent first', 'refuse first'])('of two decisions at once, one counts: %s', async (order) => {
    const { user, token } = await waiting()
    const calls = ['consent', 'refuse'] as const
    const answers = await Promise.all(
      (order === 'consent first' ? calls : [...calls].reverse()).map((decision) => decide(token, decision)),
    )
    const { closing } = await accountOf(user)
    const states = await Promise.all(answers.map(async (answer) => (answer.ok ? stateOf(answer) : 'gone')))
    if (closing === null) {
      expect(states).toEqual(['given', 'given'])
      expect((await submit(user)).status).toBe(201)
    } else {
      expect(closing).toBe('guardian_refused')
      expect(states).not.toContain('given')
      expect(await auditOf(user)).toHaveLength(1)
    }
  })
})

describe('time', () => {
  let own: TestApp | undefined
  afterEach(async () => {
    if (own) await own.stop()
    own = undefined
  })

  test('without an answer both are reminded once, then the account is closed', async () => {
    const { user, guardian, token } = await waiting()
    const reminders = () => app.mails.filter(({ to, subject }) => to === guardian && /Pengingat/.test(subject))
    await sweep()
    expect((await rowOf(user))?.remindedAt).toBeNull()
    app.clock.advance({ days: 8 })
    await sweep()
    await sweep()
    await app.mailTo(user.email, /masih menunggu/)
    await app.mailTo(guardian, /Pengingat/)
    expect(reminders()).toHaveLength(1)
    expect((await accountOf(user)).closing).toBeNull()
    // The first link stays valid beside the reminder's.
    expect(await stateOf(await read(token))).toBe('open')
    app.clock.advance({ days: 8 })
    await sweep()
    expect(await accountOf(user)).toMatchObject({ closing: 'guardian_silent', name: '' })
    expect((await app.mailTo(user.email, /ditutup/)).text).toContain('batas waktunya')
  })

  test('a minor without a named guardian is reminded and closed too; one who has grown up stays', async () => {
    const silent = await app.createUser({ birthYear: null })
    const grown = await app.createUser({ birthYear: null })
    for (const user of [silent, grown]) await tell(user, bornAt(15))
    await app.deps.db
      .update(users)
      .set({ birthYear: bornAt(18) })
      .where(eq(users.id, grown.id))
    app.clock.advance({ days: 8 })
    await sweep()
    await app.mailTo(silent.email, /masih menunggu/)
    app.clock.advance({ days: 8 })
    await sweep()
    expect((await accountOf(silent)).closing).toBe('guardian_silent')
    expect((await accountOf(grown)).closing).toBeNull()
    expect(await rowOf(grown)).toBeUndefined()
  })

  test('a consent after the reminder counts', async () => {
    const { user, token } = await waiting()
    app.clock.advance({ days: 8 })
    await sweep()
    expect(await stateOf(await decide(token, 'consent'))).toBe('given')
    app.clock.advance({ days: 30 })
    await sweep()
    expect((await accountOf(user)).closing).toBeNull()
  })

  test('a process that dies after the decision leaves no account: its sessions end, the sweeper erases', async () => {
    const { user, token } = await waiting()
    const now = app.clock.now()
    await transact(app.deps.db, (tx) => decideClosing(tx, { userId: user.id, reason: 'guardian_refused', now }))
    expect((await user.request('/api/user/age')).status).toBe(401)
    expect(await stateOf(await decide(token, 'consent'))).toBe('closed')
    await sweep()
    expect((await accountOf(user)).deletedAt).not.toBeNull()
    await sweep()
    expect(await auditOf(user)).toHaveLength(1)
  })

  test('a refusal whose erasure fails is finished by the sweeper', async () => {
    const { user, token } = await waiting()
    await user.request('/api/user/age')
    const [part] = accountHooks.personalData
    const { erase } = part as NonNullable<typeof part>
    ;(part as NonNullable<typeof part>).erase = async () => {
      throw new Error('the process died')
    }
    app.expectErrors(/the process died/)
    expect((await decide(token, 'refuse')).status).toBe(500)
    ;(part as NonNullable<typeof part>).erase = erase
    expect(await accountOf(user)).toMatchObject({ closing: 'guardian_refused', deletedAt: null })
    expect(await stateOf(await decide(token, 'consent'))).toBe('closed')
    expect((await accountOf(user)).deletedAt).not.toBeNull()
  })
})

describe('faces of other people', () => {
  const swap = async (user: Pick<TestUser, 'request'>) =>
    submit(user, {
      tool: 'swap-face',
      params: { consent: true },
      image: await makePicture(),
      files: { faces: await makePicture('#203040') },
    })

  test('are not swapped below 18, even with a guardian’s consent; nothing is charged', async () => {
    const { user } = await allowed()
    await user.request('/api/user/consents', { json: { kind: 'biometric', version: '2026-11' } })
    expect(await refusal(await swap(user))).toEqual([403, 'age.adults_only'])
    const checked = await formOf({ image: await makePicture() })
    checked.delete('tool')
    const check = await user.request('/api/tools/swap-face/check', { method: 'POST', body: checked })
    expect(await refusal(check)).toEqual([403, 'age.adults_only'])
    expect(await creditsOf(user)).toBe(25)
  })

  test('need a known age, even where the birth year is not due', async () => {
    const user = await app.createUser({ birthYear: null })
    expect(await refusal(await swap(user))).toEqual([403, 'age.unknown'])
  })

  test('are not swapped by a minor’s API key or assistant', async () => {
    const { user } = await allowed()
    const made = await user.request('/api/user/api_keys', {
      json: { name: 'a', mode: 'live', scopes: ['run'], dailyCredits: null, days: null, password: testPassword },
    })
    const { key } = (await made.json()) as { key: string }
    const program = {
      request: (path: string, init: { headers?: object; body?: BodyInit } = {}) =>
        app.request(path.replace('/api/', '/api/v1/'), {
          ...init,
          method: 'POST',
          headers: { ...(init.headers as Record<string, string>), authorization: `Bearer ${key}` },
        }),
    }
    expect(await refusal(await swap(program as TestUser))).toEqual([403, 'age.adults_only'])
    const call = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'run_tool', arguments: { tool: 'swap-face', inputs: {}, params: { consent: true } } },
    }
    const headers = { authorization: `Bearer ${key}`, accept: 'application/json, text/event-stream' }
    const answer = await app.request('/api/v1/mcp', { json: call, headers })
    expect(await answer.text()).toMatch(/age.adults_only/)
  })

  test('are not in a minor’s custom edit request', async () => {
    const { user } = await allowed()
    const wish = { title: 'Foto', whatsapp: '081234567890', email: 'a@contoh.test', description: 'Cerahkan' }
    const ask = (more: object) =>
      user.request('/api/custom_edits', { json: { ...wish, ...more }, headers: { 'idempotency-key': randomUUID() } })
    expect(await refusal(await ask({}))).toEqual([403, 'age.adults_only'])
    expect(await refusal(await ask({ onlyMyFace: false }))).toEqual([403, 'age.adults_only'])
    const made = await ask({ onlyMyFace: true })
    expect(made.status).toBe(201)
    const { id } = (await made.json()) as { id: string }
    const message = { text: 'Seperti ini', pictures: [{ upload: randomUUID() }] }
    const sent = await user.request(`/api/custom_edits/${id}/messages`, { json: message })
    expect(await refusal(sent)).toEqual([403, 'age.adults_only'])
  })
})

test('an upload under way may end after the birth year is due', async () => {
  const user = await app.createUser({ birthYear: null })
  const due = (moment: Date) => app.deps.db.update(users).set({ birthYearDueAt: moment }).where(eq(users.id, user.id))
  await due(new Date(app.clock.now().getTime() + 60_000))
  const picture = await makePicture()
  const address = (await beginUpload(user, picture.length)).headers.get('location') as string
  await due(new Date(0))
  expect((await sendBytes(user, address, 0, picture)).status).toBe(204)
  expect(await refusal(await beginUpload(user, picture.length))).toEqual([403, 'age.unknown'])
})

describe('staff', () => {
  test('see the band and the state of the consent, and find minors', async () => {
    const admin = await app.createUser({ role: 'admin' })
    const { user } = await waiting()
    const seen = await admin.request(`/api/admin/users/${user.id}`)
    expect(await seen.json()).toMatchObject({ age: { band: 'minor', guardian: 'waiting' } })
    const unknown = await app.createUser({ birthYear: null })
    const found = async (age: string, search: string) => {
      const list = await admin.request(`/api/admin/users?age=${age}&search=${search}`)
      return ((await list.json()) as { items: { id: string }[] }).items.map(({ id }) => id)
    }
    for (const [account, band] of [
      [user, 'minor'],
      [unknown, 'unknown'],
      [admin, 'adult'],
      [await app.createUser(), 'adult'],
    ] as const)
      for (const age of ['minor', 'unknown', 'adult'])
        expect(await found(age, account.id), `${band} in ${age}`).toEqual(age === band ? [account.id] : [])
  })

  test('have the user asked again after a mistyped year, with a reason, and never consent', async () => {
    const admin = await app.createUser({ role: 'admin' })
    const { user, token } = await waiting()
    expect((await admin.request(`/api/admin/users/${user.id}/ask_age`, { json: {} })).status).toBe(422)
    const json = { reason: 'salah ketik' }
    expect((await admin.request(`/api/admin/users/${user.id}/ask_age`, { json })).status).toBe(204)
    expect(await auditOf(user)).toContainEqual({ action: 'account.age_asked_again', after: null })
    expect(await refusal(await decide(token, 'consent'))).toEqual([422, 'auth.token_invalid'])
    expect(await refusal(await submit(user))).toEqual([403, 'age.unknown'])
    expect((await tell(user, 1990)).status).toBe(200)
    expect((await submit(user)).status).toBe(201)
  })
})
