import { and, asc, desc, eq, gt, gte, inArray, lt, lte, sql } from 'drizzle-orm'
import type { Page } from '#contract/paging.ts'
import { account } from '#features/account/server/account.ts'
import { users } from '#features/account/server/table.ts'
import { ledgerEntries } from '#features/credits/server/table.ts'
import type { listAllLedgerInput } from '../../admin/schemas.ts'
import type { AdminLedgerEntry } from '../../admin/types.ts'
import type { BillingDeps } from '../deps.ts'

/** Everybody's credit history, newest first unless it is turned round. */
export async function listAllLedger(
  { db }: Pick<BillingDeps, 'db'>,
  {
    userId,
    search,
    kind,
    from,
    to,
    sort,
    cursor,
    limit = 50,
  }: Omit<typeof listAllLedgerInput.infer, 'limit'> & { limit?: number },
): Promise<Page<AdminLedgerEntry>> {
  const people = search ? await account.isFound(db, search, ledgerEntries.userId) : undefined
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
        userId === undefined ? undefined : eq(ledgerEntries.userId, userId),
        people,
        kind === undefined ? undefined : eq(ledgerEntries.kind, kind),
        from ? gte(createdAt, from) : undefined,
        to ? lte(createdAt, to) : undefined,
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
