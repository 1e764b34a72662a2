import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { LedgerTotals, OrderTotals } from '#features/billing/admin/schemas.ts'
import { rows } from '#server/db/database.ts'
import { readWithTimeLimit } from '#server/db/transact.ts'
import { order } from '#tests/support/checkout.ts'
import { createTestApp, type TestApp, type TestUser } from '#tests/support/test-app.ts'

let app: TestApp
let admin: TestUser
beforeAll(async () => {
  app = await createTestApp()
  admin = await app.createUser({ role: 'admin' })
})
afterAll(() => app.stop())

const read = async <Body>(path: string) => (await (await admin.request(`/api/admin/${path}`)).json()) as Body

test('totals with a search count what the list shows, however many users it finds', async () => {
  const { db } = app.deps
  const buyer = await app.createUser({ name: 'Kenanga Satu' })
  await order(buyer, { packageId: 'starter', method: 'bca' })
  const search = 'kenanga'
  const both = async () => ({
    orders: await read<OrderTotals>(`orders/totals?search=${search}`),
    ledger: await read<LedgerTotals>(`ledger/totals?search=${search}`),
  })
  const before = await both()
  expect(before).toMatchObject({ orders: { orders: 1 }, ledger: { entries: 1 } })
  await db.execute(sql`insert into users (id, name, email, created_at)
    select gen_random_uuid(), 'Kenanga ' || n, n || '@kenanga.test', now() from generate_series(1, 2100) n`)
  expect(await both()).toEqual(before)
  const items = await read<{ items: { user: { id: string } }[] }>(`ledger?search=${search}`)
  expect(items.items.map(({ user }) => user.id)).toEqual([buyer.id])
})

test.runIf(process.env.TEST_DATABASE_URL)(
  'a statement that takes too long is stopped, and the list has no totals',
  async () => {
    const { db } = app.deps
    const sleep = (seconds: number) => sql`select pg_sleep(${seconds}) as slept`
    expect(await readWithTimeLimit(db, 1, (tx) => rows(tx, sleep(3600)))).toBeNull()
    // The connection has its own limit again.
    expect(await rows(db, sql`select current_setting('statement_timeout') as limit`)).toEqual([{ limit: '1min' }])
    await expect(readWithTimeLimit(db, 1000, (tx) => rows(tx, sql`select 1 / 0`))).rejects.toThrow()
  },
)
