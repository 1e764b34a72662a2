import { and, desc, eq, gte, lt, lte } from 'drizzle-orm'
import type { Page } from '#contract/paging.ts'
import { users } from '#features/account/server/table.ts'
import { ledgerEntries } from '#features/credits/server/table.ts'
import type { AdminLedgerEntry, listAllLedgerInput } from '../contract.ts'
import type { BillingDeps } from './deps.ts'

/** Everybody's credit history, newest first. */
export async function listAllLedger(
  { db }: Pick<BillingDeps, 'db'>,
  { userId, email, kind, from, to, cursor, limit = 50 }: typeof listAllLedgerInput.infer,
): Promise<Page<AdminLedgerEntry>> {
  const found = await db
    .select({ entry: ledgerEntries, user: { id: users.id, name: users.name, email: users.email } })
    .from(ledgerEntries)
    .innerJoin(users, eq(users.id, ledgerEntries.userId))
    .where(
      and(
        userId === undefined ? undefined : eq(ledgerEntries.userId, userId),
        email === undefined ? undefined : eq(users.email, email.trim().toLowerCase()),
        kind === undefined ? undefined : eq(ledgerEntries.kind, kind),
        from ? gte(ledgerEntries.createdAt, from) : undefined,
        to ? lte(ledgerEntries.createdAt, to) : undefined,
        cursor === undefined ? undefined : lt(ledgerEntries.id, cursor),
      ),
    )
    .orderBy(desc(ledgerEntries.id))
    .limit(limit + 1)
  const shown = found.slice(0, limit)
  return {
    items: shown.map(({ entry, user }) => ({
      id: entry.id,
      user,
      kind: entry.kind,
      amount: entry.amount,
      balanceAfter: entry.balanceAfter,
      unlimited: entry.price?.unlimited ?? false,
      tool: entry.price?.tool ?? null,
      note: entry.note,
      subjectId: entry.subjectId,
      createdAt: entry.createdAt.toISOString(),
    })),
    nextCursor: found.length > limit ? String(shown.at(-1)?.entry.id) : null,
  }
}
