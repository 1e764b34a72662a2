import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { decodeJwt, exportJWK, exportSPKI, generateKeyPair, SignJWT, UnsecuredJWT } from 'jose'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { identities } from '#features/account/server/table.ts'
import { ledgerEntries } from '#features/credits/server/table.ts'
import { securityEvents } from '#server/audit/table.ts'
import { users } from '#server/auth/table.ts'
import { ConfigError } from '#server/config-values.ts'
import { rateLimits } from '#server/http/rate-limit-table.ts'
import { mailOutbox } from '#server/mail/table.ts'
import { readConfig } from '#server-app/config.ts'
import { createFacebookDouble, type FacebookDouble } from '#tests/support/facebook-double.ts'
import { createOpenIdProvider, type OpenIdProvider } from '#tests/support/openid-provider.ts'
import { createTestApp, type TestApp, testPassword } from '#tests/support/test-app.ts'

const origin = 'http://localhost:3000'
let app: TestApp
let openId: OpenIdProvider
let facebook: FacebookDouble
beforeAll(async () => {
  openId = await createOpenIdProvider({ redirectUri: `${origin}/api/login_google/callback` })
  facebook = await createFacebookDouble({ redirectUri: `${origin}/api/login_facebook/callback` })
  app = await createTestApp({ env: { ...openId.env, ...facebook.env } })
})
afterAll(async () => {
  await app?.stop()
  await openId?.close()
  await facebook?.close()
})
afterEach(() => app.deps.db.delete(rateLimits))

const newEmail = () => `${randomUUID().slice(0, 8)}@contoh.id`
const newPerson = (given = {}) => ({
  sub: randomUUID(),
  email: newEmail(),
  email_verified: true,
  name: 'Dewi Lestari',
  ...given,
})

async function open(provider: 'google' | 'facebook', query = '') {
  const response = await app.request(`/api/login_${provider}${query}`)
  expect(response.status).toBe(302)
  const cookie = response.headers.getSetCookie().find((one) => one.startsWith(`login_${provider}=`)) ?? ''
  return {
    response,
    attributes: cookie,
    cookie: cookie.split(';')[0] ?? '',
    url: response.headers.get('location') ?? '',
  }
}

/** The parameters that /auth/callback gets. */
async function callbackOf(callback: URL, cookie: string): Promise<Record<string, string>> {
  const response = await app.request(callback.pathname + callback.search, { headers: { cookie } })
  expect(response.status).toBe(302)
  const url = new URL(response.headers.get('location') ?? '')
  expect(url.origin + url.pathname).toBe(`${origin}/auth/callback`)
  return Object.fromEntries(url.searchParams)
}

const exchange = (token: string) => app.request('/api/login_token', { json: { token } })

/** Also exchanges the token in the address for a session. */
async function comeBack(callback: URL, cookie: string): Promise<Record<string, string>> {
  const found = await callbackOf(callback, cookie)
  if (!found.token) return found
  const response = await exchange(found.token)
  expect(response.status).toBe(200)
  return { ...found, token: ((await response.json()) as { access_token: string }).access_token }
}

async function walkGoogle(person: Parameters<OpenIdProvider['setPerson']>[0], query = '') {
  openId.setPerson(person)
  const { url, cookie } = await open('google', query)
  return await comeBack(await openId.walk(url), cookie)
}

async function walkFacebook(person: Parameters<FacebookDouble['setPerson']>[0], query = '') {
  facebook.setPerson(person)
  const { url, cookie } = await open('facebook', query)
  return await comeBack(facebook.walk(url), cookie)
}

const meOf = async (token: string | undefined) =>
  (await (await app.request('/api/user/me', { token: token ?? '' })).json()) as Record<string, unknown>
const usersOf = (email: string) => app.deps.db.select().from(users).where(eq(users.email, email))

test('an unconfigured provider is not offered, and its address does not exist', async () => {
  expect(await (await app.request('/api/auth/providers')).json()).toEqual({
    google: true,
    facebook: true,
    passkey: true,
  })
  const bare = await createTestApp()
  try {
    expect(await (await bare.request('/api/auth/providers')).json()).toEqual({
      google: false,
      facebook: false,
      passkey: true,
    })
    for (const path of ['login_google', 'login_google/callback', 'login_facebook', 'login_facebook/callback'])
      expect((await bare.request(`/api/${path}`)).status).toBe(404)
  } finally {
    await bare.stop()
  }
})

test('a user who came by a provider, which tells no age, is asked before anything can be started', async () => {
  const { token = '' } = await walkGoogle(newPerson())
  const start = () => app.request('/api/uploads', { method: 'POST', token })
  expect(await (await start()).json()).toMatchObject({ code: 'age.unknown' })
  await app.request('/api/user/age', { json: { birthYear: 1990 }, token })
  expect(await (await start()).json()).toMatchObject({ code: 'upload.protocol' })
})

test.each([
  ['GOOGLE_CLIENT_SECRET', { GOOGLE_CLIENT_ID: 'a' }],
  ['FACEBOOK_APP_ID', { FACEBOOK_APP_SECRET: 'a' }],
  ['GOOGLE_ISSUER', { GOOGLE_ISSUER: 'http://accounts.example.com', GOOGLE_CLIENT_ID: 'a', GOOGLE_CLIENT_SECRET: 'b' }],
  ['FACEBOOK_BASE_URL', { FACEBOOK_BASE_URL: 'http://graph.example.com' }],
])('a %s that cannot work stops the start', (name, env: Record<string, string>) => {
  expect(() => readConfig({ DATA_DIR: '/nonexistent', ...env })).toThrow(ConfigError)
  expect(() => readConfig({ DATA_DIR: '/nonexistent', ...env })).toThrow(name)
})

describe('Google', () => {
  test('starts with PKCE, state and nonce, kept in a sealed HttpOnly cookie', async () => {
    const { url, attributes, cookie } = await open('google')
    const query = new URL(url).searchParams
    expect(query.get('code_challenge_method')).toBe('S256')
    expect(query.get('redirect_uri')).toBe(`${origin}/api/login_google/callback`)
    for (const name of ['state', 'nonce', 'code_challenge']) expect(query.get(name)).toMatch(/^[A-Za-z0-9_-]{43}$/)
    expect(attributes).toMatch(/HttpOnly/)
    expect(attributes).toMatch(/SameSite=Lax/)
    expect(attributes).toMatch(/Path=\/api\/login_google/)
    expect(cookie).not.toContain(query.get('state'))
    const other = await open('google')
    expect(new URL(other.url).searchParams.get('state')).not.toBe(query.get('state'))
  })

  test('returns a token that is not a session, and opens a single session within a minute', async () => {
    const bring = async () => {
      openId.setPerson(newPerson())
      const { url, cookie } = await open('google')
      return (await callbackOf(await openId.walk(url), cookie)).token as string
    }
    const token = await bring()
    expect((await app.request('/api/user/me', { token })).status).toBe(401)
    const responses = await Promise.all([exchange(token), exchange(token)])
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 422])
    const late = await bring()
    app.clock.advance({ minutes: 1, seconds: 1 })
    expect(await (await exchange(late)).json()).toMatchObject({ code: 'auth.token_invalid' })
  })

  test('returns the state of the page that opened the window, and refuses a malformed one', async () => {
    const state = randomUUID()
    expect(await walkGoogle(newPerson(), `?state=${state}`)).toMatchObject({ state })
    for (const wrong of ['', 'kurang', 'x'.repeat(65), '"><script>alert(1)</script>']) {
      expect((await app.request(`/api/login_google?state=${encodeURIComponent(wrong)}`)).status, wrong).toBe(422)
    }
  })

  test('creates a verified account with the welcome credits once, and recognizes it again', async () => {
    const person = newPerson()
    const { token } = await walkGoogle(person)
    expect(await meOf(token)).toMatchObject({
      email: person.email,
      name: 'Dewi Lestari',
      role: 'user',
      hasPassword: false,
      providers: ['google'],
    })
    const again = await walkGoogle({ ...person, email: newEmail() }, '?remember=1')
    const [first, second] = [decodeJwt(token ?? ''), decodeJwt(again.token ?? '')]
    expect(second.sub).toEqual(first.sub)
    expect(Number(second.exp) - Number(second.iat)).toBe(30 * 86_400)
    const [user] = await usersOf(person.email)
    const entries = await app.deps.db.select().from(ledgerEntries).where(eq(ledgerEntries.userId, user!.id))
    expect(entries.map(({ kind, amount }) => [kind, amount])).toEqual([['welcome', 25]])
  })

  test('links to an account with the verified address, keeping its password', async () => {
    const known = await app.createUser()
    const { token } = await walkGoogle(newPerson({ email: known.email.toUpperCase() }))
    expect(await meOf(token)).toMatchObject({ id: known.id, hasPassword: true, providers: ['google'] })
    expect(await app.canSignIn(known.email, known.password)).toBe(true)
  })

  test('notifies the owner of a linked account once, by mail and in the security log', async () => {
    const [known, english] = [await app.createUser(), await app.createUser()]
    await app.deps.db.update(users).set({ language: 'en' }).where(eq(users.id, english.id))
    const person = newPerson({ email: known.email })
    for (let time = 0; time < 2; time += 1) await walkGoogle(person)
    await walkGoogle(newPerson({ email: english.email }))
    expect(await app.mailTo(english.email, /new way to sign in/)).toMatchObject({
      text: expect.stringContaining('You can now also sign in with: Google.'),
    })
    expect(await app.mailTo(known.email, /cara baru/)).toMatchObject({
      text: expect.stringContaining('Sekarang akunmu juga bisa dibuka dengan: Google.'),
      link: `${origin}/forgot-password`,
    })
    expect(app.mails.filter(({ to, subject }) => to === known.email && /cara baru/.test(subject))).toHaveLength(1)
    const noted = await app.deps.db.select().from(securityEvents).where(eq(securityEvents.userId, known.id))
    expect(noted.filter(({ kind }) => kind === 'provider_linked')).toMatchObject([
      { detail: 'google', addressClass: 'local' },
    ])
  })

  test('sends no link notice for a new account, or for one that was never verified', async () => {
    const waiting = await app.register()
    const people = [newPerson(), newPerson({ email: waiting.email })]
    for (const person of people) await walkGoogle(person)
    const found = await app.deps.db.select().from(mailOutbox).where(eq(mailOutbox.template, 'provider_linked'))
    expect(found).toEqual([])
    const told = app.mails.filter(
      ({ to, subject }) => people.some(({ email }) => email === to) && /cara baru/.test(subject),
    )
    expect(told).toEqual([])
  })

  test('never links an address that the provider does not call verified; its owner gets a mail', async () => {
    const known = await app.registerAndVerify()
    for (const email_verified of [false, undefined]) {
      expect(await walkGoogle(newPerson({ email: known.email, email_verified }))).toEqual({
        error: 'auth.email_unverified',
      })
    }
    expect(await app.deps.db.select().from(identities).where(eq(identities.userId, known.id))).toEqual([])
    expect((await app.mailTo(known.email, 2)).link).toBe(`${origin}/login`)
  })

  test('leaves a new account with an unverified address to be verified by mail', async () => {
    const person = newPerson({ email_verified: false })
    expect(await walkGoogle(person)).toEqual({ error: 'auth.email_unverified' })
    const link = new URL((await app.mailTo(person.email)).link as string).pathname
    expect((await app.request(link)).headers.get('location')).toBe('/login?verified=1')
    expect(await meOf((await walkGoogle(person)).token)).toMatchObject({ email: person.email })
  })

  test('takes over an account that a stranger registered with the address: their password stops working', async () => {
    const trap = await app.register({ name: 'Penipu' })
    const { token } = await walkGoogle(newPerson({ email: trap.email }))
    expect(await meOf(token)).toMatchObject({ name: 'Dewi Lestari', hasPassword: false })
    await expect(app.signIn(trap.email, testPassword)).rejects.toThrow('auth.invalid_credentials')
  })

  test('opens nothing for an unverified address claimed twice: the owner of the mailbox chooses', async () => {
    const waiting = newPerson({ email_verified: false })
    await walkGoogle(waiting)
    await app.register({ email: waiting.email })
    const registered = await app.register()
    await walkGoogle(newPerson({ email: registered.email, email_verified: false }))
    for (const email of [waiting.email, registered.email]) {
      const link = new URL((await app.mailTo(email)).link as string).pathname
      expect((await app.request(link)).headers.get('location')).toMatch(/^\/reset-password\//)
      await expect(app.signIn(email, testPassword)).rejects.toThrow('auth.invalid_credentials')
    }
    expect(await walkGoogle(waiting)).toEqual({ error: 'auth.email_unverified' })

    const other = newPerson({ email_verified: false })
    await walkGoogle(other)
    await app.request('/api/forgot_password', { json: { email: other.email } })
    const reset = (await app.mailTo(other.email, /\/reset-password\//)).link?.split('/').at(-1)
    await app.request(`/api/reset_password/${reset}`, { json: { password: testPassword } })
    expect(await app.canSignIn(other.email, testPassword)).toBe(true)
    expect(await walkGoogle(other)).toEqual({ error: 'auth.email_unverified' })
  })

  test('reports a cancelled sign-in', async () => {
    expect(await walkGoogle(undefined)).toEqual({ error: 'auth.provider_denied' })
  })

  test('accepts no forged state, no forged nonce, no other browser and no second use', async () => {
    const person = newPerson()
    openId.setPerson(person)
    const failed = { error: 'auth.provider_failed' }

    const state = await open('google')
    const forged = await openId.walk(state.url)
    forged.searchParams.set('state', 'x'.repeat(43))
    expect(await comeBack(forged, state.cookie)).toEqual(failed)

    const nonce = await open('google')
    const other = new URL(nonce.url)
    other.searchParams.set('nonce', 'x'.repeat(43))
    expect(await comeBack(await openId.walk(other.href), nonce.cookie)).toEqual(failed)

    const verifier = await open('google')
    const challenge = new URL(verifier.url)
    challenge.searchParams.set('code_challenge', 'x'.repeat(43))
    expect(await comeBack(await openId.walk(challenge.href), verifier.cookie)).toEqual(failed)

    const first = await open('google')
    const callback = await openId.walk(first.url)
    expect(await comeBack(callback, '')).toEqual(failed)
    expect(await comeBack(callback, (await open('google')).cookie)).toEqual(failed)
    const changed = first.cookie.replace(/.(?=.{20}$)/, (letter) => (letter === 'x' ? 'y' : 'x'))
    expect(await comeBack(callback, changed)).toEqual(failed)
    expect(await usersOf(person.email)).toEqual([])
    expect(await comeBack(callback, first.cookie)).toHaveProperty('token')
    expect(await comeBack(callback, first.cookie)).toEqual(failed)
    // The provider revokes its tokens once a code is used twice; our session does not depend on
    // them.
    expect(await usersOf(person.email)).toHaveLength(1)
  })

  describe('ID tokens', () => {
    let fresh: TestApp
    beforeEach(async () => {
      fresh = await createTestApp({ env: openId.env })
    })
    afterEach(async () => {
      openId.signWith(undefined)
      openId.publishKeys(undefined)
      openId.announceAlgorithms(undefined)
      vi.useRealTimers()
      await fresh.stop()
    })

    /** A whole sign-in, as far as it gets. */
    async function enter(person = newPerson()) {
      openId.setPerson(person)
      const started = await fresh.request('/api/login_google')
      const cookie = started.headers.getSetCookie()[0]?.split(';')[0] ?? ''
      const callback = await openId.walk(started.headers.get('location') ?? '')
      const ended = await fresh.request(callback.pathname + callback.search, { headers: { cookie } })
      return Object.fromEntries(new URL(ended.headers.get('location') ?? '').searchParams)
    }
    const failed = { error: 'auth.provider_failed' }
    const newKey = async (kid: string) => {
      const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
      const published = { ...(await exportJWK(publicKey)), alg: 'RS256', use: 'sig', kid }
      const sign = (claims: object) =>
        new SignJWT({ ...claims }).setProtectedHeader({ alg: 'RS256', kid }).sign(privateKey)
      return { published, publicKey, sign }
    }

    test('signed by another key than the provider publishes open nothing', async () => {
      const foreign = await newKey('test')
      openId.signWith(foreign.sign)
      expect(await enter()).toEqual(failed)
      openId.signWith((await newKey('unknown')).sign)
      expect(await enter()).toEqual(failed)
      // A provider with a single key may omit the key id.
      const { privateKey } = await generateKeyPair('RS256')
      openId.signWith((claims) => new SignJWT(claims).setProtectedHeader({ alg: 'RS256' }).sign(privateKey))
      expect(await enter()).toEqual(failed)
    })

    test('changed after they were signed open nothing', async () => {
      const key = await newKey('test')
      openId.publishKeys([key.published])
      openId.signWith(async (claims) => {
        const [header, , signature] = (await key.sign(claims)).split('.')
        const other = Buffer.from(JSON.stringify({ ...claims, sub: randomUUID() })).toString('base64url')
        return `${header}.${other}.${signature}`
      })
      expect(await enter()).toEqual(failed)
      openId.signWith(key.sign)
      expect(await enter()).toHaveProperty('token')
    })

    test.each<[string, object]>([
      ['for another client', { aud: 'another-client' }],
      ['for several clients, of which another is the party', { aud: ['rupa-client', 'another'], azp: 'another' }],
      ['of another provider', { iss: 'https://accounts.example.com' }],
      ['that are expired', { exp: Math.floor(Date.now() / 1000) - 600 }],
      ['of another sign-in', { nonce: 'x'.repeat(43) }],
      ['without a subject', { sub: undefined }],
    ])('%s open nothing, even with a valid signature', async (_, other) => {
      const key = await newKey('test')
      openId.publishKeys([key.published])
      openId.signWith((claims) => key.sign({ ...claims, ...other }))
      expect(await enter()).toEqual(failed)
      openId.signWith(key.sign)
      expect(await enter()).toHaveProperty('token')
    })

    test('that bring their own key open nothing', async () => {
      const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true })
      const jwk = await exportJWK(publicKey)
      const jku = `${openId.issuer}/foreign-keys`
      for (const header of [{ jwk }, { jku }, { jwk, jku, kid: 'test' }]) {
        openId.signWith((claims) =>
          new SignJWT(claims).setProtectedHeader({ alg: 'RS256', ...header }).sign(privateKey),
        )
        expect(await enter()).toEqual(failed)
      }
      expect(openId.requests).not.toContain('GET /foreign-keys')
    })

    test('without a signature, or signed with a public secret, open nothing, whatever the provider announces', async () => {
      openId.announceAlgorithms(['RS256', 'HS256', 'none'])
      const key = await newKey('test')
      openId.publishKeys([key.published])
      const hmac = (secret: string) => (claims: object) =>
        new SignJWT({ ...claims })
          .setProtectedHeader({ alg: 'HS256', kid: 'test' })
          .sign(new TextEncoder().encode(secret))
      openId.signWith((claims) => new UnsecuredJWT(claims).encode())
      expect(await enter()).toEqual(failed)
      for (const secret of [await exportSPKI(key.publicKey), JSON.stringify(key.published), openId.clientSecret]) {
        openId.signWith(hmac(secret))
        expect(await enter()).toEqual(failed)
      }
      openId.signWith(key.sign)
      expect(await enter()).toHaveProperty('token')
    })

    test('of a key that the provider added later open a session, and those of a retired one do not', async () => {
      const [first, second] = [await newKey('first'), await newKey('second')]
      openId.publishKeys([first.published])
      openId.signWith(first.sign)
      expect(await enter()).toHaveProperty('token')
      // Announced before it is used, as providers do.
      openId.publishKeys([first.published, second.published])
      openId.signWith(second.sign)
      expect(await enter()).toEqual(failed)
      expect(await enter()).toHaveProperty('token')
      openId.publishKeys([second.published])
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 6 * 60_000 })
      openId.signWith(first.sign)
      expect(await enter()).toEqual(failed)
      openId.signWith(second.sign)
      expect(await enter()).toHaveProperty('token')
    })
  })

  test('expires with its cookie', async () => {
    openId.setPerson(newPerson())
    const { url, cookie } = await open('google')
    const callback = await openId.walk(url)
    app.clock.advance({ minutes: 11 })
    expect(await comeBack(callback, cookie)).toEqual({ error: 'auth.provider_failed' })
  })

  test('opens no disabled account', async () => {
    const person = newPerson()
    await walkGoogle(person)
    await app.deps.db.update(users).set({ disabledAt: new Date() }).where(eq(users.email, person.email))
    expect(await walkGoogle(person)).toEqual({ error: 'auth.disabled' })
  })

  test('creates a single account when the same user returns twice at once', async () => {
    const person = newPerson()
    openId.setPerson(person)
    const windows = await Promise.all([open('google'), open('google'), open('google')])
    const callbacks = await Promise.all(windows.map(({ url }) => openId.walk(url)))
    const ends = await Promise.all(callbacks.map((callback, at) => comeBack(callback, windows[at]?.cookie ?? '')))
    for (const end of ends) expect(end).toHaveProperty('token')
    expect(await usersOf(person.email)).toHaveLength(1)
  })

  test('confirms once, after a fresh sign-in, that an owner without a password is present', async () => {
    const person = newPerson()
    const { token = '' } = await walkGoogle(person)
    const prompts = openId.prompts.length
    const { confirmation } = await walkGoogle(person, '?purpose=confirm')
    expect(openId.prompts.slice(prompts)).toContain('login')
    const stranger = await walkGoogle(newPerson())
    const json = { confirmation, password: 'Pertama123!' }
    const wrong = await app.request('/api/user/password', { json, token: stranger.token })
    expect(await wrong.json()).toMatchObject({ code: 'auth.confirmation_invalid' })
    const right = await app.request('/api/user/password', { json, token })
    expect(right.status).toBe(200)
    expect(await app.canSignIn(person.email, 'Pertama123!')).toBe(true)
    const { access_token } = (await right.json()) as { access_token: string }
    const again = await app.request('/api/user/password', { json, token: access_token })
    expect(await again.json()).toMatchObject({ code: 'auth.confirmation_invalid' })
    expect(await walkGoogle(newPerson(), '?purpose=confirm')).toEqual({ error: 'auth.confirmation_invalid' })
  })

  test('logs neither the user nor a code or token', async () => {
    const person = newPerson()
    const { token = '' } = await walkGoogle(person)
    const log = JSON.stringify(app.logged)
    for (const secret of [person.email, person.sub, token, 'code=', 'Dewi']) expect(log).not.toContain(secret)
  })
})

describe('Facebook', () => {
  const newFriend = (given = {}) => ({ id: randomUUID(), name: 'Budi', email: newEmail(), ...given })

  test('calls the Graph API with a proof, and leaves the address to be verified by mail', async () => {
    const friend = newFriend()
    expect(await walkFacebook(friend)).toEqual({ error: 'auth.email_unverified' })
    const link = new URL((await app.mailTo(friend.email)).link as string).pathname
    await app.request(link)
    const { token } = await walkFacebook({ ...friend, email: newEmail() })
    expect(await meOf(token)).toMatchObject({ email: friend.email, name: 'Budi', providers: ['facebook'] })
    expect(facebook.problems).toEqual([])
  })

  test('never links by address', async () => {
    const known = await app.createUser()
    expect(await walkFacebook(newFriend({ email: known.email }))).toEqual({ error: 'auth.email_unverified' })
    expect(await app.deps.db.select().from(identities).where(eq(identities.userId, known.id))).toEqual([])
  })

  test('cannot mail an address again and again', async () => {
    const known = await app.createUser()
    const ends = []
    for (let count = 0; count < 6; count += 1) ends.push((await walkFacebook(newFriend({ email: known.email }))).error)
    expect(ends).toEqual([...Array(5).fill('auth.email_unverified'), 'request.rate_limited'])
  })

  test('needs an address', async () => {
    expect(await walkFacebook({ id: randomUUID(), name: 'Tanpa Email' })).toEqual({ error: 'auth.provider_no_email' })
  })

  test('reports a cancelled sign-in, a forged state, a reused code, and an outage of Facebook', async () => {
    const failed = { error: 'auth.provider_failed' }
    expect(await walkFacebook(undefined)).toEqual({ error: 'auth.provider_denied' })
    facebook.setPerson(newFriend())
    const { url, cookie } = await open('facebook')
    const callback = facebook.walk(url)
    const forged = new URL(callback)
    forged.searchParams.set('state', 'x'.repeat(43))
    expect(await comeBack(forged, cookie)).toEqual(failed)
    expect(await comeBack(callback, cookie)).toEqual({ error: 'auth.email_unverified' })
    expect(await comeBack(callback, cookie)).toEqual(failed)
    expect(facebook.problems.splice(0)).toEqual(['This authorization code has been used.'])
    facebook.breakDown(true)
    expect(await walkFacebook(newFriend())).toEqual(failed)
    facebook.breakDown(false)
  })
})

test('in maintenance a provider signs in existing accounts, and creates and links none', async () => {
  const [known, fresh] = [newPerson(), newPerson()]
  const linked = await app.createUser()
  await walkGoogle(known)
  await app.composition.runCommand(['maintenance', 'on'], () => {})
  try {
    expect(await walkGoogle(known)).toHaveProperty('token')
    for (const person of [fresh, newPerson({ email: linked.email })]) {
      expect(await walkGoogle(person)).toEqual({ error: 'server.maintenance' })
    }
  } finally {
    await app.composition.runCommand(['maintenance', 'off'], () => {})
  }
  expect(await usersOf(fresh.email)).toEqual([])
  expect(await app.deps.db.$count(identities, eq(identities.userId, linked.id))).toBe(0)
  expect(await walkGoogle(fresh)).toHaveProperty('token')
})
