import { randomUUID } from 'node:crypto'
import { eq, inArray } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { AdminUserDetail, AdminUserView } from '#features/account/admin/schemas.ts'
import type { Funnel, TimelineEntry } from '#features/admin/schemas.ts'
import { notifyStaff } from '#features/admin/server/notify-staff.ts'
import { firstOpenDay, rollUp } from '#features/admin/server/roll-up.ts'
import { dailyVisits } from '#features/admin/server/table.ts'
import type { Colleagues } from '#features/assignments/schemas.ts'
import type { GenerationCosts } from '#features/billing/admin/report-schemas.ts'
import type { AdminLedgerEntry, AdminOrderView, LedgerTotals, OrderTotals } from '#features/billing/admin/schemas.ts'
import { readGenerationCosts } from '#features/billing/server/reports/generation-costs.ts'
import { dailyGenerationCosts } from '#features/billing/server/tables/checks.ts'
import { orders } from '#features/billing/server/tables/orders.ts'
import { credits } from '#features/credits/server/credits.ts'
import { generations, providerJobs, refundRequests } from '#features/generations/server/table.ts'
import { auditLog } from '#server/audit/table.ts'
import { transact } from '#server/db/transact.ts'
import { adminSources } from '#server-app/registrations.ts'
import { order } from '#tests/support/checkout.ts'
import { createFakeEngine } from '#tests/support/fake-engine.ts'
import { reached, submitted } from '#tests/support/submit.ts'
import { createTestApp, type TestApp, type TestUser } from '#tests/support/test-app.ts'

let app: TestApp
let user: TestUser
let admin: TestUser

beforeAll(async () => {
  const env = { PAYMENTS: 'manual', MANUAL_ACCOUNTS: 'bca:123 456 7890:PT Rupa Contoh' }
  app = await createTestApp({ env, engine: createFakeEngine() })
  user = await app.createUser({ name: 'Wulan Lestari' })
  admin = await app.createUser({ role: 'admin', name: 'Ratna' })
})
afterAll(() => app.stop())

const read = async <Body>(path: string, by = admin) =>
  (await (await by.request(`/api/admin/${path}`)).json()) as Body & { code?: string }
const send = async (path: string, json: object, method = 'POST') =>
  (await admin.request(`/api/admin/${path}`, { json, method })).status

test('no two open manual transfers have the same sum, and the sum leads to the order', async () => {
  const buyers = [user, await app.createUser(), await app.createUser()]
  const placed = await Promise.all(buyers.map((buyer) => order(buyer, { packageId: 'starter', method: 'bca' })))
  const sums = placed.map(({ body }) => body.totalIdr)
  expect(new Set(sums).size).toBe(3)
  for (const { body } of placed) {
    expect(body.transferDigits).toBe(body.subtotalIdr - body.totalIdr)
    expect(body.transferDigits).toBeGreaterThan(0)
    expect(body.transferDigits).toBeLessThan(1000)
  }
  const found = await read<{ items: AdminOrderView[] }>(`orders?search=${sums[1]}`)
  expect(found.items.map(({ id }) => id)).toEqual([placed[1]?.body.id])
  const ofUser = await read<{ items: AdminOrderView[] }>('orders?search=ulan+est')
  expect(ofUser.items.map(({ buyer }) => buyer.id)).toEqual([user.id])
  const again = await order(user, { packageId: 'starter', method: 'bca' })
  expect(again.body).toMatchObject({ id: placed[0]?.body.id, totalIdr: sums[0] })
})

test('the sums of a list are those of its orders, with any filter', async () => {
  const { items } = await read<{ items: AdminOrderView[] }>('orders?limit=50')
  const total = items.reduce((sum, { totalIdr }) => sum + totalIdr, 0)
  expect(await read<OrderTotals>('orders/totals')).toEqual({
    orders: items.length,
    totalIdr: total,
    paidIdr: 0,
    refundedIdr: 0,
    netIdr: 0,
  })
  expect(await read<OrderTotals>(`orders/totals?user=${user.id}`)).toMatchObject({ orders: 1 })
  expect(await read<OrderTotals>('orders/totals?to=2020-01-01')).toMatchObject({ orders: 0, totalIdr: 0 })
  const { items: entries } = await read<{ items: AdminLedgerEntry[] }>(`ledger?userId=${user.id}&limit=50`)
  const given = entries.reduce((sum, { amount }) => sum + Math.max(0, amount), 0)
  expect(await read<LedgerTotals>(`ledger/totals?userId=${user.id}`)).toEqual({
    entries: entries.length,
    given,
    taken: 0,
  })
  const totals = items.map(({ totalIdr }) => totalIdr).toSorted((a, b) => b - a)
  const sorted = async (sort: string) =>
    (await read<{ items: AdminOrderView[] }>(`orders?sort=${sort}`)).items.map(({ totalIdr }) => totalIdr)
  // Older clients send the former names.
  for (const name of ['total_desc', 'dearest']) expect(await sorted(name), name).toEqual(totals)
  for (const name of ['total_asc', 'cheapest']) expect(await sorted(name), name).toEqual(totals.toReversed())
})

test('staff write a note and tags about a user, find them by a tag, and the audit log has none of the text', async () => {
  const json = { note: 'Pemilik studio', tags: ['studio', 'studio', 'prioritas'] }
  expect(await send(`users/${user.id}/note`, json, 'PUT')).toBe(204)
  expect(await send(`users/${user.id}/note`, { note: 'x'.repeat(2001), tags: [] }, 'PUT')).toBe(422)
  expect(await read<AdminUserDetail>(`users/${user.id}`)).toMatchObject({
    note: json.note,
    tags: ['studio', 'prioritas'],
  })
  const tagged = await read<{ items: AdminUserView[] }>('users?tag=studio')
  expect(tagged.items.map(({ id }) => id)).toEqual([user.id])
  const [entry] = await app.deps.db.select().from(auditLog).where(eq(auditLog.action, 'account.noted'))
  expect([entry?.actorId, entry?.before, entry?.after, entry?.reason]).toEqual([admin.id, null, null, null])
})

test('a link is mailed to the account’s own address, and no verification link to a verified one', async () => {
  const mails = `users/${user.id}/mails`
  expect(await send(mails, { template: 'verify_email', reason: 'minta' })).toBe(409)
  expect(await send(mails, { template: 'password_changed', reason: 'minta' })).toBe(422)
  expect(await send(mails, { template: 'reset_password', reason: 'minta lewat WhatsApp' })).toBe(204)
  expect((await app.mailTo(user.email, /reset-password/)).link).toContain('/reset-password/')
})

test('a timeline shows generations, orders, mails and staff actions, page by page, without a gap', async () => {
  const { id: generationId } = await submitted(user)
  await reached(user, generationId)
  const timeline = `users/${user.id}/timeline`
  const whole = await read<{ items: TimelineEntry[] }>(`${timeline}?limit=50`)
  const kinds = new Set(whole.items.map(({ kind }) => kind))
  expect([...kinds].sort()).toEqual(['credits', 'mail', 'order', 'run', 'staff'])
  expect(whole.items.find(({ kind }) => kind === 'run')).toMatchObject({ subject: generationId, state: 'succeeded' })
  expect(whole.items.find(({ kind }) => kind === 'mail')).toMatchObject({
    what: 'reset_password',
    state: 'sent',
    detail: expect.stringMatching(/kata sandi/),
  })
  const moments = whole.items.map(({ at }) => at)
  for (const [sort, expected] of [
    ['newest', moments],
    ['oldest', moments.toReversed()],
  ] as const) {
    const pages: TimelineEntry[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: { items: TimelineEntry[]; nextCursor: string | null } = await read(
        `${timeline}?limit=2&sort=${sort}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`,
      )
      pages.push(...page.items)
      cursor = page.nextCursor
    }
    expect(pages.map(({ at }) => at)).toEqual(expected)
    const told = (items: TimelineEntry[]) => items.map(({ at, kind, what }) => `${at} ${kind} ${what}`).sort()
    expect(told(pages)).toEqual(told(whole.items))
  }
  const mails = await read<{ items: TimelineEntry[] }>(`${timeline}?kind=mail`)
  expect(new Set(mails.items.map(({ kind }) => kind))).toEqual(new Set(['mail']))
})

test('the audit log is searched by part of the actor’s name', async () => {
  const found = await read<{ items: { actorId: string }[] }>('audit?search=atna')
  expect(new Set(found.items.map(({ actorId }) => actorId))).toEqual(new Set([admin.id]))
  expect((await read<{ items: unknown[] }>('audit?search=wulan')).items).toEqual([])
})

test('an admin’s token contains their duty, and the last admin without a duty cannot be given one', async () => {
  const second = await app.createUser({ role: 'admin' })
  const path = `/api/admin/users/${second.id}`
  const json = { role: 'admin', duty: 'finance', reason: 'keuangan' }
  const changed = await admin.request(path, { method: 'PATCH', json })
  expect(await changed.json()).toMatchObject({ role: 'admin', duty: 'finance' })
  const token = await app.signIn(second.email, second.password)
  const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as { sub: object }
  expect(claims.sub).toMatchObject({ role: 'admin', duty: 'finance' })
  const limited = (to: string, init: object = {}) => app.request(`/api/admin/${to}`, { token, ...init })
  expect([(await limited('orders')).status, (await limited('audit')).status]).toEqual([200, 403])
  // An admin with limited rights cannot extend them.
  expect((await limited(`users/${second.id}`, { method: 'PATCH', json: { duty: null, reason: 'x' } })).status).toBe(403)
  expect(await send(`users/${admin.id}`, { duty: 'support', reason: 'layanan' }, 'PATCH')).toBe(409)
  expect(await send(`users/${second.id}`, { role: 'user', reason: 'selesai' }, 'PATCH')).toBe(200)
  expect(await read<AdminUserDetail>(`users/${second.id}`)).toMatchObject({ role: 'user', duty: null })
})

test('a file for spreadsheets has days of western Indonesian time and names', async () => {
  const text = await (await admin.request('/api/admin/orders', { headers: { accept: 'text/csv' } })).text()
  const [head = '', first = ''] = text.replace(/^\uFEFF/, '').split('\r\n')
  expect(head).toContain('"created_at_wib"')
  expect(first).toMatch(/"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d"/)
  const { items } = await read<{ items: AdminOrderView[] }>('orders?limit=1')
  const local = new Date(Date.parse(items[0]?.createdAt ?? '') + 7 * 3_600_000).toISOString()
  expect(first).toContain(local.slice(0, 19).replace('T', ' '))
  const audit = await (await admin.request('/api/admin/audit', { headers: { accept: 'text/csv' } })).text()
  expect(audit).toContain('"Ratna"')
})

test('a device counts once a day, anonymously, and the funnel goes from visitors to buyers', async () => {
  const agent = 'Mozilla/5.0 (Linux; Android 14) Chrome/140.0 Mobile'
  const visit = async (first: boolean, userAgent = agent) =>
    (await app.request('/api/visits', { json: { first }, headers: { 'user-agent': userAgent } })).status
  const { total: before } = await read<Funnel>('funnel')
  expect([await visit(true), await visit(true), await visit(false), await visit(true, 'Googlebot/2.1')]).toEqual([
    204, 204, 204, 204,
  ])
  expect((await app.request('/api/visits', { json: { first: true, page: '/pricing' } })).status).toBe(204)
  expect((await app.request('/api/visits', { json: {} })).status).toBe(422)
  const newcomer = await app.createUser()
  await reached(newcomer, (await submitted(newcomer)).id)
  const { body } = await order(newcomer, { packageId: 'starter', method: 'bca' })
  expect(await send(`orders/${body.id}/confirm`, { reason: 'masuk' })).toBe(204)
  const { total, items, unit } = await read<Funnel>('funnel')
  const grown = Object.entries(total).map(([step, count]) => [step, count - before[step as keyof typeof before]])
  expect(Object.fromEntries(grown)).toEqual({ visits: 3, visitors: 2, registered: 1, started: 1, paid: 1 })
  expect([unit, items.reduce((sum, day) => sum + day.visits, 0)]).toEqual(['day', total.visits])
  expect((await read<Funnel>('funnel?from=2020-01-01&to=2020-03-31')).total.registered).toBe(0)
  expect(await app.deps.db.select().from(dailyVisits)).toEqual([
    { day: expect.any(String), visits: total.visits, visitors: total.visitors },
  ])
})

test('lists can be reversed, and their pages follow one another without a gap', async () => {
  for (const [path, sort] of [
    ['ledger', 'oldest'],
    ['ledger?from=2020-01-01', 'oldest'],
    ['audit', 'oldest'],
    ['security_events', 'oldest'],
    ['claims?status=refunded', 'oldest'],
    ['vouchers', 'code_down'],
    ['users', 'credits'],
    ['users', 'credits_down'],
  ]) {
    const join = path?.includes('?') ? '&' : '?'
    type Listed = { items: { id: unknown; code?: string }[]; nextCursor: string | null }
    const whole = await read<Listed>(`${path}${join}sort=${sort}&limit=50`)
    const ids: unknown[] = []
    for (let cursor: string | null = ''; cursor !== null && ids.length < whole.items.length; ) {
      const page: Listed = await read(`${path}${join}sort=${sort}&limit=2${cursor && `&cursor=${cursor}`}`)
      ids.push(...page.items.map(({ id }) => id))
      cursor = page.nextCursor
    }
    expect([path, ids.slice(0, whole.items.length)]).toEqual([path, whole.items.map(({ id }) => id)])
  }
})

test('the cost of generations at providers is shown beside the price of their credits', async () => {
  const { db } = app.deps
  const buyer = await app.createUser()
  const { body } = await order(buyer, { packageId: 'starter', method: 'bca' })
  expect(await send(`orders/${body.id}/confirm`, { reason: 'masuk' })).toBe(204)
  // The welcome credits, which cost nothing, are spent first.
  const generationIds: string[] = []
  for (let index = 0; index < 7; index++) {
    const { id } = await submitted(buyer)
    await reached(buyer, id)
    generationIds.push(id)
  }
  const sent = { taskKey: 'subject 0', task: 'subjectMatte', sent: 1, createdAt: app.clock.now() } as const
  const job = (generationId: string, cost: number | null, provider = 'fal') => ({
    ...sent,
    id: randomUUID(),
    generationId,
    provider,
    cost,
    state: 'done' as const,
  })
  const [first, last] = [generationIds[0] as string, generationIds.at(-1) as string]
  await db.insert(providerJobs).values([job(first, 0.01), job(last, 0.02), job(last, null, 'replicate')])
  await db
    .update(generations)
    .set({ provider: 'fal' })
    .where(inArray(generations.id, [first, last]))
  const { items, idrPerUsd } = await read<GenerationCosts>('run_costs')
  const earnedIdr = Math.round((5 * body.totalIdr) / 499)
  const costIdr = Math.round(0.03 * idrPerUsd)
  expect(items).toEqual([
    {
      tool: 'background-removal',
      provider: 'fal',
      generations: 2,
      costUnknown: 1,
      runs: 2,
      untold: 1,
      usd: expect.closeTo(0.03),
      credits: 10,
      costIdr,
      earnedIdr,
      marginIdr: earnedIdr - costIdr,
    },
  ])
  expect((await read<GenerationCosts>('run_costs?to=2020-01-01')).items).toEqual([])

  // Closed days stay as they are; later refunds count on their own day.
  const now = new Date(app.clock.now().getTime() + 3 * 86_400_000)
  const deps = { ...app.deps, clock: () => now }
  await rollUp(deps, adminSources)
  const later = async (from?: Date) =>
    (await readGenerationCosts({ ...deps, firstOpenDay }, from ? { from } : {})).items
  expect([await db.$count(dailyGenerationCosts), await later()]).toEqual([1, items])
  await transact(db, (tx) => credits.refund(tx, { userId: buyer.id, generationId: last, now }))
  expect(await later()).toMatchObject([{ generations: 2, credits: 5, earnedIdr: 0, costIdr }])
  expect(await later(now)).toMatchObject([{ generations: 0, credits: -5, costIdr: 0 }])
})

test('admins get mails about pending work: at once when it grows, once a day in the morning, by their permissions', async () => {
  const finance = await app.createUser({ role: 'admin', duty: 'finance' })
  const support = await app.createUser({ role: 'admin', duty: 'support' })
  const daily = await app.createUser({ role: 'admin', duty: 'finance' })
  expect((await daily.request('/api/admin/notices', { method: 'PUT', json: { mode: 'daily' } })).status).toBe(204)
  const to = (who: TestUser) => app.mails.filter((mail) => mail.to === who.email).length
  const { db } = app.deps
  const { body } = await order(user, { packageId: 'basic', method: 'bca' })
  const waits = () => db.update(orders).set({ status: 0 }).where(eq(orders.id, body.id))
  // Three in the morning, western Indonesian time.
  const hour = (app.clock.now().getUTCHours() + 7) % 24
  app.clock.advance({ hours: (27 - hour) % 24 })
  await waits()
  const healthy = { ...app.deps, health: async () => [] }
  for (let again = 0; again < 3; again++) await notifyStaff(healthy, adminSources)
  expect((await app.mailTo(finance.email)).text).toContain('1 transfer menunggu')
  await notifyStaff(
    { ...healthy, health: async () => [{ name: 'disk', value: 1, text: '', problem: true }] },
    adminSources,
  )
  expect((await app.mailTo(admin.email, /perlu kamu tangani/)).text).toContain('transfer')
  app.clock.advance({ hours: 6 })
  await notifyStaff(healthy, adminSources)
  expect((await app.mailTo(daily.email)).text).toContain('1 transfer menunggu')
  await notifyStaff(healthy, adminSources)
  expect([to(finance), to(support), to(daily)]).toEqual([1, 0, 1])
  await db.update(orders).set({ status: 1 }).where(eq(orders.status, 0))
  await notifyStaff(healthy, adminSources)
  await waits()
  await notifyStaff(healthy, adminSources)
  expect((await app.mailTo(finance.email, 2)).text).toContain('1 transfer menunggu')
  expect(to(daily)).toBe(1)
})

test('an order and a refund request are assigned to a colleague, who hears of it and finds them among theirs', async () => {
  // Sessions of earlier tests have ended.
  const [boss, buyer] = [await app.createUser({ role: 'admin' }), await app.createUser()]
  const give = async (path: string, assignee: string | null) =>
    (await boss.request(`/api/admin/${path}/assignee`, { json: { assignee }, method: 'PUT' })).status
  const colleague = await app.createUser({ role: 'admin', name: 'Bagus' })
  const { body: bought } = await order(buyer, { packageId: 'starter', method: 'bca' })
  const now = app.clock.now()
  const { id: claimed } = await reached(buyer, (await submitted(buyer)).id, 'succeeded')
  const request = {
    generationId: claimed,
    userId: buyer.id,
    reason: 'Kasar',
    status: 'waiting' as const,
    createdAt: now,
  }
  await app.deps.db.insert(refundRequests).values(request)

  const { items: able } = await read<Colleagues>('colleagues?work=refund_request', boss)
  expect(able).toEqual(expect.arrayContaining([{ id: colleague.id, name: 'Bagus' }]))
  expect(able.map(({ id }) => id)).not.toContain(buyer.id)
  expect(await give(`orders/${bought.id}`, buyer.id)).toBe(404)
  for (const path of [`orders/${bought.id}`, `claims/${claimed}`]) {
    expect(await give(path, colleague.id)).toBe(204)
    expect(await give(path, colleague.id)).toBe(204)
  }
  await app.mailTo(colleague.email, 2)
  const received = app.mails.filter(({ to }) => to === colleague.email)
  expect(received.map(({ link }) => new URL(link as string).pathname).sort()).toEqual([
    `/admin/billing/${bought.id}`,
    '/admin/klaim',
  ])

  const mineOf = async (path: string, by: TestUser) =>
    (await read<{ items: { id: string; assignee: unknown; dueAt: string | null }[] }>(`${path}?mine=true`, by)).items
  expect(await mineOf('orders', colleague)).toMatchObject([
    { id: bought.id, assignee: { id: colleague.id, name: 'Bagus' }, dueAt: null },
  ])
  const [claim] = await mineOf('claims', colleague)
  expect(claim).toMatchObject({ id: claimed, assignee: { name: 'Bagus' } })
  expect(Date.parse(claim?.dueAt as string) - now.getTime()).toBe(48 * 3_600_000)
  expect(await mineOf('orders', boss)).toEqual([])

  expect(await give(`orders/${bought.id}`, null)).toBe(204)
  expect(await mineOf('orders', colleague)).toEqual([])
  const entries = await app.deps.db.select().from(auditLog).where(eq(auditLog.subjectId, bought.id))
  expect(entries.filter(({ action }) => action === 'order.assigned')).toMatchObject([
    { actorId: boss.id, before: { assignee: null }, after: { assignee: colleague.id } },
    { before: { assignee: colleague.id }, after: { assignee: null } },
  ])
})
