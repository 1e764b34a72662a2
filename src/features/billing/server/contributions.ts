import { and, asc, eq, gt, inArray, isNotNull, max, sql } from 'drizzle-orm'
import { credits } from '#features/credits/server/credits.ts'
import { type Change, type EventSource, maxResumed, positionOverlap } from '#features/events/server/events.ts'
import type { PushDefinition } from '#features/push/server/push.ts'
import { uploads } from '#features/uploads/server/uploads.ts'
import { jsonFile, type PersonalData } from '#server/account-hooks.ts'
import type { Deps } from '#server/deps.ts'
import type { MailDefinition } from '#server/mail/mail-definition.ts'
import type { MetricSource } from '#server/metrics.ts'
import { type OrderStatus, orderStatus } from '../rules.ts'
import type { OrderView } from '../schemas.ts'
import { billingTimeline, closeDays, ledgerDuring, openCounts, orderSummary, ordersDuring } from './admin-sources.ts'
import type { BillingDeps } from './deps.ts'
import { remindOfExpiry } from './ledger/remind-expiry.ts'
import { orderApproval, refusalReason } from './orders/decide-order.ts'
import { cancelOrder, expireOrders, remindOfUnpaid } from './orders/expire-orders.ts'
import { followGatewayRefunds } from './orders/gateway-refund.ts'
import { formatIdr } from './orders/price.ts'
import { receiptFile } from './orders/receipt.ts'
import { listOrders, viewOrders } from './orders/view-order.ts'
import { gatewayChecks } from './payments/gateway-health.ts'
import { pollPayments } from './payments/poll-payments.ts'
import { checkStates } from './reconciliation/billing-checks.ts'
import { reconcileLedger } from './reconciliation/reconcile-ledger.ts'
import { reconcilePaymentsDaily } from './reconciliation/reconcile-payments.ts'
import { orderHistory, orders, receipts } from './tables/orders.ts'
import { gatewayRefunds, orderRefunds, paymentAttempts } from './tables/payments.ts'
import { voucherApprovals } from './vouchers/admin-vouchers.ts'

const page = 100

/** Paid orders stay; payment details and pictures that prove transfers are deleted. */
const personalData: PersonalData = {
  async *archive({ db, store }, { userId }) {
    const items = []
    let cursor: string | undefined
    do {
      const found = await listOrders({ db }, userId, { cursor, limit: page })
      items.push(...found.items)
      cursor = found.nextCursor ?? undefined
    } while (cursor)
    yield jsonFile('orders.json', items)
    for (const { id, proofKey, proofType } of await proofsOf(db, userId)) {
      const file = await store.stream(proofKey).catch(() => undefined)
      const extension = proofType?.split('/')[1] ?? 'bin'
      if (file) yield { name: `orders/${id}-proof.${extension}`, content: file.body }
    }
  },

  /** Closes open sessions at the gateway, since there is no buyer any more. */
  async prepareErasure(deps, userId) {
    const { db } = deps
    const unpaid = await db
      .select({ id: orders.id })
      .from(orders)
      .where(and(eq(orders.userId, userId), eq(orders.status, orderStatus.unpaid)))
    for (const { id } of unpaid) await cancelOrder(deps, userId, id)
  },

  async erase(tx, { userId, now }) {
    const proofs = await proofsOf(tx, userId)
    const mine = await tx
      .update(orders)
      // Keys and hashes contain no readable data, but come from the user's device.
      .set({ proofKey: null, proofType: null, contentHash: '', mobileNumber: null })
      .where(eq(orders.userId, userId))
      .returning({ id: orders.id })
    const ids = mine.map(({ id }) => id)
    for (const id of ids) await tx.update(orders).set({ idempotencyKey: id }).where(eq(orders.id, id))
    if (ids.length > 0) {
      // The receipt's number and sums are kept; a receipt drawn later has no name.
      await tx
        .update(orders)
        .set({ receiptParties: sql`jsonb_set(${orders.receiptParties}, '{buyer}', '""')` })
        .where(and(eq(orders.userId, userId), isNotNull(orders.receiptParties)))
      // The law requires the buyer's tax number on invoices with PPN to be kept.
      const isTaxed = and(isNotNull(orders.invoiceNumber), isNotNull(orders.ppnPercent))
      await tx
        .update(orders)
        .set({ invoiceBuyer: null })
        .where(and(eq(orders.userId, userId), isNotNull(orders.invoiceBuyer), sql`not (${isTaxed})`))
      await tx.update(orderRefunds).set({ reason: '' }).where(inArray(orderRefunds.orderId, ids))
      await tx.update(gatewayRefunds).set({ reason: '' }).where(inArray(gatewayRefunds.orderId, ids))
      await tx.delete(receipts).where(inArray(receipts.orderId, ids))
      await tx
        .update(paymentAttempts)
        .set({ url: null, vaNumber: null, qrContent: null, request: null })
        .where(inArray(paymentAttempts.orderId, ids))
    }
    return await uploads.dropFiles(
      tx,
      proofs.map(({ proofKey }) => ({ storageKey: proofKey })),
      now,
    )
  },
}

async function proofsOf(
  executor: Parameters<PersonalData['erase']>[0] | Parameters<PersonalData['archive']>[0]['db'],
  userId: string,
) {
  const found = await executor
    .select({ id: orders.id, proofKey: orders.proofKey, proofType: orders.proofType })
    .from(orders)
    .where(and(eq(orders.userId, userId), isNotNull(orders.proofKey)))
    .orderBy(asc(orders.id))
  return found.flatMap(({ proofKey, ...order }) => (proofKey === null ? [] : [{ ...order, proofKey }]))
}

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
  admin: { closeDays, ledgerDuring, openCounts, ordersDuring, orderSummary, timeline: billingTimeline },
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
