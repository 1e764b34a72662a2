import { randomUUID } from 'node:crypto'
import { eq, max, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { AdminLedgerEntry, VoucherView } from '#features/billing/admin/schemas.ts'
import { orderStatus } from '#features/billing/rules.ts'
import { expireOrders } from '#features/billing/server/orders/expire-orders.ts'
import { reconcileLedger } from '#features/billing/server/reconciliation/reconcile-ledger.ts'
import { billingChecks } from '#features/billing/server/tables/checks.ts'
import { orders, receipts } from '#features/billing/server/tables/orders.ts'
import { verifyVoucher } from '#features/billing/server/vouchers/vouchers.ts'
import type { CreditAdjustment } from '#features/credits/schemas.ts'
import { accountProofs, creditLots, ledgerEntries } from '#features/credits/server/table.ts'
import { users } from '#server/auth/table.ts'
import { auditedBooks, balanceOf, createUser, order, orderOf, placeOrder, voucher } from '#tests/support/checkout.ts'
import { createTestApp, type TestApp, type TestUser } from '#tests/support/test-app.ts'

let app: TestApp
let user: TestUser
let admin: TestUser

beforeAll(async () => {
  app = await createTestApp({
    env: {
      PAYMENTS: 'manual,simulator',
      MANUAL_ACCOUNTS: 'bca:123 456 7890:PT Rupa Contoh',
      SELLER_NAME: 'PT Rupa Contoh',
      SELLER_ADDRESS: 'Jl. Merdeka 17, Bandung 40111',
      SELLER_NPWP: '01.234.567.8-901.000',
    },
  })
  user = await app.createUser()
  admin = await app.createUser({ role: 'admin' })
})
afterAll(async () => {
  expect(await auditedBooks(app)).toEqual([])
  await app.stop()
})

describe('credits that an admin adjusts', () => {
  const adjust = async (json: object, key: string = randomUUID(), by: TestUser = admin) => {
    const headers = { 'idempotency-key': key }
    const response = await by.request('/api/admin/credit_adjustments', { headers, json })
    return { status: response.status, body: (await response.json()) as CreditAdjustment & { code?: string } }
  }

  test('are granted and taken with a reason, once a key, and never below zero', async () => {
    const { credits: before } = await balanceOf(user)
    const key = randomUUID()
    const given = { userId: user.id, amount: 40, reason: 'Maaf atas gangguannya' }
    const responses = await Promise.all(Array.from({ length: 4 }, () => adjust(given, key)))
    expect(new Set(responses.map(({ body }) => body.entryId)).size).toBe(1)
    expect(responses[0]).toMatchObject({ status: 201, body: { amount: 40, balance: before + 40 } })
    expect((await adjust({ ...given, amount: 41 }, key)).body.code).toBe('idempotency.reused')
    expect((await adjust({ ...given, amount: -15, reason: 'Salah hitung' })).body.balance).toBe(before + 25)
    expect((await balanceOf(user)).credits).toBe(before + 25)
    const trail = await admin.request(`/api/admin/audit?action=credits.adjusted&subjectId=${user.id}`)
    expect(((await trail.json()) as { items: object[] }).items).toMatchObject([
      { actorId: admin.id, reason: 'Salah hitung', before: { balance: before + 40 }, after: { balance: before + 25 } },
      { actorId: admin.id, reason: 'Maaf atas gangguannya', after: { balance: before + 40 } },
    ])
    expect(await adjust({ ...given, amount: -100_000 })).toMatchObject({
      status: 402,
      body: { code: 'credits.insufficient' },
    })
    for (const wrong of [{ amount: 0 }, { amount: 1.5 }, { reason: ' ' }, { userId: 'x' }]) {
      expect((await adjust({ ...given, ...wrong })).status).toBe(422)
    }
    expect((await adjust({ ...given, userId: randomUUID() })).status).toBe(404)
    expect((await adjust(given, randomUUID(), user)).status).toBe(403)
    const keyless = await admin.request('/api/admin/credit_adjustments', { json: given })
    expect(await keyless.json()).toMatchObject({ code: 'idempotency.key_missing' })
  })

  test('refund an order, which the buyer’s history then names', async () => {
    const code = await voucher(app, { kind: 'percent_off', value: 100 })
    const { body } = await order(user, { packageId: 'starter', voucherCode: code })
    const json = { userId: user.id, amount: 499, reason: 'Pengembalian', orderId: body.id }
    expect((await adjust(json)).status).toBe(201)
    const { items } = (await (await user.request('/api/user/ledger?limit=1')).json()) as { items: object[] }
    expect(items[0]).toMatchObject({ kind: 'adjustment', amount: 499, note: 'Pengembalian', order: { id: body.id } })
  })
})

test('the ledger of all users is searched by account, kind and time, page by page', async () => {
  const read = async (query: string, by = admin) => {
    const response = await by.request(`/api/admin/ledger${query}`)
    return (await response.json()) as { items: AdminLedgerEntry[]; nextCursor: string | null; code?: string }
  }
  const other = await app.createUser()
  const mine = await read(`?search=${encodeURIComponent(other.email)}`)
  expect(mine.items.map(({ kind, user: { id } }) => [kind, id])).toEqual([['welcome', other.id]])
  expect((await read(`?userId=${other.id}&kind=purchase`)).items).toEqual([])
  const pages = async (filter = '') => {
    const found: number[] = []
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page = await read(`?limit=2${filter}${cursor && `&cursor=${cursor}`}`)
      found.push(...page.items.map(({ id }) => id))
      cursor = page.nextCursor
    }
    return found
  }
  const all = await pages()
  expect(all).toEqual(all.toSorted((a, b) => b - a))
  expect(all.length).toBe(await app.deps.db.$count(ledgerEntries))
  expect(await pages('&from=2020-01-01')).toEqual(all)
  expect(await pages('&from=2020-01-01&kind=welcome')).toEqual(await pages('&kind=welcome'))
  expect((await read('?to=2020-01-01')).items).toEqual([])
  expect((await read('?from=2020-01-01&limit=1')).items.length).toBe(1)
  expect((await read('', user)).code).toBe('auth.forbidden')
})

describe('vouchers', () => {
  const make = async (given: object) => {
    const code = `A${randomUUID().slice(0, 8)}`.toUpperCase()
    const json = { code, kind: 'free_credits', value: 7, ...given }
    return (await (await admin.request('/api/admin/vouchers', { json })).json()) as VoucherView
  }
  const edit = async (id: string, json: object) => {
    const response = await admin.request(`/api/admin/vouchers/${id}`, { method: 'PATCH', json })
    return { status: response.status, body: (await response.json()) as VoucherView }
  }

  test('are listed with their uses, edited and ended by admins', async () => {
    const made = await make({ limitTotal: 2 })
    expect((await order(user, { voucherCode: made.code })).body.status).toBe(2)
    const list = async (query: string) =>
      ((await (await admin.request(`/api/admin/vouchers${query}`)).json()) as { items: VoucherView[] }).items
    expect((await list(`?code=${made.code.slice(0, 6).toLowerCase()}`))[0]).toMatchObject({ id: made.id, uses: 1 })
    expect((await edit(made.id, { limitTotal: 1 })).body).toMatchObject({ limitTotal: 1, value: 7, uses: 1 })
    const other = await app.createUser()
    expect((await order(other, { voucherCode: made.code })).body.code).toBe('voucher.invalid')
    expect((await edit(made.id, { limitTotal: null, active: false })).body.active).toBe(false)
    expect((await order(other, { voucherCode: made.code })).body.code).toBe('voucher.invalid')
    expect((await list(`?active=false&code=${made.code}`)).map(({ id }) => id)).toEqual([made.id])
    expect((await edit(made.id, { active: true })).status).toBe(200)
    expect((await order(other, { voucherCode: made.code })).body.status).toBe(2)
    expect((await edit(made.id, {})).status).toBe(422)
    expect((await edit(randomUUID(), { active: false })).status).toBe(404)
    expect((await edit(made.id, { validFrom: '2027-02-01', validUntil: '2027-01-01' })).status).toBe(422)
    expect((await user.request('/api/admin/vouchers')).status).toBe(403)
  })

  test('with an end date last until that day ends in western Indonesia', async () => {
    const day = '2030-05-17'
    const { code, validFrom, validUntil } = await make({ validFrom: day, validUntil: day })
    expect([validFrom, validUntil]).toEqual(['2030-05-16T17:00:00.000Z', '2030-05-17T16:59:59.999Z'])
    const at = async (moment: string) => {
      const deps = { ...app.deps, clock: () => new Date(moment) }
      return await verifyVoucher(deps, user.id, { code }).then(
        () => 'valid',
        (error: { code: string }) => error.code,
      )
    }
    expect(await at('2030-05-17T23:59:00+07:00')).toBe('valid')
    expect(await at('2030-05-18T00:00:00+07:00')).toBe('voucher.invalid')
  })

  test('count their uses without reading them', async () => {
    const made = await make({ limitTotal: 100 })
    await app.deps.db.execute(sql`update vouchers set uses = 99 where id = ${made.id}`)
    const [first, second] = [await createUser(app), await createUser(app)]
    expect((await placeOrder(app, first, { voucherCode: made.code })).status).toBe(2)
    await expect(placeOrder(app, second, { voucherCode: made.code })).rejects.toMatchObject({ code: 'voucher.invalid' })
  })
})

test('a receipt names the seller, and its bytes never change', async () => {
  const code = await voucher(app, { kind: 'percent_off', value: 100 })
  const buyer = await app.createUser()
  const { body } = await order(buyer, { packageId: 'starter', voucherCode: code })
  const read = async () => {
    const response = await buyer.request(`/api/orders/${body.id}/receipt.pdf`)
    return Buffer.from(await response.arrayBuffer())
  }
  const first = await read()
  await app.deps.db.update(users).set({ name: 'Nama Baru' }).where(eq(users.id, buyer.id))
  expect((await read()).equals(first)).toBe(true)
  const [row] = await app.deps.db.select().from(orders).where(eq(orders.id, body.id))
  expect(row?.receiptParties).toEqual({
    buyer: 'Sari',
    seller: { name: 'PT Rupa Contoh', address: 'Jl. Merdeka 17, Bandung 40111', npwp: '01.234.567.8-901.000' },
  })
  const kept = await app.deps.db.select().from(receipts).where(eq(receipts.orderId, body.id))
  expect(kept.some(({ bytes }) => Buffer.from(bytes).equals(first))).toBe(true)
})

test('reported transfers that wait for an admin do not stop other orders from expiring', async () => {
  const waiting = (await order(user, { packageId: 'starter', method: 'bca' })).body
  const { db } = app.deps
  await db.update(orders).set({ status: orderStatus.awaiting }).where(eq(orders.id, waiting.id))
  await db.execute(sql`
    insert into orders select (jsonb_populate_record(o, jsonb_build_object('id', gen_random_uuid(), 'idempotency_key',
      'copy-' || n))).* from orders o, generate_series(1, 250) n where o.id = ${waiting.id}`)
  app.clock.advance({ seconds: 5 })
  const silent = await placeOrder(app, await createUser(app), { packageId: 'starter', method: 'gopay' })
  await db.update(orders).set({ expiresAt: app.clock.now() }).where(eq(orders.id, silent.id))
  const late = { ...app.deps, clock: () => new Date(app.clock.now().getTime() + 25 * 3_600_000) }
  await expireOrders(late, { pace: { perSecond: 1000, parallel: 2 } })
  const [ended] = await db.select({ status: orders.status }).from(orders).where(eq(orders.id, silent.id))
  expect(ended?.status).toBe(3)
  expect((await orderOf(user, waiting.id)).status).toBe(0)
  await db.update(orders).set({ status: orderStatus.cancelled }).where(eq(orders.status, orderStatus.awaiting))
})

describe('reconciliation', () => {
  const quietly = () => ({ ...app.deps, log: app.deps.log.child({}, { level: 'silent' }) })

  test('reads an account only from its last proven entry, and finds earlier changes when its turn comes', async () => {
    const found = async () => (await reconcileLedger(quietly())).map(({ what, id }) => `${what} ${id}`)
    expect(await found()).toEqual([])
    const { items } = (await (await user.request('/api/user/ledger?limit=1')).json()) as { items: { id: number }[] }
    const [proof] = await app.deps.db.select().from(accountProofs).where(eq(accountProofs.userId, user.id))
    expect(proof?.entryId).toBe(items[0]?.id)
    const lot = { id: randomUUID(), userId: user.id, source: 'adjustment', amount: 3, remaining: 3 } as const
    const now = app.clock.now()
    await app.deps.db.insert(creditLots).values({ ...lot, createdAt: now, expiresAt: new Date(now.getTime() + 1e9) })
    expect(await found()).toEqual(expect.arrayContaining([`account ${user.id}`, `grant ${lot.id}`]))
    await app.deps.db.delete(creditLots).where(eq(creditLots.id, lot.id))
    app.clock.advance({ seconds: 1 })
    expect(await found()).toEqual([])
  })

  test('catches up, however much has happened since the last pass', async () => {
    const { db } = app.deps
    const here = eq(billingChecks.check, 'books')
    const none = { before: 0, seen: 0 }
    await db
      .update(billingChecks)
      .set({ position: { entries: none, history: none, receipts: 0, turn: '' } })
      .where(here)
    const [newest] = await db.select({ id: max(ledgerEntries.id) }).from(ledgerEntries)
    const runs = Math.ceil((newest?.id as number) / 4)
    for (let run = 0; run < runs; run += 1) await reconcileLedger(quietly(), { limit: 4 })
    const [kept] = await db.select({ position: billingChecks.position }).from(billingChecks).where(here)
    expect(kept?.position).toMatchObject({ entries: { seen: newest?.id } })
  })

  test('that fails is seen by operators and admins', async () => {
    const broken = { ...quietly(), clock: app.deps.clock }
    const failing = AbortSignal.abort(new Error('out of time'))
    await expect(reconcileLedger(broken, { signal: failing })).rejects.toThrow('out of time')
    expect(await (await app.request('/readyz')).json()).toMatchObject({ status: 'ok', details: { books: 'failing' } })
    const shown = (await (await admin.request('/api/admin/billing_differences')).json()) as { checks: object[] }
    expect(shown.checks).toContainEqual(expect.objectContaining({ check: 'books', error: 'out of time' }))
    await reconcileLedger(quietly())
    expect(await (await app.request('/readyz')).json()).toMatchObject({ details: { books: 'ok' } })
    const [run] = await app.deps.db.select().from(billingChecks).where(eq(billingChecks.check, 'books'))
    expect(run?.failedAt).toBeNull()
  })
})
