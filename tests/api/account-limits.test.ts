import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { appError } from '#server/http/app-error.ts'
import { sweepRates, withinRate } from '#server/http/rate-limit.ts'
import { rateLimits } from '#server/http/rate-limit-table.ts'
import { createTestApp, type TestApp } from '#tests/support/test-app.ts'

let app: TestApp
/**
 * Guesses at unknown addresses would cost a password hash each, because response time must not
 * reveal whether an account exists.
 */
let victim: string
beforeAll(async () => {
  app = await createTestApp({ env: { TRUSTED_PROXIES: '10.0.0.0/8, fd00::1' } })
  victim = (await app.createUser()).email
})
afterAll(() => app.stop())
afterEach(() => app.deps.db.delete(rateLimits))

const guess = (email: string, from?: string, headers?: Record<string, string>) =>
  app.request('/api/login', { json: { email, password: 'Salah123!' }, from, headers })

async function guessUntilRefused(email: string, from: () => string | undefined, most: number) {
  for (let count = 0; count < most; count += 1) {
    const response = await guess(email, from())
    if (response.status === 429) return { count, response }
    expect(response.status).toBe(401)
  }
  throw new Error('never refused')
}

describe('guessing passwords', () => {
  test('stops after ten tries for one account from one address, and returns the time to wait', async () => {
    const { count, response } = await guessUntilRefused('siapa@contoh.id', () => '203.0.113.5', 20)
    expect(count).toBe(10)
    expect(await response.json()).toMatchObject({ code: 'request.rate_limited' })
    const wait = Number(response.headers.get('retry-after'))
    expect(wait).toBeGreaterThan(850)
    expect(wait).toBeLessThanOrEqual(900)
    expect((await guess('siapa@contoh.id', '203.0.113.6')).status).toBe(401)
    expect((await guess('lain@contoh.id', '203.0.113.5')).status).toBe(401)
    app.clock.advance({ minutes: 15, seconds: 1 })
    expect((await guess('siapa@contoh.id', '203.0.113.5')).status).toBe(401)
  })

  test('counts no try that an overloaded server refused', async () => {
    const rules = [{ rule: 'try', subject: victim, limit: 2, seconds: 60 }]
    const tried = (code: 'server.unavailable' | 'auth.required') =>
      withinRate(app.deps, rules, async () => {
        throw appError(code)
      }).catch((error: { code: string }) => error.code)
    for (let count = 0; count < 5; count += 1) expect(await tried('server.unavailable')).toBe('server.unavailable')
    for (let count = 0; count < 2; count += 1) expect(await tried('auth.required')).toBe('auth.required')
    expect(await tried('auth.required')).toBe('request.rate_limited')
  })

  test('stops for one account from many addresses', async () => {
    const hosts = Array.from({ length: 80 }, (_, host) => `203.0.113.${host}`)
    const { count } = await guessUntilRefused(victim, () => hosts.pop(), 80)
    expect(count).toBe(50)
  })

  test('stays blocked for the attacker’s address, while the owner signs in from elsewhere', async () => {
    const person = await app.createUser()
    const responses = await Promise.all(Array.from({ length: 70 }, () => guess(person.email, '203.0.113.5')))
    expect(responses.filter(({ status }) => status === 401)).toHaveLength(10)
    const { email, password } = person
    const elsewhere = await app.request('/api/login', { json: { email, password }, from: '203.0.113.6' })
    expect(elsewhere.status).toBe(200)
    expect((await guess(email, '203.0.113.5')).status).toBe(429)
  })

  test('from everywhere does not lock out a user who sets a new password by mail, on that device', async () => {
    const person = await app.createUser()
    for (let host = 0; host < 55; host += 1) await guess(person.email, `203.0.113.${host}`)
    await app.request('/api/forgot_password', { json: { email: person.email } })
    const token = (await app.mailTo(person.email)).link?.split('/').at(-1)
    const reset = await app.request(`/api/reset_password/${token}`, { json: { password: 'Baru-Sekali1!' } })
    const json = { email: person.email, password: 'Baru-Sekali1!' }
    const cookie = reset.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    expect((await app.request('/api/login', { json, headers: { cookie } })).status).toBe(200)
    expect((await guess(person.email, '198.51.100.1')).status).toBe(429)
  })

  test('is reset by the right password', async () => {
    const person = await app.createUser()
    for (let round = 0; round < 3; round += 1) {
      for (let count = 0; count < 6; count += 1) expect((await guess(person.email)).status).toBe(401)
      expect(await app.canSignIn(person.email, person.password)).toBe(true)
    }
  })

  test('counts many at once exactly', async () => {
    const responses = await Promise.all(Array.from({ length: 16 }, () => guess(victim)))
    expect(responses.filter(({ status }) => status === 429)).toHaveLength(6)
  })
})

describe('the address of a request', () => {
  const blocked = async (from: string, forwarded: string) =>
    (await guess(victim, from, { 'x-forwarded-for': forwarded })).status === 429

  test('cannot be chosen by the client', async () => {
    for (let count = 0; count < 10; count += 1) await blocked('203.0.113.5', `198.51.100.${count}`)
    expect(await blocked('203.0.113.5', '198.51.100.99')).toBe(true)
  })

  test('comes from the header of a known proxy, through any number of proxies', async () => {
    for (let count = 0; count < 10; count += 1) await blocked('10.1.2.3', `6.6.6.${count}, 198.51.100.7, 10.9.9.9`)
    expect(await blocked('::ffff:10.1.2.3', '198.51.100.7')).toBe(true)
    expect(await blocked('fd00::1', '198.51.100.7, 10.0.0.1')).toBe(true)
    expect(await blocked('10.1.2.3', '198.51.100.8')).toBe(false)
    expect(await blocked('10.1.2.3', 'not an address')).toBe(false)
  })

  test('counts a whole IPv6 /64 as one', async () => {
    const hosts = ['2001:db8:0:7::', '2001:DB8:0:7::1', '2001:db8:0:7:ffff::', '2001:db8::7:0:0:0:9']
    for (let count = 0; count < 10; count += 1) await guess(victim, hosts[count % hosts.length])
    expect((await guess(victim, '2001:db8:0:7:1:2:3:4')).status).toBe(429)
    expect((await guess(victim, '2001:db8:0:8::1')).status).toBe(401)
    expect((await guess(victim, '::1')).status).toBe(401)
  })
})

describe('many at once from one address', () => {
  const from = '203.0.113.5'
  // With cheap hashes none of them would have to wait.
  let app: TestApp
  beforeAll(async () => {
    app = await createTestApp({ realCosts: true })
  })
  afterAll(() => app.stop())
  // Unknown accounts: each guess costs a whole hash, and none gets locked.
  const strangers = (path: string, json: (index: number) => object, count: number) =>
    Array.from({ length: count }, (_, index) => app.request(path, { json: json(index), from }))
  const refused = async (requests: Promise<Response>[]) =>
    (await Promise.all(requests)).filter(({ status }) => status === 503).length

  test('a sign-in from elsewhere is served while 260 of one address wait', async () => {
    const { email, password } = await app.createUser()
    const flood = strangers('/api/login', (index) => ({ email: `${index}@contoh.id`, password: 'Salah123!' }), 260)
    // Once they have reached the password comparison.
    await Promise.race(flood)
    const own = await Promise.all(
      ['203.0.113.6', '2001:db8::1', '198.51.100.1'].map((from) =>
        app.request('/api/login', { json: { email, password }, from }),
      ),
    )
    expect(own.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(await refused(flood)).toBeGreaterThan(100)
  })

  test('a password is set elsewhere while many from one address wait for the strength check', async () => {
    const password = `${'P@55w0rd!'.repeat(3)}xyz`
    const named = (index: number) => ({ name: 'Sari', email: `${index}@flood.id`, password, agreeToTerms: true })
    const flood = strangers('/api/register', named, 39)
    await Promise.race(flood)
    const own = await app.request('/api/register', { json: named(1000), from: '203.0.113.6' })
    expect(own.status).toBe(201)
    expect(await refused(flood)).toBeGreaterThan(10)
  })

  test('no response that depends on an account comes before the interval is over', async () => {
    const { responseInterval } = app.config.signInCosts
    const { email } = await app.createUser()
    const calls = [email, 'tidakada@contoh.id'].flatMap((address) => [
      () => app.request('/api/forgot_password', { json: { email: address } }),
      () => app.request(`/api/resend_confirmation_email?email=${address}`),
    ])
    for (const call of calls) {
      const start = performance.now()
      expect((await call()).status).toBe(200)
      // Timers may end up to a millisecond early.
      expect(performance.now() - start).toBeGreaterThan(responseInterval - 2)
    }
  })

  test('an invalid link costs no strength check of a password', async () => {
    const response = await app.request('/api/reset_password/none', { json: { password: 'P@ssw0rd1' } })
    expect([response.status, await response.json()]).toMatchObject([422, { code: 'auth.token_invalid' }])
  })
})

test('mails to one address are limited, the same for known and unknown ones', async () => {
  const person = await app.createUser()
  for (const email of [person.email, 'tidakada@contoh.id']) {
    for (let count = 0; count < 5; count += 1) {
      expect((await app.request('/api/forgot_password', { json: { email } })).status).toBe(200)
    }
    expect((await app.request('/api/forgot_password', { json: { email } })).status).toBe(429)
    expect((await app.request(`/api/resend_confirmation_email?email=${email}`)).status).toBe(200)
  }
})

test('mails to one mailbox are limited, however its address is spelled', async () => {
  const name = crypto.randomUUID().slice(0, 8)
  const spellings = Array.from({ length: 6 }, (_, index) => `${name}+${index}@gmail.com`)
  const ask = (email: string) => app.request('/api/forgot_password', { json: { email } })
  const statuses = []
  for (const email of spellings) statuses.push((await ask(email)).status)
  expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
  expect((await ask(`${name}@contoh.id`)).status).toBe(200)
})

test('limits keep no address and no e-mail, and are swept when they no longer count', async () => {
  await guess(victim, '203.0.113.5')
  const kept = await app.deps.db.select().from(rateLimits)
  expect(kept).toHaveLength(3)
  expect(JSON.stringify(kept)).not.toMatch(/siapa|203\.0\.113/)
  app.clock.advance({ hours: 1 })
  await sweepRates(app.deps)
  expect(await app.deps.db.select().from(rateLimits)).toHaveLength(0)
})
