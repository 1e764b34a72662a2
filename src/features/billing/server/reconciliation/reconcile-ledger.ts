import { and, asc, eq, gt, isNotNull, isNull, max, sql } from 'drizzle-orm'
import { credits } from '#features/credits/server/credits.ts'
import { creditAccounts, ledgerEntries } from '#features/credits/server/table.ts'
import { generations } from '#features/generations/server/generations.ts'
import { users } from '#server/auth/table.ts'
import { type Executor, rows } from '#server/db/database.ts'
import { type } from '#shared/schema.ts'
import { orderStatus } from '../../rules.ts'
import type { BillingDeps } from '../deps.ts'
import { resolveLateUnknownPayments } from '../payments/unknown-payments.ts'
import { differences } from '../tables/checks.ts'
import { invoiceCounters, orderHistory, orders, receiptCounter } from '../tables/orders.ts'
import { orderRefunds, payments } from '../tables/payments.ts'
import { type Difference, recordReconciliation, runCheck } from './billing-checks.ts'

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

/** A problem of an order, a payment or a user's unlimited days. */
interface OrderProblem extends Record<string, unknown> {
  what: string
  id: string
  expected: string
  found: string
  userId: string | null
}

/** The last receipts and invoices are counted again, since they may have been committed late. */
const receiptOverlap = 10_000

/**
 * Paid orders and their credits match one to one; a paid order has its payment, or an admin who
 * confirmed it; a matching payment has paid its order; unlimited days last as long as the packages
 * bought and not refunded. Checks only purchases after the ledger entry `afterEntry`.
 */
async function auditOrders(
  executor: Executor,
  accounts: string[],
  { afterEntry }: { afterEntry: number },
): Promise<OrderProblem[]> {
  return await rows<OrderProblem>(
    executor,
    sql`
    with chosen as (
      select user_id from unnest(${sql.param(accounts)}::uuid[]) as who (user_id)
    ), mine as (
      select o.*, coalesce((select e.amount from ${ledgerEntries} e where e.unique_key = 'purchase:' || o.id), -1) as bought,
        coalesce((select e.amount from ${ledgerEntries} e where e.unique_key = 'voucher:' || o.id), 0) as free,
        case when o.status = ${orderStatus.paid} then coalesce(o.package_credits, 0) + o.voucher_credits else 0 end as owed,
        exists (select from ${payments} p where p.order_id = o.id and p.problem is null) as has_payment
      from chosen join ${orders} o using (user_id)
    ), days as (
      select user_id, max(paid_at + make_interval(hours => package_days * 24)) as least,
        max(paid_at) + make_interval(hours => sum(package_days)::int * 24) as most
      from mine where status = ${orderStatus.paid} and package_id is not null and package_credits is null
        and not exists (select from ${orderRefunds} r where r.order_id = mine.id and r.ends_unlimited) group by user_id
    )
    select 'order_credits' as what, id::text as id, owed::text as expected,
        (greatest(bought, 0) + free)::text as found, user_id as "userId"
      from mine where greatest(bought, 0) + free <> owed or (status = ${orderStatus.paid} and package_id is not null and bought = -1)
    union all select 'purchase_without_order', e.id::text, 'an order', e.unique_key, e.user_id
      from chosen join ${ledgerEntries} e using (user_id) left join ${orders} o on o.id = e.subject_id
      where e.id > ${afterEntry} and e.kind = 'purchase' and o.id is null
    union all select 'paid_without_payment', id::text, total_idr::text || ' IDR', 'no payment', user_id
      from mine where status = ${orderStatus.paid} and total_idr > 0 and not has_payment
        and not exists (select from ${orderHistory} h where h.order_id = mine.id and h.to = ${orderStatus.paid} and h.by = 'admin')
    union all select 'payment_without_effect', id::text, 'paid', 'status ' || status, user_id
      from mine where status <> ${orderStatus.paid} and has_payment
    union all select 'unlimited_days', chosen.user_id::text, coalesce(b.least::text, 'none'),
        coalesce(a.unlimited_until::text, 'none'), chosen.user_id
      from chosen left join days b using (user_id) left join ${creditAccounts} a using (user_id)
      where case when b.user_id is null then a.unlimited_until is not null
        else a.unlimited_until is null or a.unlimited_until < b.least or a.unlimited_until > b.most end`,
  )
}

/** Payments of all accounts that could not be applied and wait for an admin. */
async function auditPayments(executor: Executor): Promise<OrderProblem[]> {
  return await rows<OrderProblem>(
    executor,
    sql`
    select p.problem::text as what, p.id::text as id, o.total_idr::text || ' IDR' as expected,
        p.amount::text || ' ' || p.currency as found, null as "userId"
      from ${payments} p join ${orders} o on o.id = p.order_id where p.problem is not null and p.settled_at is null`,
  )
}

/** Receipt numbers must have no gaps; returns the number up to which that is verified. */
export async function auditReceipts(
  executor: Executor,
  proven: number,
): Promise<{ problems: OrderProblem[]; proven: number }> {
  const after = Math.max(0, proven - receiptOverlap)
  const [row] = await rows<{ last: number; found: number }>(
    executor,
    sql`select last, (select count(*) from ${orders} where receipt > ${after})::int as found from ${receiptCounter}`,
  )
  const { last, found } = row ?? { last: 0, found: 0 }
  const problems = await auditInvoices(executor)
  if (found === last - after) return { problems, proven: last }
  const gap = { what: 'receipt_gap', id: 'receipts', userId: null }
  return { problems: [...problems, { ...gap, expected: String(last), found: String(after + found) }], proven: after }
}

/** The newest invoices of each year. */
async function auditInvoices(executor: Executor): Promise<OrderProblem[]> {
  return await rows<OrderProblem>(
    executor,
    sql`
    select 'invoice_gap' as what, year::text as id, least(last, ${receiptOverlap})::text as expected,
        found::text, null as "userId"
      from ${invoiceCounters}, lateral (select count(*) as found from ${orders}
        where invoice_year = year and invoice_number > last - ${receiptOverlap}::int) counted
      where found <> least(last, ${receiptOverlap})`,
  )
}
