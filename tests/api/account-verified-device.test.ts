import { randomUUID } from 'node:crypto'
import { decodeJwt } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
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

/** Registers; returns the address, the path of the mailed link and what the browser keeps. */
async function register(email = `${randomUUID().slice(0, 8)}@contoh.id`) {
  const json = { name: 'Sari', email, password: testPassword, agreeToTerms: true }
  const response = await app.request('/api/register', { json })
  const cookie = cookieOf(response, 'registered') as string
  expect(response.headers.getSetCookie().join()).toMatch(/registered=[^;]+;.*HttpOnly; SameSite=Lax/)
  const mail = await app.mailTo(email)
  return { email, cookie, link: new URL(mail.link as string).pathname }
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

test('a mail program that opens the link first takes nothing away from the person', async () => {
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

test('whoever registers the address of somebody else gets into nothing when its owner opens the link', async () => {
  const attacker = await register()
  const opened = await open(attacker.link)
  expect(opened.headers.get('location')).toBe('/login?verified=1')
  expect(cookieOf(opened, 'verified')).toBeUndefined()
  expect((await signIn(attacker.cookie)).status).toBe(422)
})
