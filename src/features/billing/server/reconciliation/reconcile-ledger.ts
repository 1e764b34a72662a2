import { and, asc, eq, gt, isNotNull, isNull, max } from 'drizzle-orm'
import { credits } from '#features/credits/server/credits.ts'
import { ledgerEntries } from '#features/credits/server/table.ts'
import { generations } from '#features/generations/server/generations.ts'
import { users } from '#server/auth/table.ts'
import { type } from '#shared/schema.ts'
import type { BillingDeps } from '../deps.ts'
import { resolveLateUnknownPayments } from '../payments/unknown-payments.ts'
import { differences } from '../tables/checks.ts'
import { orderHistory, orders } from '../tables/orders.ts'
import { auditOrders, auditPayments, auditReceipts } from './audit-orders.ts'
import { runCheck } from './billing-checks.ts'
import { type Difference, recordReconciliation } from './differences.ts'

/** New entries per run, besides those of the run before; the rest waits for the next run. */
const maxEntries = 50_000
/** Accounts that one run checks from their first entry, in turn. */
const rotationSize = 300
const batchSize = 200

/**
 * Numbers are assigned before their transactions commit, so a run starts at the start of the
 * previous run and reads everything twice.
 */
const positionOf = type({
  entries: { before: 'number', seen: 'number' },
  history: { before: 'number', seen: 'number' },
  receipts: 'number',
  turn: 'string',
})
type Position = typeof positionOf.infer

/**
 * Hourly comparison of the ledger with the lots, and of orders with their credits. A run checks the
 * accounts changed since the last run, those with open differences, and some others in turn: its
 * cost depends on the changes, not on the total size.
 */
export async function reconcileLedger(
  deps: BillingDeps,
  { signal, limit = maxEntries }: { signal?: AbortSignal; limit?: number } = {},
): Promise<Difference[]> {
  return await runCheck(deps, 'books', async (kept) => {
    const { db } = deps
    const parsed = positionOf(kept)
    const position = parsed instanceof type.errors ? await firstPosition(deps) : parsed
    const changed = await changedAccounts(deps, position, limit)
    const turn = await nextAccounts(deps, position.turn)
    const doubtful = await accountsWithDifferences(deps)
    const thorough = [...new Set([...doubtful, ...turn])]
    const quick = changed.accounts.filter((id) => !thorough.includes(id))
    const found = [
      ...(await auditBatches(deps, quick, position.entries.before, signal)),
      ...(await auditBatches(deps, thorough, 0, signal)),
      ...(await auditPayments(db)),
    ]
    const receipts = await auditReceipts(db, position.receipts)
    found.push(...receipts.problems)
    const noted = found.map((problem) => ({ check: 'books', ...problem }))
    await recordReconciliation(deps, 'books', noted, [...quick, ...thorough])
    await resolveLateUnknownPayments(deps)
    const next: Position = {
      entries: { before: position.entries.seen, seen: changed.entry },
      history: { before: position.history.seen, seen: changed.history },
      receipts: receipts.proven,
      turn: turn.length < rotationSize ? '' : (turn.at(-1) ?? ''),
    }
    return { position: next, result: noted }
  })
}

async function auditBatches(deps: BillingDeps, accounts: string[], afterEntry: number, signal?: AbortSignal) {
  const found: Omit<Difference, 'check'>[] = []
  for (let start = 0; start < accounts.length; start += batchSize) {
    signal?.throwIfAborted()
    const batch = accounts.slice(start, start + batchSize)
    const options = { fromFirstEntry: afterEntry === 0, now: deps.clock() }
    const problems = [
      ...(await credits.auditAccounts(deps.db, batch, options)),
      ...(await generations.auditGenerations(deps.db, batch, { afterEntry })),
    ]
    for (const { what, id, userId, expected, found: is } of problems) {
      found.push({ what, id, userId, expected: String(expected), found: String(is) })
    }
    found.push(...(await auditOrders(deps.db, batch, { afterEntry })))
  }
  return found
}

/** The first run starts near the ledger's end; older entries follow in turn. */
async function firstPosition({ db }: BillingDeps): Promise<Position> {
  const [entry] = await db.select({ last: max(ledgerEntries.id) }).from(ledgerEntries)
  const [change] = await db.select({ last: max(orderHistory.id) }).from(orderHistory)
  const startBefore = (last: number | null | undefined) => {
    const start = Math.max(0, (last ?? 0) - maxEntries)
    return { before: start, seen: start }
  }
  return { entries: startBefore(entry?.last), history: startBefore(change?.last), receipts: 0, turn: '' }
}

async function changedAccounts({ db }: BillingDeps, { entries, history }: Position, limit: number) {
  const moved = await db
    .select({ id: ledgerEntries.id, userId: ledgerEntries.userId })
    .from(ledgerEntries)
    .where(gt(ledgerEntries.id, entries.before))
    .orderBy(asc(ledgerEntries.id))
    .limit(limit + entries.seen - entries.before)
  const ordered = await db
    .select({ id: orderHistory.id, userId: orders.userId })
    .from(orderHistory)
    .innerJoin(orders, eq(orders.id, orderHistory.orderId))
    .where(gt(orderHistory.id, history.before))
    .orderBy(asc(orderHistory.id))
    .limit(limit + history.seen - history.before)
  return {
    accounts: [...new Set([...moved, ...ordered].map(({ userId }) => userId))],
    entry: moved.at(-1)?.id ?? entries.seen,
    history: ordered.at(-1)?.id ?? history.seen,
  }
}

async function nextAccounts({ db }: BillingDeps, after: string): Promise<string[]> {
  const next = await db
    .select({ id: users.id })
    .from(users)
    .where(after === '' ? undefined : gt(users.id, after))
    .orderBy(asc(users.id))
    .limit(rotationSize)
  return next.map(({ id }) => id)
}

async function accountsWithDifferences({ db }: BillingDeps): Promise<string[]> {
  const open = await db
    .selectDistinct({ userId: differences.userId })
    .from(differences)
    .where(and(eq(differences.check, 'books'), isNull(differences.resolvedAt), isNotNull(differences.userId)))
    .limit(rotationSize)
  return open.flatMap(({ userId }) => userId ?? [])
}
