import { and, asc, count, desc, eq, gt, gte, inArray, lt, lte, type SQL, sql } from 'drizzle-orm'
import type { Page } from '#contract/paging.ts'
import { account } from '#features/account/server/account.ts'
import { users } from '#features/account/server/table.ts'
import { ledgerEntries } from '#features/credits/server/table.ts'
import type { Executor } from '#server/db/database.ts'
import { readWithin, totalsMilliseconds } from '#server/db/read-within.ts'
import type { ledgerFilter, listAllLedgerInput } from '../../admin/schemas.ts'
import type { AdminLedgerEntry, LedgerTotals } from '../../admin/types.ts'
import type { BillingDeps } from '../deps.ts'

/** Everybody's credit history, newest first unless it is turned round. */
export async function listAllLedger(
  { db }: Pick<BillingDeps, 'db'>,
  { sort, cursor, limit = 50, ...filter }: Omit<typeof listAllLedgerInput.infer, 'limit'> & { limit?: number },
): Promise<Page<AdminLedgerEntry>> {
  const { userId, from, to } = filter
  // Ids are in the order of time, but only the times lead to a day without reading everything that
  // came after it.
  const byTime = userId === undefined && (from !== undefined || to !== undefined)
  const { id, createdAt } = ledgerEntries
  const [isAfter, inOrder] = sort === 'oldest' ? [gt, asc] : [lt, desc]
  // The people are looked up afterwards: a join would let the planner sort everything before it
  // takes the first page.
  const found = await db
    .select()
    .from(ledgerEntries)
    .where(
      and(
        await whichEntries({ db }, filter),
        cursor === undefined ? undefined : byTime ? isBeyond(cursor, sort) : isAfter(id, cursor),
      ),
    )
    .orderBy(...(byTime ? [inOrder(createdAt)] : []), inOrder(id))
    .limit(limit + 1)
  const shown = found.slice(0, limit)
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
    nextCursor: found.length > limit ? String(shown.at(-1)?.id) : null,
  }
}

async function whichEntries(
  { db }: { db: Executor },
  { userId, search, kind, from, to }: typeof ledgerFilter.infer,
  reads: 'page' | 'all' = 'page',
): Promise<SQL | undefined> {
  const { createdAt } = ledgerEntries
  return and(
    userId === undefined ? undefined : eq(ledgerEntries.userId, userId),
    search ? await account.isFound(db, search, ledgerEntries.userId, reads) : undefined,
    kind === undefined ? undefined : eq(ledgerEntries.kind, kind),
    from ? gte(createdAt, from) : undefined,
    to ? lte(createdAt, to) : undefined,
  )
}

/** The sums of all entries that a list shows page by page; null when they take too long. */
export async function sumLedger(
  { db }: Pick<BillingDeps, 'db'>,
  filter: typeof ledgerFilter.infer,
): Promise<LedgerTotals> {
  const { amount } = ledgerEntries
  const of = (condition: SQL) => sql<number>`coalesce(sum(${amount}) filter (where ${condition}), 0)`.mapWith(Number)
  return await readWithin(db, totalsMilliseconds, async (tx) => {
    const [sums] = await tx
      .select({ entries: count(), given: of(sql`${amount} > 0`), taken: of(sql`${amount} < 0`) })
      .from(ledgerEntries)
      .where(await whichEntries({ db: tx }, filter, 'all'))
    return sums ?? { entries: 0, given: 0, taken: 0 }
  })
}

/** What follows the entry that a page ended with, in the order of time. */
function isBeyond(cursor: number, sort: typeof listAllLedgerInput.infer.sort) {
  const { id, createdAt } = ledgerEntries
  return sql`(${createdAt}, ${id}) ${sort === 'oldest' ? sql`>` : sql`<`} (select ${createdAt}, ${id} from ${ledgerEntries} where ${id} = ${cursor})`
}

async function peopleOf({ db }: Pick<BillingDeps, 'db'>, ids: string[]) {
  if (ids.length === 0) return new Map<string, AdminLedgerEntry['user']>()
  const found = await db
    .select({ id: users.id, name: users.name, email: users.email })
    .from(users)
    .where(inArray(users.id, ids))
  return new Map(found.map((user) => [user.id, user]))
}
