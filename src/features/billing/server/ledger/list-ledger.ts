import { and, eq, inArray } from 'drizzle-orm'
import { ledgerEntries } from '#features/credits/server/table.ts'
import { generations } from '#features/generations/server/generations.ts'
import { keyset } from '#server/db/keyset.ts'
import type { Page, PageRequest } from '#shared/paging.ts'
import type { LedgerEntryView } from '../../schemas.ts'
import type { BillingDeps } from '../deps.ts'
import { receiptNumber } from '../orders/view-order.ts'
import { orders } from '../tables/orders.ts'

type Entry = typeof ledgerEntries.$inferSelect

const newestFirst = keyset<Entry>('ledger', 'descending', [
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
  const about = (kinds: Entry['kind'][]) =>
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
