import { afterAll, beforeAll, expect, test } from 'vitest'
import { vouchers } from '#features/billing/server/tables/catalogue.ts'
import { auditLog } from '#server/audit/table.ts'
import type { Duty, Permission } from '#shared/roles.ts'
import { type AdminSubjects, adminCalls, callAdminRoute, makeAdminSubjects } from '#tests/support/admin-calls.ts'
import { createFakeEngine } from '#tests/support/fake-engine.ts'
import { createTestApp, type TestApp, type TestUser } from '#tests/support/test-app.ts'

/** The test fails for a route without a permission. */
const routesBy: Record<Permission, (route: string) => boolean> = {
  overview: (route) => /(dashboard|funnel|notices)$/.test(route),
  people: (route) => /^GET \/admin\/(users|ledger)/.test(route),
  help: (route) => /(end_sessions|note|mails|run_again)$/.test(route) && !route.includes('custom_edits'),
  refunds: (route) => route.includes('/admin/claims'),
  credits: (route) => route.endsWith('/admin/credit_adjustments'),
  orders: (route) => /GET \/admin\/(orders|colleagues)|orders\/:id\/assignee/.test(route),
  money: (route) =>
    /(POST \/admin\/(orders|payments)|billing_differences|\/(revenue|run_costs|taxes|efaktur))/.test(route),
  approvals: (route) => route.includes('/admin/approvals'),
  requests: (route) => route.includes('/admin/custom_edits'),
  moderation: (route) => /\/admin\/(content_reports|account_limits)/.test(route),
  shop: (route) =>
    /\/admin\/(tools|tool_prices|packages|idr_rate|vouchers|passport_presets|locations|announcements|mail_templates)/.test(
      route,
    ),
  control: (route) =>
    /(PATCH \/admin\/users|reset_factors|ask_age|\/(audit|security_events|jobs|health|error_reports|providers|provider_settings|tasks|models))/.test(
      route,
    ),
}
/** Admins without a duty have all permissions. */
const rights: Record<'owner' | 'stranger' | 'designer' | Duty, Permission[]> = {
  owner: [],
  stranger: [],
  designer: ['requests'],
  finance: ['overview', 'people', 'credits', 'orders', 'money', 'approvals'],
  support: ['overview', 'people', 'help', 'refunds', 'orders', 'requests', 'moderation'],
}

let app: TestApp
let people: Record<keyof typeof rights, TestUser>
let admin: TestUser
let subjects: AdminSubjects

beforeAll(async () => {
  app = await createTestApp({ engine: createFakeEngine() })
  people = {
    owner: await app.createUser(),
    stranger: await app.createUser(),
    designer: await app.createUser({ role: 'designer' }),
    finance: await app.createUser({ role: 'admin', duty: 'finance' }),
    support: await app.createUser({ role: 'admin', duty: 'support' }),
  }
  admin = await app.createUser({ role: 'admin' })
  subjects = await makeAdminSubjects(app, people.owner, admin)
})
afterAll(() => app.stop())

const replay = (route: string, token: string | undefined) => callAdminRoute(app, route, subjects, token)

test('every route of the admin area has a call here, and no other has', () => {
  const { routes } = app.composition.app
  // The document of the admin area describes its calls and contains no data.
  const own = routes.filter(
    ({ method, path }) => method !== 'ALL' && path.startsWith('/api/admin/') && path !== '/api/admin/openapi.json',
  )
  const names = [...new Set(own.map(({ method, path }) => `${method} ${path.slice('/api'.length)}`))]
  expect(Object.keys(adminCalls).sort()).toEqual(names.sort())
  // Only global middleware takes any method.
  const any = new Set(routes.filter(({ method }) => method === 'ALL').map(({ path }) => path))
  expect([...any].sort()).toEqual(['/*', '/api/*', '/v1.0/*'])
})

test('each route requires its permission: without it a call is refused and changes nothing, with it the call passes', async () => {
  const { db } = app.deps
  const before = [await db.$count(auditLog), await db.select().from(vouchers)]
  const wrong: string[] = []
  const permissionOf = (route: string) => {
    const names = (Object.keys(routesBy) as Permission[]).filter((name) => routesBy[name](route))
    if (names.length !== 1) wrong.push(`${route} is in ${names.length} permissions: ${names}`)
    return names[0] as Permission
  }
  const all = Object.keys(adminCalls).map((route) => ({ route, permission: permissionOf(route) }))
  const allStaff = Object.keys(rights) as (keyof typeof rights)[]
  for (const { route, permission } of all) {
    const expected = async (who: string, token: string | undefined, refusal: string) => {
      const found = (await replay(route, token)).join(' ')
      if (found !== refusal) wrong.push(`${route} by ${who}: ${found}`)
    }
    await expected('a visitor', undefined, '401 auth.required')
    for (const who of allStaff.filter((name) => !rights[name].includes(permission)))
      await expected(who, people[who].token, '403 auth.forbidden')
  }
  expect([await db.$count(auditLog), await db.select().from(vouchers)]).toEqual(before)
  for (const { route, permission } of all.filter(({ route }) => route.startsWith('GET ')))
    for (const who of allStaff.filter((name) => rights[name].includes(permission)))
      if ((await replay(route, people[who].token))[0] === 403) wrong.push(`${route} by ${who} is refused`)
  expect(wrong).toEqual([])
})

test('a designer cannot access requests of another designer', async () => {
  const other = await app.createUser({ role: 'designer' })
  expect(await replay('POST /admin/custom_edits/:id/take', other.token)).toEqual([204, undefined])
  for (const verb of ['take', 'return', 'results', 'done', 'decline']) {
    const found = await replay(`POST /admin/custom_edits/:id/${verb}`, people.designer.token)
    expect([verb, ...found]).toEqual([verb, 409, 'custom_edit.taken'])
  }
  expect(await replay('POST /admin/custom_edits/:id/return', other.token)).toEqual([204, undefined])
})

test('the calls are valid for an admin: none is refused for its role or its shape', async () => {
  const wrong: string[] = []
  for (const route of Object.keys(adminCalls)) {
    const [status, code] = await replay(route, admin.token)
    // 404 and 409 do not count as missing permissions.
    if (status >= 400 && ![404, 409].includes(status)) wrong.push(`${route}: ${status} ${code}`)
  }
  expect(wrong).toEqual([])
})
