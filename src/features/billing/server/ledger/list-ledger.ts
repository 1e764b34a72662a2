import { and, count, eq, gte, inArray, lte, type SQL, sql } from 'drizzle-orm'
import { ledgerEntries } from '#features/credits/server/table.ts'
import { generations } from '#features/generations/server/generations.ts'
import { isFound } from '#server/auth/accounts.ts'
import { users } from '#server/auth/table.ts'
import type { Executor } from '#server/db/database.ts'
import { type Key, keyset } from '#server/db/keyset.ts'
import { readWithTimeLimit, totalsMilliseconds } from '#server/db/transact.ts'
import type { Page, PageRequest } from '#shared/paging.ts'
import type { AdminLedgerEntry, LedgerTotals, ledgerFilter, listAllLedgerInput } from '../../admin/schemas.ts'
import type { LedgerEntryView } from '../../schemas.ts'
import type { BillingDeps } from '../deps.ts'
import { receiptNumber } from '../orders/view-order.ts'
import { orders } from '../tables/orders.ts'

type Row = typeof ledgerEntries.$inferSelect

const newestFirst = keyset<Row>('ledger', 'descending', [
  { column: ledgerEntries.id, type: 'bigint', of: ({ id }) => id },
])

/** Newest first, each entry with its generation's picture or its order. */
export async function listLedger(
  deps: BillingDeps,
  { userId, sessionId }: { userId: string; sessionId: string },
  page: PageRequest,
): Promise<Page<LedgerEntryView>> {
  const { db } = deps
  const { rows: shown, nextCursor } = await newestFirst.read(
    db.select().from(ledgerEntries),
    eq(ledgerEntries.userId, userId),
    page,
  )
  const about = (kinds: Row['kind'][]) =>
    shown.flatMap(({ kind, subjectId }) => (subjectId && kinds.includes(kind) ? [subjectId] : []))
  const [pictures, bought] = await Promise.all([
    generations.thumbnails(deps, { userId, sessionId }, about(['generation', 'refund'])),
    ordersById(deps, userId, about(['purchase', 'voucher', 'adjustment'])),
  ])
  return {
    items: shown.map((entry) => ({
      id: entry.id,
      kind: entry.kind,
      amount: entry.amount,
      balanceAfter: entry.balanceAfter,
      unlimited: entry.price?.unlimited ?? false,
      note: entry.note,
      createdAt: entry.createdAt.toISOString(),
      generation: (entry.subjectId && pictures.get(entry.subjectId)) || null,
      order: (entry.subjectId && bought.get(entry.subjectId)) || null,
    })),
    nextCursor,
  }
}

async function ordersById({ db }: BillingDeps, userId: string, ids: string[]) {
  if (ids.length === 0) return new Map<string, LedgerEntryView['order']>()
  const found = await db
    .select({
      id: orders.id,
      packageName: orders.packageName,
      voucherCode: orders.voucherCode,
      receipt: orders.receipt,
    })
    .from(orders)
    .where(and(eq(orders.userId, userId), inArray(orders.id, ids)))
  return new Map(
    found.map(({ receipt, ...order }) => [
      order.id,
      { ...order, receiptNumber: receipt === null ? null : receiptNumber(receipt) },
    ]),
  )
}

type Entry = typeof ledgerEntries.$inferSelect
const byId: Key<Entry> = { column: ledgerEntries.id, type: 'bigint', of: ({ id }) => id }
const byTime: Key<Entry> = {
  column: ledgerEntries.createdAt,
  type: 'timestamptz',
  of: ({ createdAt }) => createdAt.toISOString(),
}
const idOrders = {
  newest: keyset('all_ledger:newest', 'descending', [byId]),
  oldest: keyset('all_ledger:oldest', 'ascending', [byId]),
}
const timeOrders = {
  newest: keyset('all_ledger:time_newest', 'descending', [byTime, byId]),
  oldest: keyset('all_ledger:time_oldest', 'ascending', [byTime, byId]),
}

/** Newest first by default. */
export async function listAllLedger(
  { db }: Pick<BillingDeps, 'db'>,
  query: typeof listAllLedgerInput.infer,
  { cursor, limit = 50 }: PageRequest = query,
): Promise<Page<AdminLedgerEntry>> {
  const { userId, from, to, sort = 'newest' } = query
  // Ids increase with time, but only the index on time reaches a day without reading later entries.
  const isByTime = userId === undefined && (from !== undefined || to !== undefined)
  const order = isByTime ? timeOrders[sort] : idOrders[sort]
  // A second query: with a join the planner may sort all rows before taking the first page.
  const { rows: shown, nextCursor } = await order.read(
    db.select().from(ledgerEntries),
    await entryConditions({ db }, query),
    { cursor, limit },
  )
  const names = await peopleOf({ db }, [...new Set(shown.map((entry) => entry.userId))])
  return {
    items: shown.map((entry) => ({
      id: entry.id,
      user: names.get(entry.userId) ?? { id: entry.userId, name: '', email: '' },
      kind: entry.kind,
      amount: entry.amount,
      balanceAfter: entry.balanceAfter,
      unlimited: entry.price?.unlimited ?? false,
      tool: entry.price?.tool ?? null,
      note: entry.note,
      subjectId: entry.subjectId,
      createdAt: entry.createdAt.toISOString(),
    })),
    nextCursor,
  }
}

async function entryConditions(
  { db }: { db: Executor },
  { userId, search, kind, from, to }: typeof ledgerFilter.infer,
  reads: 'page' | 'all' = 'page',
): Promise<SQL | undefined> {
  const { createdAt } = ledgerEntries
  return and(
    userId === undefined ? undefined : eq(ledgerEntries.userId, userId),
    search ? await isFound(db, search, ledgerEntries.userId, reads) : undefined,
    kind === undefined ? undefined : eq(ledgerEntries.kind, kind),
    from ? gte(createdAt, from) : undefined,
    to ? lte(createdAt, to) : undefined,
  )
}

/** Null if the query takes too long. */
export async function sumLedger(
  { db }: Pick<BillingDeps, 'db'>,
  filter: typeof ledgerFilter.infer,
): Promise<LedgerTotals> {
  const { amount } = ledgerEntries
  const of = (condition: SQL) => sql<number>`coalesce(sum(${amount}) filter (where ${condition}), 0)`.mapWith(Number)
  return await readWithTimeLimit(db, totalsMilliseconds, async (tx) => {
    const [sums] = await tx
      .select({ entries: count(), given: of(sql`${amount} > 0`), taken: of(sql`${amount} < 0`) })
      .from(ledgerEntries)
      .where(await entryConditions({ db: tx }, filter, 'all'))
    return sums ?? { entries: 0, given: 0, taken: 0 }
  })
}

async function peopleOf({ db }: Pick<BillingDeps, 'db'>, ids: string[]) {
  if (ids.length === 0) return new Map<string, AdminLedgerEntry['user']>()
  const found = await db
    .select({ id: users.id, name: users.name, email: users.email })
    .from(users)
    .where(inArray(users.id, ids))
  return new Map(found.map((user) => [user.id, user]))
}
