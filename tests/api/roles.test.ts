import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Role } from '#shared/roles.ts'
import { createTestApp, type TestApp } from '#tests/support/test-app.ts'

/** Every other call under /api needs a token; the test fails for a new route without a guard. */
const open = new Set([
  'GET /api/openapi.json',
  'GET /api/admin/openapi.json',
  'GET /api/v1/openapi.json',
  'GET /api/reference',
  'GET /api/reference/:file',
  'POST /api/register',
  'POST /api/error_reports',
  'POST /api/visits',
  'GET /api/verify_email/:token',
  'POST /api/verify_email',
  'GET /api/resend_confirmation_email',
  'POST /api/login',
  'POST /api/login_code',
  'POST /api/login_token',
  'POST /api/login_passkey',
  'POST /api/passkey_options',
  'POST /api/forgot_password',
  'GET /api/reset_password/:token',
  'POST /api/reset_password/:token',
  'POST /api/keep_factors',
  'GET /api/guardian_consents/:token',
  'POST /api/guardian_consents/:token',
  'POST /api/guardian_consents/:token/resend',
  'GET /api/confirm_email/:token',
  'GET /api/auth/providers',
  'GET /api/login_google',
  'GET /api/login_google/callback',
  'GET /api/login_facebook',
  'GET /api/login_facebook/callback',
  'GET /api/announcements',
  'GET /api/tools',
  'POST /api/tools/:tool/params',
  'POST /api/tools/:tool/preview',
  'POST /api/login_verified',
  'GET /api/locations',
  'GET /api/locations/:version/picture',
  'GET /api/packages',
  'GET /api/passport_presets',
  'GET /api/payment_methods',
  'GET /api/site',
  'GET /api/version',
  // Checked by signature, gateway token or local origin instead.
  'GET /api/files/:id/:name',
  'GET /api/shared_results/:token/:picture',
  'GET /api/locations',
  'GET /api/locations/:version/picture',
  'POST /api/shared_results/:token/open',
  'POST /api/shared_results/:token/reports',
  'GET /api/mail_previews/:template/:language',
  'GET /api/custom_edit_files/:id/:name',
  'GET /api/custom_edit_results/:id/:proof',
  'POST /api/webhooks/xendit',
  'POST /api/webhooks/providers/:provider/:reference',
  'GET /api/simulator/:session',
  'POST /api/simulator/:session/:action',
])

/** The part of the admin area that designers may use. */
const forDesigners = /^\/api\/admin\/custom_edits(\/|$)/

interface Route {
  method: string
  path: string
}

let app: TestApp
let routes: Route[]
let tokens: Record<Role, string>
beforeAll(async () => {
  app = await createTestApp()
  // Middleware is registered under ALL, or on a pattern.
  const found = app.composition.app.routes.filter(({ method, path }) => method !== 'ALL' && /^\/api\//.test(path))
  routes = [...new Map(found.map(({ method, path }) => [`${method} ${path}`, { method, path }])).values()]
  const [user, designer, admin] = [
    await app.createUser(),
    await app.createUser({ role: 'designer' }),
    await app.createUser({ role: 'admin' }),
  ]
  tokens = { user: user.token, designer: designer.token, admin: admin.token }
})
afterAll(() => app.stop())

/** The document of the admin area is public like the others: it holds no data. */
const isAdmins = ({ path }: Route) => path.startsWith('/api/admin/') && path !== '/api/admin/openapi.json'

/** Sends only path parameters, so that nothing but a guard can respond first. */
async function call({ method, path }: Route, token?: string): Promise<[number, string | undefined]> {
  const address = path.replace(/:\w+(\{[^}]*\})?/g, '00000000-0000-4000-8000-000000000000')
  const response = await app.request(address, { method, token })
  const text = response.headers.get('content-type')?.startsWith('application/json') ? await response.text() : '{}'
  return [response.status, (JSON.parse(text || '{}') as { code?: string }).code]
}

test('the route table is complete, and every open route still exists', () => {
  expect(routes.length).toBeGreaterThan(40)
  expect(routes.filter(isAdmins).length).toBeGreaterThan(5)
  const names = routes.map(({ method, path }) => `${method} ${path}`)
  expect([...open].filter((name) => !names.includes(name))).toEqual([])
})

test('without a token every route that is not open responds 401', async () => {
  const wrong = []
  for (const route of routes.filter(({ method, path }) => !open.has(`${method} ${path}`))) {
    const [status, code] = await call(route)
    if (status !== 401 || code !== 'auth.required') wrong.push(`${route.method} ${route.path}: ${status} ${code}`)
  }
  expect(wrong).toEqual([])
})

test('an open route requires no token', async () => {
  const wrong = []
  for (const route of routes.filter(({ method, path }) => open.has(`${method} ${path}`))) {
    const [status, code] = await call(route)
    if (status === 401 && code === 'auth.required') wrong.push(`${route.method} ${route.path}`)
  }
  expect(wrong).toEqual([])
})

describe('the admin area', () => {
  test('responds 403 to a user’s token on every call', async () => {
    const wrong = []
    for (const route of routes.filter(isAdmins)) {
      const [status, code] = await call(route, tokens.user)
      if (status !== 403 || code !== 'auth.forbidden') wrong.push(`${route.method} ${route.path}: ${status} ${code}`)
    }
    expect(wrong).toEqual([])
  })

  test('responds 403 to a designer’s token on every call but those for custom requests', async () => {
    const wrong = []
    for (const route of routes.filter(isAdmins)) {
      const [status, code] = await call(route, tokens.designer)
      const refused = status === 403 && code === 'auth.forbidden'
      if (refused === forDesigners.test(route.path)) wrong.push(`${route.method} ${route.path}: ${status} ${code}`)
    }
    expect(wrong).toEqual([])
  })

  test('refuses an admin nothing', async () => {
    const wrong = []
    for (const route of routes.filter(isAdmins)) {
      const [status, code] = await call(route, tokens.admin)
      if (status === 401 || status === 403) wrong.push(`${route.method} ${route.path}: ${status} ${code}`)
    }
    expect(wrong).toEqual([])
  })
})

test('a signed-in user reaches every other route that needs a token', async () => {
  const wrong = []
  // Signing out would end the token.
  const tried = routes.filter((route) => !isAdmins(route) && !/logout|\/user\/sessions$/.test(route.path))
  for (const route of tried.filter(({ path }) => path !== '/api/events')) {
    const [status, code] = await call(route, tokens.user)
    if (code === 'auth.forbidden' || code === 'auth.required') wrong.push(`${route.method} ${route.path}: ${status}`)
  }
  expect(wrong).toEqual([])
})
