import { and, asc, count, eq, gt, inArray, max, type SQL, sql, sum } from 'drizzle-orm'
import { credits } from '#features/credits/server/credits.ts'
import { ledgerEntries } from '#features/credits/server/table.ts'
import { type Change, type EventSource, maxResumed, positionOverlap } from '#features/events/server/events.ts'
import type { PushDefinition } from '#features/push/server/push.ts'
import type { Executor, Transaction } from '#server/db/database.ts'
import { type Days, dayOf, isDuring, type Moments } from '#server/db/days.ts'
import type { Deps } from '#server/deps.ts'
import type { MailDefinition } from '#server/mail/mail-definition.ts'
import type { MetricSource } from '#server/metrics.ts'
import { type OrderStatus, orderStatus } from '../rules.ts'
import type { OrderView } from '../schemas.ts'
import type { BillingDeps } from './deps.ts'
import { remindOfExpiry } from './ledger/remind-expiry.ts'
import { orderApproval, refusalReason } from './orders/decide-order.ts'
import { expireOrders, remindOfUnpaid } from './orders/expire-orders.ts'
import { followGatewayRefunds } from './orders/gateway-refund.ts'
import { formatIdr } from './orders/price.ts'
import { receiptFile } from './orders/receipt.ts'
import { viewOrders } from './orders/view-order.ts'
import { gatewayChecks } from './payments/gateway-health.ts'
import { pollPayments } from './payments/poll-payments.ts'
import { personalData } from './personal-data.ts'
import { checkStates } from './reconciliation/billing-checks.ts'
import { reconcileLedger } from './reconciliation/reconcile-ledger.ts'
import { reconcilePaymentsDaily } from './reconciliation/reconcile-payments.ts'
import { closeGenerationCosts } from './reports/generation-costs.ts'
import { closeRevenueDays } from './reports/revenue-by-day.ts'
import { differences } from './tables/checks.ts'
import { isOpen, orderHistory, orders } from './tables/orders.ts'
import { orderRefunds, payments } from './tables/payments.ts'
import { voucherApprovals } from './vouchers/admin-vouchers.ts'

/** The position is the newest entry of an order's history. */
const orderEvents: EventSource<OrderView> = {
  concerns: (notification) => (notification.kind === 'order' ? notification.orderId : undefined),

  read: (deps, { userId }, ids) => changes(deps, userId, ids),

  async start(deps, { userId }, after) {
    const mine = eq(orders.userId, userId)
    const ids =
      after === undefined
        ? await deps.db
            .select({ id: orders.id })
            .from(orders)
            .where(and(mine, inArray(orders.status, [orderStatus.awaiting, orderStatus.unpaid])))
            .limit(maxResumed)
        : await deps.db
            .selectDistinct({ id: orders.id })
            .from(orders)
            .innerJoin(orderHistory, eq(orderHistory.orderId, orders.id))
            .where(and(mine, gt(orderHistory.id, after - positionOverlap)))
            .limit(maxResumed)
    const missed = await changes(
      deps,
      userId,
      ids.map(({ id }) => id),
    )
    const [newest] = await deps.db
      .select({ id: max(orderHistory.id) })
      .from(orderHistory)
      .innerJoin(orders, eq(orders.id, orderHistory.orderId))
      .where(mine)
    return { changes: missed, position: newest?.id ?? 0 }
  },
}

async function changes({ db }: Pick<Deps, 'db'>, userId: string, ids: string[]): Promise<Change<OrderView>[]> {
  if (ids.length === 0) return []
  const position = max(orderHistory.id)
  const newest = await db
    .select({ orderId: orderHistory.orderId, position })
    .from(orderHistory)
    .innerJoin(orders, eq(orders.id, orderHistory.orderId))
    .where(and(inArray(orders.id, ids), eq(orders.userId, userId)))
    .groupBy(orderHistory.orderId)
    .orderBy(asc(position))
  const found = await db
    .select()
    .from(orders)
    .where(and(inArray(orders.id, ids), eq(orders.userId, userId)))
  const views = await viewOrders({ db }, found)
  return newest.flatMap(({ orderId, position }) => {
    const data = views.find(({ id }) => id === orderId)
    return data ? [{ data, position: position ?? 0 }] : []
  })
}

const ofOrder = (status: OrderStatus, path: string): PushDefinition => ({
  async content({ db }, { subjectId }) {
    if (subjectId === null) return null
    const [order] = await db
      .select({ amount: orders.totalIdr })
      .from(orders)
      .where(and(eq(orders.id, subjectId), eq(orders.status, status)))
    return order
      ? { path: `${path}?order=${subjectId}`, groupPath: '/billing', values: { amount: formatIdr(order.amount) } }
      : null
  },
})

const ofCredits: PushDefinition = {
  async content({ db, clock }, { userId }) {
    const { credits: left } = await credits.balance(db, userId, clock())
    return { path: '/pricing', groupPath: '/billing', values: { credits: left } }
  },
}

const billingPushes = {
  payment_arrived: ofOrder(orderStatus.paid, '/payment-success'),
  order_ending: ofOrder(orderStatus.unpaid, '/checkout'),
  credits_low: ofCredits,
  credits_ending: ofCredits,
} satisfies Record<string, PushDefinition>

const billingMails = {
  receipt: {
    cause: 'account',
    async content(deps, { userId, subjectId, language }) {
      if (!subjectId) return null
      const { number, name, bytes } = await receiptFile(deps, { orderId: subjectId, userId, language })
      return {
        path: `/payment-success?order=${subjectId}`,
        values: { number },
        attachments: [{ filename: name, contentType: 'application/pdf', content: bytes }],
      }
    },
  },
  order_refused: {
    cause: 'account',
    async content({ db }, { subjectId }) {
      const reason = subjectId ? await refusalReason(db, subjectId) : undefined
      return reason === undefined ? null : { path: `/checkout?order=${subjectId}`, values: { reason } }
    },
  },
  order_refunded: {
    cause: 'account',
    async content({ db }, { subjectId }) {
      const [refund] = subjectId ? await db.select().from(orderRefunds).where(eq(orderRefunds.id, subjectId)) : []
      if (!refund) return null
      const { amountIdr, credits, reference, reason } = refund
      return { path: '/billing', values: { amount: formatIdr(amountIdr), credits: String(credits), reference, reason } }
    },
  },
  credits_expiring: { cause: 'account', content: async () => ({ path: '/pricing' }) },
} satisfies Record<string, MailDefinition>

const openCounts = {
  ordersAwaiting: {
    count: () =>
      sql`select count(*) from ${orders} where ${orders.status} = ${orderStatus.awaiting} and ${isOpen(orders)}`,
    notice: 'money',
  },
  paymentProblems: {
    count: () =>
      sql`select count(*) from ${payments} where ${payments.problem} is not null and ${payments.settledAt} is null`,
    notice: 'money',
  },
  differences: {
    count: () => sql`select count(*) from ${differences} where ${differences.resolvedAt} is null`,
    notice: 'money',
  },
} as const

const ordersDuring = (moments: Moments): SQL => sql`
  select ${dayOf(orders.paidAt)} as day, ${orders.userId} as user_id, ${orders.totalIdr} as total_idr
  from ${orders} where ${isDuring(orders.paidAt, moments)}`

const ledgerDuring = (moments: Moments): SQL => sql`
  select ${dayOf(ledgerEntries.createdAt)} as day, ${ledgerEntries.kind} as kind, ${ledgerEntries.amount} as amount
  from ${ledgerEntries} where ${isDuring(ledgerEntries.createdAt, moments)}`

const timeline = (userId: string) =>
  [
    {
      kind: 'order',
      columns: {
        at: sql`${orderHistory.createdAt}`,
        what: sql`${orderHistory.to}`,
        detail: sql`${orderHistory.reason}`,
        subject: sql`${orders.id}`,
        state: sql`coalesce(${orders.packageName}, ${orders.voucherCode})`,
      },
      rows: sql`${orders} join ${orderHistory} on ${orderHistory.orderId} = ${orders.id}
        where ${orders.userId} = ${userId}`,
    },
    {
      kind: 'credits',
      columns: {
        at: sql`${ledgerEntries.createdAt}`,
        what: sql`${ledgerEntries.kind}`,
        detail: sql`${ledgerEntries.note}`,
        amount: sql`${ledgerEntries.amount}`,
      },
      rows: sql`${ledgerEntries} where ${ledgerEntries.userId} = ${userId} and ${ledgerEntries.kind} <> 'generation'`,
    },
  ] as const

async function closeDays(tx: Transaction, days: Days): Promise<void> {
  await closeGenerationCosts(tx, days)
  await closeRevenueDays(tx, days)
}

async function orderSummary(executor: Executor, userId: string) {
  const [bought] = await executor
    .select({ all: count(), idr: sum(orders.totalIdr) })
    .from(orders)
    .where(and(eq(orders.userId, userId), eq(orders.status, orderStatus.paid)))
  return { paidOrders: bought?.all ?? 0, paidIdr: Number(bought?.idr ?? 0) }
}

/** State of the last reconciliation: 1 for the label of the current state. */
const billingMetrics: readonly MetricSource<Pick<Deps, 'db'>>[] = [
  {
    name: 'rupa_billing_check',
    help: 'Reconciliation of the ledger and of the payment gateway: ok, differences, failing or not_run',
    labels: ['check', 'state'],
    async read(tools) {
      const states = Object.entries(await checkStates(tools))
      return states.map(([check, state]) => ({ labels: { check, state }, value: 1 }))
    },
  },
]

export const billingContributions = {
  admin: { closeDays, ledgerDuring, openCounts, ordersDuring, orderSummary, timeline },
  approvalActions: { order_confirmation: orderApproval, ...voucherApprovals },
  events: orderEvents,
  healthChecks: gatewayChecks,
  mails: billingMails,
  metrics: billingMetrics,
  personalData,
  pushes: billingPushes,
  work: workBilling,
}

export async function workBilling(deps: BillingDeps): Promise<void> {
  const { jobs } = deps
  const every = (name: string, seconds: number, task: (signal: AbortSignal) => Promise<unknown>) =>
    jobs.every(name, seconds, async (signal) => {
      await task(signal)
    })
  await every('remind-of-expiry', 3600, () => remindOfExpiry(deps))
  await every('remind-of-unpaid', 300, () => remindOfUnpaid(deps))
  await every('reconcile-ledger', 3600, (signal) => reconcileLedger(deps, { signal }))
  await every('poll-payments', 15, (signal) => pollPayments(deps, { signal }))
  // Separate job, so that an unresponsive gateway does not delay orders that need no gateway.
  await every('expire-orders', 15, (signal) => expireOrders(deps, { signal, asking: false }))
  await every('expire-orders-at-gateway', 15, (signal) => expireOrders(deps, { signal, asking: true }))
  await every('follow-gateway-refunds', 60, () => followGatewayRefunds(deps))
  await every('reconcile-payments', 3600, (signal) => reconcilePaymentsDaily(deps, { signal }))
}
