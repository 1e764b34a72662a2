import { eq } from 'drizzle-orm'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { users } from '#server/auth/table.ts'
import { creditsOf, refusal } from '#tests/support/submit.ts'
import { createTestApp, type TestApp, testPassword } from '#tests/support/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.stop())
const maintenance = (choice: 'on' | 'off') => app.composition.runCommand(['maintenance', choice], () => {})
afterEach(() => maintenance('off'))

const browser = { headers: { accept: 'text/html,*/*' } }
const redirectOf = (answer: Response) => [answer.status, answer.headers.get('location')]
const userOf = async (email: string) => (await app.deps.db.select().from(users).where(eq(users.email, email)))[0]

async function expectRefused(path: string): Promise<void> {
  const answer = await app.request(path)
  expect(answer.headers.get('retry-after')).toBe('60')
  expect(await refusal(answer)).toEqual([503, 'server.maintenance'])
}

test('the link that verifies an address changes nothing in maintenance, and works afterwards', async () => {
  const { email } = await app.register()
  const path = new URL((await app.mailTo(email)).link as string).pathname
  await maintenance('on')
  await expectRefused(path)
  expect(redirectOf(await app.request(path, browser))).toEqual([302, '/login?verified=later'])
  expect((await userOf(email))?.emailVerifiedAt).toBeNull()
  await maintenance('off')
  expect(redirectOf(await app.request(path, browser))).toEqual([302, '/login?verified=1'])
  const token = await app.signIn(email, testPassword)
  expect(await creditsOf({ request: (at, init) => app.request(at, { token, ...init }) })).toBe(25)
  expect(redirectOf(await app.request(`${path}x`, browser))).toEqual([302, '/login?verified=0'])
})

test('the link that changes an address changes nothing in maintenance, and works afterwards', async () => {
  const user = await app.createUser()
  const email = 'baru@contoh.id'
  expect((await user.request('/api/user/email', { json: { email, password: user.password } })).status).toBe(202)
  const path = new URL((await app.mailTo(email)).link as string).pathname
  await maintenance('on')
  await expectRefused(path)
  expect(redirectOf(await app.request(path, browser))).toEqual([302, '/profile?email=later'])
  expect((await userOf(user.email))?.id).toBe(user.id)
  await maintenance('off')
  expect(redirectOf(await app.request(path, browser))).toEqual([302, '/profile?email=1'])
  expect((await userOf(email))?.id).toBe(user.id)
})

test('no verification mail is sent in maintenance', async () => {
  const { email } = await app.register()
  await app.mailTo(email)
  await maintenance('on')
  await expectRefused(`/api/resend_confirmation_email?email=${email}`)
  await maintenance('off')
  expect((await app.request(`/api/resend_confirmation_email?email=${email}`)).status).toBe(200)
  expect((await app.mailTo(email, 2)).to).toBe(email)
})
