import { and, desc, eq, inArray, isNotNull, isNull, type SQL } from 'drizzle-orm'
import { v7 as uuid } from 'uuid'
import type { WaitingApproval } from '#features/approvals/schemas.ts'
import { type ApprovalAction, approvals } from '#features/approvals/server/approvals.ts'
import { assignments } from '#features/assignments/server/assignments.ts'
import { audit } from '#server/audit/audit.ts'
import { requireAuthorityOver } from '#server/auth/accounts.ts'
import type { Executor, Transaction } from '#server/db/database.ts'
import { requireVersion, transact } from '#server/db/transact.ts'
import { AppError, appError } from '#server/http/app-error.ts'
import { enqueueMail } from '#server/mail/outbox.ts'
import type {
  ConfirmedOrders,
  confirmOrderInput,
  confirmOrdersInput,
  decideOrderInput,
  settlePaymentInput,
} from '../../admin/schemas.ts'
import { type OrderStatus, orderStatus } from '../../rules.ts'
import type { BillingDeps } from '../deps.ts'
import { closeMarkedSessions } from '../payments/close-session.ts'
import { followOpenSessions } from '../payments/follow-attempt.ts'
import { orderHistory, orders } from '../tables/orders.ts'
import { payments } from '../tables/payments.ts'
import { cancelHeldOrder, type HeldOrder, holdOrder, isBuyerDeleted } from './order-record.ts'
import { settleOrder } from './settle-order.ts'

interface Decision {
  id: string
  adminId: string
}

interface DecisionDetails {
  adminId: string
  reason: string
  /** Rupiah received in the account; undefined for the order's total. */
  receivedIdr?: number | undefined
  now: Date
}

/**
 * Confirms money that an admin has seen: the order is paid at once or, above the operator's
 * threshold, after a second admin's confirmation. A cancelled order is paid too; repeating changes
 * nothing. The gateway is read first, because it may know of the payment; open sessions are closed
 * afterwards. Throws if the admin saw the order open but another admin cancelled it. A deleted
 * account buys nothing: its money waits to be sent back.
 */
export async function confirmOrder(
  deps: BillingDeps,
  { id, adminId }: Decision,
  { reason, status, receivedIdr }: typeof confirmOrderInput.infer,
): Promise<WaitingApproval | undefined> {
  await followOpenSessions(deps, id)
  const now = deps.clock()
  const waiting = await transact(deps.db, async (tx) => {
    const order = await holdOrder(tx, id)
    await requireAuthorityOver(tx, adminId, order.userId)
    if (order.status === orderStatus.cancelled) requireVersion(status, order.status)
    const isDecided = order.status === orderStatus.paid || (await isBuyerDeleted(tx, order))
    const request = { id, status: order.status, receivedIdr: receivedIdr ?? null, totalIdr: order.totalIdr }
    const waiting = isDecided
      ? undefined
      : await approvals.require(tx, deps.config, {
          kind: 'order_confirmation',
          unit: 'idr',
          amount: order.totalIdr,
          staffId: adminId,
          subject: id,
          userId: order.userId,
          request,
          reason,
          now,
        })
    if (!waiting) await confirmHeldOrder(tx, deps, order, { adminId, reason, receivedIdr, now })
    return waiting
  })
  if (waiting) return waiting
  await closeMarkedSessions(deps, id)
  return undefined
}

/** One after the other, each in its own transaction: a refused order stops none of the others. */
export async function confirmOrders(
  deps: BillingDeps,
  adminId: string,
  { orders, reason }: typeof confirmOrdersInput.infer,
): Promise<ConfirmedOrders> {
  const items: ConfirmedOrders['items'] = []
  for (const { id, status } of orders) {
    try {
      const waiting = await confirmOrder(deps, { id, adminId }, { reason, status })
      items.push({ id, outcome: waiting ? 'waiting' : 'paid', code: null })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      items.push({ id, outcome: 'refused', code: error.code })
    }
  }
  return { items }
}

export const orderApproval: ApprovalAction = {
  prepare: (deps, { id }) => followOpenSessions(deps, String(id)),
  async apply(tx, deps, { request: { id, status, receivedIdr }, staffId, reason, now }) {
    const order = await holdOrder(tx, String(id))
    // An admin has rejected the order since the confirmation was requested.
    const isRefused = status !== orderStatus.cancelled && (await refusalReason(tx, order.id)) !== undefined
    if (isRefused) throw appError('change.outdated')
    const received = typeof receivedIdr === 'number' ? receivedIdr : undefined
    await confirmHeldOrder(tx, deps, order, { adminId: staffId, reason, receivedIdr: received, now })
  },
  finish: (deps, { id }) => closeMarkedSessions(deps, String(id)),
}

async function confirmHeldOrder(
  tx: Transaction,
  deps: BillingDeps,
  order: HeldOrder,
  { adminId, reason, receivedIdr, now }: DecisionDetails,
): Promise<void> {
  if (await isBuyerDeleted(tx, order)) {
    await recordPaymentForDeletedAccount(tx, order, { adminId, reason, receivedIdr, now })
    return
  }
  if (!(await settleOrder(tx, deps, order, { by: 'admin', actorId: adminId, reason, now }))) return
  // A payment of a wrong amount has now paid for the order.
  const wrong = and(eq(payments.orderId, order.id), inArray(payments.problem, ['wrong_amount', 'wrong_currency']))
  const known = wrong ? await settleProblems(tx, wrong, { adminId, reason, now }) : 0
  if (known === 0) await recordManualPayment(tx, order, { receivedIdr, problem: null, now })
  await auditDecision(tx, order, orderStatus.paid, { adminId, reason, receivedIdr, now })
}

/** Records a difference, unless recorded already, and ends the order. */
async function recordPaymentForDeletedAccount(
  tx: Transaction,
  order: HeldOrder,
  { adminId, reason, receivedIdr, now }: DecisionDetails,
): Promise<void> {
  if (order.status === orderStatus.paid) return
  const known = await tx.$count(payments, eq(payments.orderId, order.id))
  if (known === 0) {
    await recordManualPayment(tx, order, { receivedIdr, problem: 'account_deleted', now })
    const change = { before: { status: order.status }, after: { problem: 'account_deleted' }, reason, now }
    await audit(tx, { actor: adminId, action: 'order.confirmed', subject: { kind: 'order', id: order.id }, ...change })
  }
  await cancelHeldOrder(tx, order, { by: 'admin', actorId: adminId, reason, now })
}

/** Without a report from a gateway. */
async function recordManualPayment(
  tx: Transaction,
  { id, driver, totalIdr }: HeldOrder,
  {
    receivedIdr = totalIdr,
    problem,
    now,
  }: { receivedIdr?: number | undefined; problem: 'account_deleted' | null; now: Date },
): Promise<void> {
  await tx.insert(payments).values({
    id: uuid(),
    orderId: id,
    driver: driver ?? 'manual',
    paymentId: `seen:${id}`,
    amount: receivedIdr,
    currency: 'IDR',
    problem,
    receivedAt: now,
  })
}

/** The buyer gets the reason by mail. Repeating changes nothing. */
export async function rejectOrder(
  deps: BillingDeps,
  { id, adminId }: Decision,
  { reason, status }: typeof decideOrderInput.infer,
): Promise<void> {
  await transact(deps.db, async (tx) => {
    const order = await holdOrder(tx, id)
    await requireAuthorityOver(tx, adminId, order.userId)
    if (order.status === orderStatus.cancelled) return
    if (order.status !== orderStatus.paid) requireVersion(status, order.status)
    const now = deps.clock()
    const cancelled = await cancelHeldOrder(tx, order, { by: 'admin', actorId: adminId, reason, now })
    if (!cancelled) throw appError('order.final')
    await auditDecision(tx, order, orderStatus.cancelled, { adminId, reason, now })
    await enqueueMail(tx, { template: 'order_refused', userId: order.userId, subjectId: id, now })
  })
  await closeMarkedSessions(deps, id)
}

async function auditDecision(
  tx: Transaction,
  { id, status }: HeldOrder,
  to: OrderStatus,
  { adminId, reason, receivedIdr, now }: DecisionDetails,
): Promise<void> {
  const action = to === orderStatus.paid ? 'order.confirmed' : 'order.rejected'
  const change = { before: { status }, after: { status: to, receivedIdr }, reason, now }
  await audit(tx, { actor: adminId, action, subject: { kind: 'order', id }, ...change })
}

/** Undefined if the order is not, or no longer, rejected. */
export async function refusalReason(executor: Executor, orderId: string): Promise<string | undefined> {
  const [last] = await executor
    .select({ to: orderHistory.to, by: orderHistory.by, reason: orderHistory.reason })
    .from(orderHistory)
    .where(eq(orderHistory.orderId, orderId))
    .orderBy(desc(orderHistory.id))
    .limit(1)
  return last?.to === orderStatus.cancelled && last.by === 'admin' ? last.reason : undefined
}

export async function assignOrder(
  { db, clock }: Pick<BillingDeps, 'db' | 'clock'>,
  { id, adminId }: { id: string; adminId: string },
  assignee: string | null,
): Promise<void> {
  await transact(db, async (tx) => {
    const [order] = await tx.select({ id: orders.id }).from(orders).where(eq(orders.id, id)).for('update')
    if (!order) throw appError('order.not_found')
    await assignments.assign(tx, { kind: 'order', id }, { assignee, by: adminId, now: clock() })
  })
}

interface Settlement {
  adminId: string
  /** The admin's solution, such as a repayment. */
  reason: string
  now: Date
}

/** The payment is then no longer a difference. */
export async function settlePayment(
  { db, clock }: Pick<BillingDeps, 'db' | 'clock'>,
  { id, adminId }: { id: string; adminId: string },
  { reason }: typeof settlePaymentInput.infer,
): Promise<void> {
  const now = clock()
  await transact(db, async (tx) => {
    const [payment] = await tx
      .select({ userId: orders.userId })
      .from(payments)
      .innerJoin(orders, eq(orders.id, payments.orderId))
      .where(eq(payments.id, id))
    if (!payment) throw appError('payment.not_found')
    await requireAuthorityOver(tx, adminId, payment.userId)
    const settled = await settleProblems(tx, eq(payments.id, id), { adminId, reason, now })
    if (settled === 0) throw appError('payment.not_found')
    const subject = { kind: 'payment', id }
    await audit(tx, { actor: adminId, action: 'payment.settled', subject, reason, now })
  })
}

/** Returns the number of settled payments. */
async function settleProblems(executor: Executor, which: SQL, { adminId, reason, now }: Settlement): Promise<number> {
  const settled = await executor
    .update(payments)
    .set({ settledAt: now, settledBy: adminId, settlement: reason })
    .where(and(which, isNotNull(payments.problem), isNull(payments.settledAt)))
    .returning({ id: payments.id })
  return settled.length
}
