import { afterAll, beforeAll, expect, test } from 'vitest'
import { ledgerEntries } from '#features/credits/server/table.ts'
import { auditLog } from '#server/audit/table.ts'
import { permissionsOf, type StaffWork } from '#shared/roles.ts'
import { type AdminSubjects, adminCalls, callAdminRoute, makeAdminSubjects } from '#tests/support/admin-calls.ts'
import { order, voucher } from '#tests/support/checkout.ts'
import { createFakeEngine } from '#tests/support/fake-engine.ts'
import { createTestApp, type TestApp, type TestUser } from '#tests/support/test-app.ts'

/** `null`: no account. */
const workOf = (route: string): StaffWork | null | undefined => {
  if (/\/custom_edits\//.test(route)) return 'service'
  // Looking is audited, and changes nothing.
  if (/\/content_reports\/:id\/picture/.test(route)) return null
  // Handing work to a colleague decides nothing.
  if (/\/assignee$/.test(route)) return null
  if (
    /\/admin\/(users|orders|payments|claims|generations|credit_adjustments|content_reports|account_limits)/.test(route)
  )
    return 'account'
  if (/\/admin\/(billing_differences|approvals)/.test(route)) return null
  if (
    /\/admin\/(notices|tool_prices|tools|packages|idr_rate|vouchers|passport_presets|locations|announcements)/.test(
      route,
    )
  )
    return null
  if (/\/admin\/(mail_templates|models|providers|provider_settings|tasks)/.test(route)) return null
  return undefined
}
const changing = Object.keys(adminCalls).filter((route) => !route.startsWith('GET '))

let app: TestApp
let staff: Record<'admin' | 'second' | 'finance' | 'support' | 'designer', TestUser>
let subjects: Record<keyof typeof staff, AdminSubjects>

beforeAll(async () => {
  app = await createTestApp({ engine: createFakeEngine() })
  staff = {
    admin: await app.createUser({ role: 'admin' }),
    second: await app.createUser({ role: 'admin' }),
    finance: await app.createUser({ role: 'admin', duty: 'finance' }),
    support: await app.createUser({ role: 'admin', duty: 'support' }),
    designer: await app.createUser({ role: 'designer' }),
  }
  const entries: [string, AdminSubjects][] = []
  for (const [name, user] of Object.entries(staff))
    entries.push([name, await makeAdminSubjects(app, user, staff.admin)])
  subjects = Object.fromEntries(entries) as typeof subjects
})
afterAll(() => app.stop())

/** Of all routes about accounts that the caller may use otherwise. */
async function refusals(
  by: keyof typeof staff,
  about: keyof typeof staff,
  works: StaffWork[] = ['account', 'service'],
): Promise<Record<string, string>> {
  const { db } = app.deps
  const before = [await db.$count(auditLog), await db.$count(ledgerEntries)]
  const found: Record<string, string> = {}
  for (const route of changing.filter((route) => works.some((work) => work === workOf(route)))) {
    const [status, code] = await callAdminRoute(app, route, subjects[about], staff[by].token, `${by}-${about}`)
    if (code !== 'auth.forbidden') found[route] = code ?? `${status}`
  }
  expect([await db.$count(auditLog), await db.$count(ledgerEntries)], 'nothing was done').toEqual(before)
  return found
}

test('each changing route of staff is listed with or without an account in it', () => {
  expect(changing.filter((route) => workOf(route) === undefined)).toEqual([])
})

test('no member of staff can act on their own account', async () => {
  for (const by of ['admin', 'finance', 'support', 'designer'] as const) {
    const found = await refusals(by, by)
    expect(Object.keys(found).length, by).toBeGreaterThan(0)
    expect([by, [...new Set(Object.values(found))]]).toEqual([by, ['account.own']])
  }
})

test.each([
  ['support', 'admin'],
  ['finance', 'admin'],
  ['support', 'finance'],
  ['finance', 'support'],
] as const)('%s cannot act on the account of %s', async (by, about) => {
  const found = Object.values(await refusals(by, about, ['account']))
  expect(found.length).toBeGreaterThan(0)
  expect([...new Set(found)]).toEqual(['account.higher_duty'])
})

test('an admin acts on every other account, and a duty on those below', async () => {
  const call = (route: string, about: keyof typeof staff, by: keyof typeof staff) =>
    callAdminRoute(app, route, subjects[about], staff[by].token, `${by}-for-${about}`)
  expect(await call('PUT /admin/users/:id/note', 'admin', 'second')).toEqual([204, undefined])
  expect(await call('POST /admin/credit_adjustments', 'support', 'second')).toEqual([201, undefined])
  expect(await call('POST /admin/credit_adjustments', 'designer', 'finance')).toEqual([201, undefined])
  expect(await call('POST /admin/users/:id/end_sessions', 'designer', 'support')).toEqual([204, undefined])
  expect(permissionsOf({ role: 'admin', duty: 'support' })).not.toContain('credits')
})

test('staff cannot redeem a voucher that they have created or changed', async () => {
  const json = { code: 'UNTUKSAYA', kind: 'free_credits', value: 5, limitTotal: 5 }
  expect((await staff.admin.request('/api/admin/vouchers', { json })).status).toBe(201)
  const own = await order(staff.admin, { voucherCode: 'UNTUKSAYA' })
  expect([own.body.code, own.body.details]).toEqual(['voucher.invalid', { voucherCode: 'voucher.own' }])
  expect((await order(staff.second, { voucherCode: 'UNTUKSAYA' })).body.status).toBe(2)
  const code = await voucher(app, { kind: 'free_credits', value: 5 })
  const { items } = (await (await staff.second.request(`/api/admin/vouchers?code=${code}`)).json()) as {
    items: { id: string }[]
  }
  const path = `/api/admin/vouchers/${items[0]?.id}`
  expect((await staff.second.request(path, { method: 'PATCH', json: { active: true } })).status).toBe(200)
  expect((await order(staff.second, { voucherCode: code })).body.code).toBe('voucher.invalid')
})
