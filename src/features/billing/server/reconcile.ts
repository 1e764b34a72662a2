import { and, asc, gt, inArray, isNotNull, sql } from 'drizzle-orm'
import { credits } from '#features/credits/server/credits.ts'
import { rows } from '#server/db/database.ts'
import { orderStatus } from '../contract.ts'
import type { BillingDeps } from './deps.ts'
import { type Difference, noteRun } from './differences.ts'
import { followAttempt } from './follow-attempt.ts'
import type { Attempt } from './order-record.ts'
import { orders, paymentAttempts } from './table.ts'

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
  ].map((difference) => ({ check: 'books', ...difference }))
  await noteRun(deps, 'books', found)
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

/** Compares the orders of the last days with what the gateway says of them; daily. What was paid without our knowing is settled on the way. */
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

async function attemptsAfter({ db }: BillingDeps, since: Date, after: string): Promise<Attempt[]> {
  return await db
    .select()
    .from(paymentAttempts)
    .where(
      and(
        isNotNull(paymentAttempts.sessionId),
        inArray(paymentAttempts.driver, ['xendit', 'simulator']),
        gt(paymentAttempts.createdAt, since),
        after === '' ? undefined : gt(paymentAttempts.id, after),
      ),
    )
    .orderBy(asc(paymentAttempts.id))
    .limit(batch)
}

async function compare(deps: BillingDeps, attempt: Attempt): Promise<Omit<Difference, 'check' | 'id'> | undefined> {
  const [before] = await deps.db
    .select({ status: orders.status })
    .from(orders)
    .where(sql`${orders.id} = ${attempt.orderId}`)
  try {
    const state = await followAttempt(deps, attempt)
    if (!state) return { what: 'session_missing', expected: attempt.status, found: 'nothing' }
    const completed = state.status === 'completed'
    if (attempt.status === 'paid' && !completed) {
      return { what: 'not_paid_at_gateway', expected: 'completed', found: state.status }
    }
    if (completed && before?.status !== orderStatus.paid) {
      return { what: 'payment_missed', expected: 'paid', found: String(before?.status) }
    }
    return undefined
  } catch (error) {
    deps.log.warn({ err: error, orderId: attempt.orderId }, 'a payment session could not be compared')
    return { what: 'gateway_silent', expected: attempt.status, found: 'no answer' }
  }
}
