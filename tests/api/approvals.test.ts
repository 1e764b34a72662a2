import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import type { Dashboard } from '#features/admin/schemas.ts'
import { approvalDays, defaultThresholds } from '#features/approvals/rules.ts'
import type { ApprovalView, WaitingApproval } from '#features/approvals/schemas.ts'
import { expireApprovals } from '#features/approvals/server/decide-approval.ts'
import { approvals } from '#features/approvals/server/table.ts'
import type { VoucherView } from '#features/billing/admin/schemas.ts'
import { vouchers } from '#features/billing/server/tables/catalogue.ts'
import { ledgerEntries } from '#features/credits/server/table.ts'
import { auditLog } from '#server/audit/table.ts'
import { users } from '#server/auth/table.ts'
import { readConfig } from '#server-app/config.ts'
import { balanceOf, order, orderOf } from '#tests/support/checkout.ts'
import { createTestApp, type TestApp, type TestUser } from '#tests/support/test-app.ts'

const reason = 'Ganti rugi'
const thresholds = { APPROVAL_CREDITS: '1000', APPROVAL_IDR: '500000' }

let app: TestApp
let buyer: TestUser
let admin: TestUser
let finance: TestUser
let support: TestUser
beforeAll(async () => {
  app = await createTestApp({ env: thresholds })
  admin = await app.createUser({ role: 'admin' })
  finance = await app.createUser({ role: 'admin', duty: 'finance' })
  support = await app.createUser({ role: 'admin', duty: 'support' })
})
afterAll(() => app.stop())
beforeEach(async () => {
  buyer = await app.createUser()
  // Grants of earlier days no longer count.
  app.clock.advance({ days: 1 })
  for (const user of [admin, finance, support])
    Object.assign(user, { token: await app.signIn(user.email, user.password) })
  buyer = { ...buyer, ...(await resigned(buyer)) }
})

async function resigned(user: TestUser): Promise<Partial<TestUser>> {
  const token = await app.signIn(user.email, user.password)
  return { token, request: (path, init) => app.request(path, { token, ...init }) }
}

async function adjust(by: TestUser, amount: number, key: string = randomUUID(), userId = buyer.id) {
  const json = { userId, amount, reason }
  const headers = { 'idempotency-key': key }
  const response = await app.request('/api/admin/credit_adjustments', { json, headers, token: by.token })
  return { status: response.status, body: (await response.json()) as WaitingApproval & { code?: string } }
}

async function decide(by: TestUser, id: string, accept = true): Promise<[number, string | undefined]> {
  const response = await app.request(`/api/admin/approvals/${id}`, {
    json: { accept, reason: 'Benar' },
    token: by.token,
  })
  return [response.status, response.status === 204 ? undefined : ((await response.json()) as { code: string }).code]
}

const listed = async (by: TestUser, status = 'waiting') =>
  (
    (await (await app.request(`/api/admin/approvals?status=${status}`, { token: by.token })).json()) as {
      items: ApprovalView[]
    }
  ).items
const adjustmentsOf = async (id: string) =>
  (await app.deps.db.select().from(ledgerEntries).where(eq(ledgerEntries.userId, id))).filter(
    ({ kind }) => kind === 'adjustment',
  )

test('credits up to the threshold are granted at once, above it a second admin confirms', async () => {
  const before = (await balanceOf(buyer)).credits
  expect((await adjust(finance, 1000)).status).toBe(201)
  const { status, body } = await adjust(finance, 1)
  expect([status, body.approval.status]).toEqual([202, 'waiting'])
  expect((await balanceOf(buyer)).credits).toBe(before + 1000)
  const [waiting] = await listed(admin)
  expect(waiting).toMatchObject({
    id: body.approval.id,
    kind: 'credit_adjustment',
    unit: 'credits',
    amount: 1,
    reason,
    user: { id: buyer.id },
    requestedBy: { id: finance.id },
  })
  expect(await decide(admin, body.approval.id)).toEqual([204, undefined])
  expect((await balanceOf(buyer)).credits).toBe(before + 1001)
  const actions = await app.deps.db.select().from(auditLog)
  const of = (action: string) => actions.findLast((entry) => entry.action === action)
  expect(of('approval.requested')).toMatchObject({ actorId: finance.id, subjectId: body.approval.id, reason })
  expect(of('credits.adjusted')).toMatchObject({ actorId: finance.id, subjectId: buyer.id })
  expect(of('approval.approved')).toMatchObject({ actorId: admin.id, subjectId: body.approval.id, reason: 'Benar' })
})

test('taking credits counts like granting them', async () => {
  expect((await adjust(admin, 900)).status).toBe(201)
  const { status, body } = await adjust(admin, -101)
  expect(status).toBe(202)
  expect(await decide(finance, body.approval.id)).toEqual([204, undefined])
  expect((await adjustmentsOf(buyer.id)).map(({ amount }) => amount)).toEqual([900, -101])
})

test('neither the requester nor staff without that permission decides', async () => {
  const { body } = await adjust(finance, 5000)
  const { id } = body.approval
  expect(await decide(finance, id)).toEqual([409, 'approval.own'])
  expect(await decide(support, id)).toEqual([403, 'auth.forbidden'])
  expect(await decide(buyer, id)).toEqual([403, 'auth.forbidden'])
  expect(await adjustmentsOf(buyer.id)).toEqual([])
})

test('neither the owner of the account nor a duty that is not above it confirms', async () => {
  const { body } = await adjust(admin, 5000, randomUUID(), support.id)
  // Only a full admin is above support.
  const second = await app.createUser({ role: 'admin' })
  expect(body.code).toBe('approval.no_second_person')
  const asked = await adjust(admin, 5000, randomUUID(), support.id)
  expect(await decide(finance, asked.body.approval.id)).toEqual([403, 'account.higher_duty'])
  const own = await adjust(admin, 5000, randomUUID(), finance.id)
  expect(await decide(finance, own.body.approval.id)).toEqual([409, 'account.own'])
  expect(await decide(second, asked.body.approval.id, false)).toEqual([204, undefined])
  expect(await decide(second, own.body.approval.id, false)).toEqual([204, undefined])
  await app.deps.db.update(users).set({ disabledAt: app.clock.now() }).where(eq(users.id, second.id))
})

test('an approved action happens once, however often it is requested and confirmed', async () => {
  const key = randomUUID()
  const asked = await Promise.all([adjust(finance, 2000, key), adjust(finance, 2000, key), adjust(finance, 2000, key)])
  expect(new Set(asked.map(({ body }) => body.approval.id)).size).toBe(1)
  const id = asked[0]?.body.approval.id ?? ''
  const second = await app.createUser({ role: 'admin' })
  const answers = await Promise.all([decide(admin, id), decide(admin, id), decide(second, id), decide(second, id)])
  expect(answers.filter(([status]) => status === 204).length).toBeGreaterThan(0)
  expect(answers.filter(([, code]) => code === 'approval.final')).toHaveLength(2)
  expect((await adjustmentsOf(buyer.id)).map(({ amount }) => amount)).toEqual([2000])
  // A retry finds the first request's outcome.
  const again = await adjust(finance, 2000, key)
  expect([again.status, (await adjustmentsOf(buyer.id)).length]).toEqual([201, 1])
  expect((await adjust(finance, 2001, key)).body.code).toBe('idempotency.reused')
  await app.deps.db.update(users).set({ disabledAt: app.clock.now() }).where(eq(users.id, second.id))
})

test('a refusal changes nothing, and the same request again stays refused', async () => {
  const key = randomUUID()
  const { body } = await adjust(finance, 3000, key)
  expect(await decide(admin, body.approval.id, false)).toEqual([204, undefined])
  expect(await decide(admin, body.approval.id, true)).toEqual([409, 'approval.final'])
  expect((await adjust(finance, 3000, key)).body.approval).toEqual({ id: body.approval.id, status: 'refused' })
  expect(await adjustmentsOf(buyer.id)).toEqual([])
  expect((await listed(admin, 'refused'))[0]).toMatchObject({ id: body.approval.id, answer: 'Benar' })
})

test('an action that fails when it is confirmed stays pending, and changes nothing', async () => {
  expect((await adjust(admin, 500)).status).toBe(201)
  const taken = await adjust(finance, -(await balanceOf(buyer)).credits, randomUUID())
  const more = await adjust(finance, 1500)
  expect([taken.status, more.status]).toEqual([201, 202])
  await app.deps.db.update(users).set({ duty: 'support' }).where(eq(users.id, finance.id))
  expect(await decide(admin, more.body.approval.id)).toEqual([409, 'approval.requester_changed'])
  expect((await listed(admin)).map(({ id }) => id)).toContain(more.body.approval.id)
  await app.deps.db.update(users).set({ duty: 'finance' }).where(eq(users.id, finance.id))
  expect(await decide(admin, more.body.approval.id)).toEqual([204, undefined])
})

test('an approval without a decision in time expires', async () => {
  const { body } = await adjust(finance, 4000)
  app.clock.advance({ days: approvalDays })
  Object.assign(admin, { token: await app.signIn(admin.email, admin.password) })
  expect(await decide(admin, body.approval.id)).toEqual([409, 'approval.expired'])
  await expireApprovals(app.deps)
  expect((await listed(admin, 'expired')).map(({ id }) => id)).toContain(body.approval.id)
  expect(await adjustmentsOf(buyer.id)).toEqual([])
})

test('a large order is paid when a second admin confirms its payment', async () => {
  const placed = await order(buyer, { packageId: 'premium', method: 'bca' })
  expect(placed.body.totalIdr).toBeGreaterThan(500_000)
  const confirm = () =>
    app.request(`/api/admin/orders/${placed.body.id}/confirm`, {
      json: { reason: 'Sudah masuk' },
      token: finance.token,
    })
  const [first, second] = [await confirm(), await confirm()]
  expect([first.status, second.status]).toEqual([202, 202])
  const { approval } = (await first.json()) as WaitingApproval
  expect(((await second.json()) as WaitingApproval).approval).toEqual(approval)
  expect((await orderOf(buyer, placed.body.id)).status).not.toBe(2)
  const dashboard = (await (await app.request('/api/admin/dashboard', { token: admin.token })).json()) as Dashboard
  expect(dashboard.open).toMatchObject({ orderApprovals: 1 })
  expect(await decide(admin, approval.id)).toEqual([204, undefined])
  const paid = await orderOf(buyer, placed.body.id)
  expect([paid.status, paid.history.at(-1)?.by]).toEqual([2, 'admin'])
  expect((await confirm()).status).toBe(204)
})

test('an order that an admin turned down meanwhile is not paid by an approval from before', async () => {
  const { body } = await order(buyer, { packageId: 'premium', method: 'bca' })
  const confirm = await app.request(`/api/admin/orders/${body.id}/confirm`, {
    json: { reason: 'Masuk' },
    token: finance.token,
  })
  const { approval } = (await confirm.json()) as WaitingApproval
  await app.request(`/api/admin/orders/${body.id}/cancel`, { json: { reason: 'Salah' }, token: admin.token })
  expect(await decide(admin, approval.id)).toEqual([409, 'change.outdated'])
  expect(await decide(admin, approval.id, false)).toEqual([204, undefined])
})

test('a voucher of high value waits for approval, and so does a raised limit', async () => {
  const second = await app.createUser({ role: 'admin' })
  const make = async (code: string, given: object) => {
    const json = { code, kind: 'free_credits', value: 10, ...given }
    return await app.request('/api/admin/vouchers', { json, token: admin.token })
  }
  expect((await make('KECIL', { limitTotal: 100 })).status).toBe(201)
  expect((await make('KECIL', {})).status).toBe(422)
  const large = await make('TANPABATAS', { validUntil: '2030-01-01' })
  expect([large.status, await app.deps.db.$count(vouchers, eq(vouchers.code, 'TANPABATAS'))]).toEqual([202, 0])
  const { approval } = (await large.json()) as WaitingApproval
  expect(await decide(finance, approval.id)).toEqual([404, 'approval.not_found'])
  expect(await decide(second, approval.id)).toEqual([204, undefined])
  const [made] = await app.deps.db.select().from(vouchers).where(eq(vouchers.code, 'TANPABATAS'))
  expect(made).toMatchObject({
    createdBy: admin.id,
    limitTotal: null,
    validUntil: new Date('2030-01-01T23:59:59.999+07:00'),
  })

  const [small] = await app.deps.db.select().from(vouchers).where(eq(vouchers.code, 'KECIL'))
  const edit = (json: object) =>
    app.request(`/api/admin/vouchers/${small?.id}`, { method: 'PATCH', json, token: admin.token })
  expect((await edit({ limitTotal: 50 })).status).toBe(200)
  const raised = await edit({ limitTotal: 101 })
  expect(raised.status).toBe(202)
  // The voucher has changed since the request.
  const changed = (await (await edit({ active: false })).json()) as VoucherView
  const { approval: more } = (await raised.json()) as WaitingApproval
  expect(await decide(second, more.id)).toEqual([409, 'change.outdated'])
  expect(await decide(second, more.id, false)).toEqual([204, undefined])
  expect(changed).toMatchObject({ limitTotal: 50, active: false })
  await app.deps.db.update(users).set({ disabledAt: app.clock.now() }).where(eq(users.id, second.id))
})

test('approvals about an account go into its archive, and their words with it', async () => {
  const { body } = await adjust(finance, 6000)
  const { personalData } = (await import('#features/approvals/server/contributions.ts')).approvalContributions
  const archived: unknown[] = []
  const person = { userId: buyer.id, language: 'id' } as const
  for await (const { content } of personalData.archive(app.deps, person)) archived.push(content)
  expect(String(archived)).toContain(reason)
  await app.deps.db.transaction((tx) => personalData.erase(tx, { userId: buyer.id, now: app.clock.now() }))
  const [row] = await app.deps.db.select().from(approvals).where(eq(approvals.id, body.approval.id))
  expect(row).toMatchObject({ status: 'expired', reason: '', request: {} })
})

test('without configured thresholds, a single admin grants any sum, and two confirm for each other', async () => {
  const shop = await createTestApp()
  try {
    const [only, user] = [await shop.createUser({ role: 'admin' }), await shop.createUser()]
    const grant = (amount: number) =>
      only.request('/api/admin/credit_adjustments', {
        json: { userId: user.id, amount, reason },
        headers: { 'idempotency-key': randomUUID() },
      })
    expect((await grant(defaultThresholds.credits + 1)).status).toBe(201)
    await shop.createUser({ role: 'admin', duty: 'finance' })
    expect((await grant(1)).status).toBe(202)
  } finally {
    await shop.stop()
  }
})

test.each([
  ['APPROVAL_CREDITS', '-1'],
  ['APPROVAL_IDR', '1.5'],
])('%s=%s is refused at the start', (name, value) => {
  expect(() => readConfig({ [name]: value })).toThrow(`${name} must be a whole number, or off`)
})
