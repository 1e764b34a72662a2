import { and, asc, eq, gt, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm'
import { credits } from '#features/credits/server/credits.ts'
import { rows } from '#server/db/database.ts'
import type { BillingDeps } from './deps.ts'
import { type Difference, noteRun, resolveKnown } from './differences.ts'
import { findDriver } from './drivers/drivers.ts'
import { followAttempt } from './follow-attempt.ts'
import type { Attempt } from './order-record.ts'
import { differences, orders, paymentAttempts, payments } from './table.ts'

const gatewayDays = 7
const batch = 200

/** Compares the ledger with the grants, and orders with what they gave; hourly. */
export async function reconcileBooks(deps: BillingDeps): Promise<Difference[]> {
  const problems = await credits.auditBooks(deps.db)
  const found = [
    ...problems.map(({ what, id, expected, found }) => ({
      what,
      id,
      expected: String(expected),
      found: String(found),
    })),
    ...(await ordersWithoutCredits(deps)),
    ...(await ordersWithoutMoney(deps)),
    ...(await daysWithoutOrder(deps)),
  ].map((difference) => ({ check: 'books', ...difference }))
  await noteRun(deps, 'books', found)
  await resolveKnown(deps)
  return found
}

/** Paid orders and purchase entries belong together one to one, receipts have no gaps, and money without an order waits for an admin. */
async function ordersWithoutCredits({ db }: BillingDeps) {
  return await rows<{ what: string; id: string; expected: string; found: string }>(
    db,
    sql`
    with given as (
      select subject_id, sum(amount) filter (where kind = 'purchase') as bought, sum(amount) filter (where kind = 'voucher') as free
      from ledger_entries where kind in ('purchase', 'voucher') group by subject_id)
    select 'order_credits' as what, o.id::text as id,
      case when o.status = 2 then coalesce(o.package_credits, 0) + o.voucher_credits else 0 end::text as expected,
      (coalesce(g.bought, 0) + coalesce(g.free, 0))::text as found
      from orders o left join given g on g.subject_id = o.id
      where (coalesce(g.bought, 0) + coalesce(g.free, 0)) <>
        case when o.status = 2 then coalesce(o.package_credits, 0) + o.voucher_credits else 0 end
        or (o.status = 2 and o.package_id is not null and g.bought is null)
    union all select 'purchase_without_order', e.id::text, 'an order', e.unique_key
      from ledger_entries e left join orders o on o.id = e.subject_id
      where e.unique_key like 'purchase:%' and o.id is null
    union all select 'receipt_gap', 'receipts', max(last)::text, (select count(receipt) from orders)::text
      from receipt_counter having max(last) <> (select count(receipt) from orders)
    union all select p.problem::text, p.id::text, o.total_idr::text, p.amount::text || ' ' || p.currency
      from payments p join orders o on o.id = p.order_id where p.problem is not null and p.settled_at is null`,
  )
}

/** What was paid has its payment, or an admin who said so; a payment that is right has paid its order. */
async function ordersWithoutMoney({ db }: BillingDeps) {
  return await rows<{ what: string; id: string; expected: string; found: string }>(
    db,
    sql`
    select 'paid_without_payment' as what, o.id::text as id, o.total_idr::text || ' IDR' as expected, 'no payment' as found
      from orders o where o.status = 2 and o.total_idr > 0
        and not exists (select from payments p where p.order_id = o.id and p.problem is null)
        and not exists (select from order_history h where h.order_id = o.id and h.to = 2 and h.by = 'admin')
    union all select 'payment_without_effect', o.id::text, 'paid', 'status ' || o.status
      from orders o where o.status <> 2 and exists (select from payments p where p.order_id = o.id and p.problem is null)`,
  )
}

/** Unlimited days were bought: they last at least as long as the last package says, and no longer than all of them together. */
async function daysWithoutOrder({ db }: BillingDeps) {
  return await rows<{ what: string; id: string; expected: string; found: string }>(
    db,
    sql`
    with bought as (
      select user_id, max(paid_at + make_interval(hours => package_days * 24)) as least,
        max(paid_at) + make_interval(hours => sum(package_days)::int * 24) as most
      from orders where status = 2 and package_id is not null and package_credits is null group by user_id)
    select 'unlimited_days' as what, user_id::text as id, coalesce(b.least::text, 'none') as expected,
      coalesce(a.unlimited_until::text, 'none') as found
      from bought b full join credit_accounts a using (user_id)
      where case when b.user_id is null then a.unlimited_until is not null
        else a.unlimited_until is null or a.unlimited_until < b.least or a.unlimited_until > b.most end`,
  )
}

/**
 * Compares the orders of the last days, and those that differed before, with what the gateway says of them; daily. What was paid without
 * our knowing is settled on the way.
 */
export async function reconcilePayments(deps: BillingDeps): Promise<Difference[]> {
  const since = new Date(deps.clock().getTime() - gatewayDays * 86_400_000)
  const found: Difference[] = []
  for (let after = ''; ; ) {
    const attempts = await attemptsAfter(deps, since, after)
    for (const attempt of attempts) {
      const difference = await compare(deps, attempt)
      if (difference) found.push({ check: 'gateway', id: attempt.orderId, ...difference })
    }
    if (attempts.length < batch) break
    after = attempts.at(-1)?.id ?? ''
  }
  await noteRun(deps, 'gateway', found)
  return found
}

async function attemptsAfter(deps: BillingDeps, since: Date, after: string): Promise<Attempt[]> {
  const { db, config } = deps
  const differed = db
    .select({ id: sql`${differences.subjectId}::uuid` })
    .from(differences)
    .where(and(eq(differences.check, 'gateway'), isNull(differences.resolvedAt)))
  return await db
    .select()
    .from(paymentAttempts)
    .where(
      and(
        isNotNull(paymentAttempts.sessionId),
        // One that is no longer configured cannot be asked.
        inArray(
          paymentAttempts.driver,
          config.payment.drivers.filter((id) => findDriver(deps, id)?.tells),
        ),
        or(gt(paymentAttempts.createdAt, since), inArray(paymentAttempts.orderId, differed)),
        after === '' ? undefined : gt(paymentAttempts.id, after),
      ),
    )
    .orderBy(asc(paymentAttempts.id))
    .limit(batch)
}

async function compare(deps: BillingDeps, attempt: Attempt): Promise<Omit<Difference, 'check' | 'id'> | undefined> {
  const [known] = await deps.db
    .select({ status: orders.status, paymentId: payments.id })
    .from(orders)
    .leftJoin(payments, eq(payments.attemptId, attempt.id))
    .where(eq(orders.id, attempt.orderId))
    .limit(1)
  try {
    const state = await followAttempt(deps, attempt)
    if (!state) return { what: 'session_missing', expected: attempt.status, found: 'nothing' }
    const completed = state.status === 'completed'
    if (attempt.status === 'paid' && !completed) {
      return { what: 'not_paid_at_gateway', expected: 'completed', found: state.status }
    }
    // Money that is wrong is known too, and stands among the payments.
    if (completed && known?.paymentId === null) {
      return { what: 'payment_missed', expected: 'paid', found: String(known.status) }
    }
    return undefined
  } catch (error) {
    deps.log.warn({ err: error, orderId: attempt.orderId }, 'a payment session could not be compared')
    return { what: 'gateway_silent', expected: attempt.status, found: 'no answer' }
  }
}
