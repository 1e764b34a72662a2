import { decodeJwt } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { turnTotpOn } from '../support/second-factor.ts'
import { createTestApp, type TestApp, type TestUser } from '../support/test-app.ts'

// As without PUBLIC_URL, STAFF_SECOND_FACTOR and TRUSTED_PROXIES.
let app: TestApp
let admin: TestUser
beforeAll(async () => {
  app = await createTestApp()
  admin = await app.createUser({ role: 'admin' })
})
afterAll(() => app.stop())

const forwarded = { 'x-forwarded-for': '198.51.100.7' }
const named = { host: 'rupa.example' }
const login = (headers: HeadersInit = {}) =>
  app.request('/api/login', { headers, json: { email: admin.email, password: admin.password } })
const dueOf = async (response: Response) =>
  decodeJwt(((await response.json()) as { access_token: string }).access_token).due
const openAdminArea = async (token: string, headers: HeadersInit = {}) => {
  const response = await app.request('/api/admin/tools', { headers, token })
  return [response.status, ((await response.json()) as { code?: string }).code]
}

test.each([
  ['through a proxy', forwarded],
  ['by another name of the machine', named],
])(
  'staff who connect from %s need the second factor for the admin area, and the response says so',
  async (_, headers) => {
    const response = await login(headers)
    const { access_token } = (await response.clone().json()) as { access_token: string }
    expect(await dueOf(response)).toBe('second_factor')
    expect(await openAdminArea(access_token, headers)).toEqual([403, 'auth.second_factor_due'])
  },
)

test('on the machine itself no second factor is needed; a session that began there needs it elsewhere', async () => {
  const response = await login()
  const { access_token } = (await response.clone().json()) as { access_token: string }
  expect(await dueOf(response)).toBeUndefined()
  expect(await openAdminArea(access_token)).toEqual([200, undefined])
  expect(await openAdminArea(access_token, forwarded)).toEqual([403, 'auth.second_factor_due'])
})

test('elsewhere a change of the address needs the factor first, because the first one is mailed', async () => {
  const change = (headers: HeadersInit) =>
    admin.request('/api/user/email', { headers, json: { email: 'thief@contoh.id', password: admin.password } })
  expect(((await (await change(forwarded)).json()) as { code: string }).code).toBe('auth.second_factor_due')
  expect((await change({})).status).toBe(202)
})

test('an account with a factor needs it from any network', async () => {
  await turnTotpOn(app, admin)
  for (const headers of [{}, forwarded]) expect((await login(headers)).status).toBe(401)
})
