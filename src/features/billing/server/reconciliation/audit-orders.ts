import { sql } from 'drizzle-orm'
import { creditAccounts, ledgerEntries } from '#features/credits/server/table.ts'
import { type Executor, rows } from '#server/db/database.ts'
import { orderStatus } from '../../rules.ts'
import { invoiceCounters, orderHistory, orders, receiptCounter } from '../tables/orders.ts'
import { orderRefunds, payments } from '../tables/payments.ts'

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
export async function auditOrders(
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
export async function auditPayments(executor: Executor): Promise<OrderProblem[]> {
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
